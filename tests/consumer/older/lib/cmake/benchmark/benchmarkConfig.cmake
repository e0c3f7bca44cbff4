# A Google Benchmark that is too old; it is never used.
