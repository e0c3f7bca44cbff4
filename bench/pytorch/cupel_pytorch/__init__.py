"""PyTorch's side of cupel: a family of benchmarks like the others, in Python because its subject is."""
