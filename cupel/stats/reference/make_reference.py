#!/usr/bin/env python3
"""Writes reference.inc: what SciPy, NumPy and statsmodels say of the inputs below.

Usage: python3 make_reference.py > reference.inc      (SciPy 1.17, NumPy 2.4, statsmodels 0.15)

Where none of them has a function (inter-quartile mean, Walsh averages, order-statistic intervals, the bootstrap's random
numbers) the definition is written out here a second time, as plainly as can be, on exact rationals where that is possible.
"""
import itertools
import math
from fractions import Fraction

import numpy as np
import scipy
import statsmodels
from scipy import stats
from statsmodels.stats.multitest import multipletests

RNG = np.random.default_rng(20261120)


def number(x):
    x = float(x)
    if math.isinf(x):
        return "kInfinity" if x > 0 else "-kInfinity"
    return repr(x)


def row(*values):
    cells = []
    for v in values:
        if isinstance(v, (list, tuple, np.ndarray)):
            cells.append("{" + ", ".join(number(x) for x in v) + "}")
        elif isinstance(v, (int, np.integer)):
            cells.append(str(int(v)))
        else:
            cells.append(number(v))
    return "    {" + ", ".join(cells) + "},"


def table(kind, name, rows):
    print(f"const std::vector<{kind}> {name}{{")
    print("\n".join(rows))
    print("};\n")


# ------------------------------------------------------------------------------------------------ definitions

def interquartile_mean(sample):
    """Each value split into four equal parts; the mean of the middle half of the parts. Exact."""
    parts = sorted(Fraction(float(x)) for x in sample for _ in range(4))
    quarter = len(parts) // 4
    middle = parts[quarter:3 * quarter]
    return sum(middle, Fraction(0)) / len(middle)


def walsh(sample):
    return sorted((sample[i] + sample[j]) / 2 for i in range(len(sample)) for j in range(i, len(sample)))


def order_interval(ascending, at_most, level):
    """Largest k with 1 - 2 P(V <= k - 1) >= level, at least 1. at_most(v) = P(V <= v)."""
    good = [k for k in range(1, (len(ascending) + 1) // 2 + 1) if 1 - 2 * at_most(k - 1) >= level]
    k = max(good, default=1)
    return ascending[k - 1], ascending[-k], 1 - 2 * at_most(k - 1)


def rank_sum_at_most(n, m):
    """From SciPy: the one-sided exact p of two samples made to have U = v."""
    return lambda v: stats.mannwhitneyu(*samples_with_u(n, m, v), alternative="less", method="exact").pvalue


def samples_with_u(n, m, u):
    """x of n and y of m distinct values with u pairs x > y (SciPy's U of x)."""
    below = np.zeros(n, int)                      # y values below each x, ascending
    for i in range(n - 1, -1, -1):
        below[i] = min(m, u)
        u -= below[i]
    x = below + (np.arange(n) + 1) / (n + 2)
    y = np.arange(m) + 1.0
    return x, y


def signed_rank_at_most(n):
    cases = np.zeros(n * (n + 1) // 2 + 1)
    for signs in itertools.product((0, 1), repeat=n):
        cases[sum(r for r, s in zip(range(1, n + 1), signs) if s)] += 1
    return lambda v: cases[:v + 1].sum() / cases.sum()


class Xoshiro:
    MASK = 2**64 - 1

    def __init__(self, seed):
        self.s = []
        for _ in range(4):
            seed = (seed + 0x9E3779B97F4A7C15) & self.MASK
            x = seed
            x = ((x ^ (x >> 30)) * 0xBF58476D1CE4E5B9) & self.MASK
            x = ((x ^ (x >> 27)) * 0x94D049BB133111EB) & self.MASK
            self.s.append(x ^ (x >> 31))

    def rotate(self, x, k):
        return ((x << k) | (x >> (64 - k))) & self.MASK

    def next(self):
        s = self.s
        result = (self.rotate((s[0] + s[3]) & self.MASK, 23) + s[0]) & self.MASK
        t = (s[1] << 17) & self.MASK
        s[2] ^= s[0]
        s[3] ^= s[1]
        s[1] ^= s[2]
        s[0] ^= s[3]
        s[2] ^= t
        s[3] = self.rotate(s[3], 45)
        return result

    def below(self, n):
        return ((self.next() >> 32) * n) >> 32


def bootstrap(ratios, level, resamples, seed):
    logs = np.log(ratios)
    n = len(logs)
    random = Xoshiro(seed)
    means = [np.mean([logs[random.below(n)] for _ in range(n)]) for _ in range(resamples)]
    tail = stats.norm.cdf(-math.sqrt(n / (n - 1)) * stats.t.ppf(0.5 + level / 2, n - 1))
    return stats.gmean(ratios), math.exp(np.quantile(means, tail)), math.exp(np.quantile(means, 1 - tail))


# ------------------------------------------------------------------------------------------------ tables

print("// Made by make_reference.py; do not edit.")
print(f"// SciPy {scipy.__version__}, NumPy {np.__version__}, statsmodels {statsmodels.__version__}.\n")

samples = [RNG.lognormal(0, s, n) for n in (1, 2, 3, 4, 5, 6, 7, 10, 13, 30) for s in (0.1, 1.0)]
samples.append(np.array([3.0, 1.0, 3.0, 2.0, 3.0, 3.0, 1.0]))

table("QuantileCase", "kQuantiles",
      [row(list(s), p, np.quantile(s, p)) for s in samples for p in (0, 0.1, 0.25, 0.5, 0.9, 1)])
table("LocationCase", "kLocations",
      [row(list(s), interquartile_mean(s), stats.median_abs_deviation(s), stats.gmean(s),
           np.std(s, ddof=1) if len(s) > 1 else 0.0) for s in samples])

table("NormalCase", "kNormal",
      [row(p, stats.norm.ppf(p)) for p in (1e-300, 1e-16, 1e-9, 2e-4, 0.01, 0.025, 0.25, 0.4, 0.5, 0.6, 0.975, 0.999999)])
table("StudentCase", "kStudent",
      [row(t, df, stats.t.cdf(t, df)) for df in (1, 2, 3.5, 9, 30, 127, 129, 1000, 1e5)
       for t in (-40, -5.2, -1.96, -0.3, 0, 0.01, 1, 2.2621571627409915, 12)])
table("StudentCase", "kStudentQuantiles",
      [row(stats.t.ppf(p, df), df, p) for df in (1, 2, 3.5, 9, 30, 127, 129, 1000)
       for p in (1e-6, 0.0002, 0.025, 0.3, 0.5, 0.9, 0.975, 0.9999)])
rows = []
for n in range(1, 21):
    for m in range(n, 21):
        for u in sorted({0, 1, n * m // 8, n * m // 4, n * m // 3, n * m // 2, n * m}):
            x, y = samples_with_u(n, m, u)
            r = stats.mannwhitneyu(x, y, alternative="less", method="exact")
            assert r.statistic == u
            rows.append(row(n, m, u, r.pvalue))
table("RankSumCase", "kRankSum", rows)

rows = []
for n, m in ((5, 5), (7, 7), (5, 8), (12, 12), (20, 17)):
    for shift in (0, 0.5, 1.5):
        a, b = RNG.normal(0, 1, n), RNG.normal(shift, 1, m)
        greater, less, both = (stats.mannwhitneyu(b, a, alternative=side, method="exact")
                               for side in ("greater", "less", "two-sided"))
        d = sorted(y - x for x in a for y in b)
        low, high, level = order_interval(d, rank_sum_at_most(n, m), 0.95)
        rows.append(row(list(a), list(b), greater.statistic, greater.pvalue, less.pvalue, both.pvalue, np.median(d), low, high, level))
table("TwoSampleCase", "kTwoSamples", rows)

rows = []
for n, m in ((2, 2), (3, 4), (5, 5), (6, 5)):
    for _ in range(4):
        a, b = RNG.integers(0, 4, n).astype(float), RNG.integers(0, 5, m).astype(float)
        def u_of(x, y, axis):
            d = x[..., :, None] - y[..., None, :]
            return (d > 0).sum((-1, -2)) + 0.5 * (d == 0).sum((-1, -2))
        pvalues = [stats.permutation_test((b, a), u_of, vectorized=True, permutation_type="independent", n_resamples=np.inf,
                                          alternative=side).pvalue for side in ("greater", "less")]
        rows.append(row(list(a), list(b), u_of(b, a, 0), *pvalues))
table("TiedCase", "kTied", rows)

a, b = RNG.normal(0, 1, 120), RNG.normal(0.2, 1, 110)
r = {s: stats.mannwhitneyu(b, a, alternative=s, method="asymptotic", use_continuity=True) for s in ("greater", "less", "two-sided")}
rows = [row(list(a), list(b), r["greater"].statistic, r["greater"].pvalue, r["less"].pvalue, r["two-sided"].pvalue)]
a, b = RNG.integers(0, 40, 60).astype(float), RNG.integers(5, 45, 55).astype(float)
r = {s: stats.mannwhitneyu(b, a, alternative=s, method="asymptotic", use_continuity=True) for s in ("greater", "less", "two-sided")}
rows.append(row(list(a), list(b), r["greater"].statistic, r["greater"].pvalue, r["less"].pvalue, r["two-sided"].pvalue))
table("LargeCase", "kLarge", rows)

rows = []
for n in (1, 3, 5, 7, 12, 15):
    d = RNG.normal(0.3, 1, n)
    low, high, level = order_interval(walsh(d), signed_rank_at_most(n), 0.95)
    rows.append(row(list(d), np.median(walsh(d)), low, high, level))
table("IntervalCase", "kPaired", rows)

rows = []
for n in (1, 5, 6, 7, 20, 150):
    s = np.sort(RNG.normal(0, 1, n))
    low, high, level = order_interval(list(s), lambda v: stats.binom.cdf(v, n, 0.5), 0.95)
    rows.append(row(list(s), np.median(s), low, high, level))
table("IntervalCase", "kMedians", rows)

rows = []
for p in ([0.01], [0.04, 0.01, 0.03, 0.005], [0.2, 0.2, 1.0, 0.0], list(RNG.uniform(0, 1, 9) ** 4)):
    rows.append(row(list(p), list(multipletests(p, method="holm")[1])))
table("MultiplicityCase", "kMultiplicity", rows)

rows = []
for n, resamples in ((2, 200), (5, 500), (12, 500)):
    ratios = RNG.lognormal(0.1, 0.3, n)
    rows.append(row(list(ratios), resamples, n, *bootstrap(ratios, 0.95, resamples, n)))
table("BootstrapCase", "kBootstrap", rows)

random = Xoshiro(42)
print("const std::vector<std::uint64_t> kXoshiro42{" + ", ".join(f"{random.next():#x}" for _ in range(5)) + "};")
