// Ranks that mpirun or srun has started measure together, with rank 0 as the one that has benchmarks.
#pragma once

namespace cupel::bench::collective {

/// Whether this process is one of several that a launcher has started, for which register_nodes() takes the place of
/// all other topics. Never where the build has no MPI.
bool has_nodes();

/// At rank 0 registers the all-reduces over all ranks. Elsewhere does what rank 0 asks for, and ends the process when
/// that ends.
void register_nodes();

}  // namespace cupel::bench::collective
