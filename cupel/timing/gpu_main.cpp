// main() of a family that needs a device.
#include "cupel/harness/instrument.hpp"
#include "cupel/harness/registry.hpp"
#include "cupel/timing/gpu_instrument.hpp"

int main(int argc, char** argv) {
  cupel::timing::GpuInstrument instrument;
  return cupel::harness::bench_main(argc, argv, register_benchmarks, &instrument);
}
