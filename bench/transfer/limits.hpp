// The limits that this family's figures are held against, read from the device.
#pragma once

namespace cupel::bench::transfer {

/// The link between host and device, `directions` times: both at once have twice the rate of one.
void hold_against_link(int directions = 1);

/// The peak rate of device memory.
void hold_against_memory();

}  // namespace cupel::bench::transfer
