"""The location of one process, as cupel takes it."""


def interquartile_mean(samples):
    """As cupel::stats::interquartile_mean: values at the edges of the middle half count by their part in it."""
    ordered = sorted(samples)
    n = len(ordered)
    low, high = n / 4, 3 * n / 4
    weights = [max(0.0, min(i + 1, high) - max(i, low)) for i in range(n)]
    return sum(w * x for w, x in zip(weights, ordered)) / sum(weights)
