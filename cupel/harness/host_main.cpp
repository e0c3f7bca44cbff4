// main() of a family that needs no device.
#include "cupel/harness/instrument.hpp"
#include "cupel/harness/registry.hpp"

int main(int argc, char** argv) { return cupel::harness::bench_main(argc, argv, register_benchmarks, nullptr); }
