// The family's topics, one file each. Each function registers its own benchmarks; none touches the device.
#pragma once

namespace cupel::bench::optimizer {

void register_step();
void register_loss_scaling();

}  // namespace cupel::bench::optimizer
