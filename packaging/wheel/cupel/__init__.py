"""CUDA micro-benchmarks that say which GPU advice pays, here and by how much: the program `cupel`, in libexec/."""
