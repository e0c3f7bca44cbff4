// The physical limits that results are held against: arithmetic, device memory, the PCIe link.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "cupel/record/forward.hpp"
#include "cupel/record/workload.hpp"

namespace cupel::device {

/// The type that is multiplied and added. fp32 and fp64 are the CUDA cores', the rest the tensor cores' with dense
/// operands and, for fp16 and bf16, fp32 accumulation; fp16_in_fp16 accumulates in fp16. A multiply-add counts as two.
enum class Arithmetic { fp64, fp64_tensor, fp32, tf32, fp16, fp16_in_fp16, bf16, fp8, int8, fp4 };

const char* to_string(Arithmetic arithmetic);

/// Why the device cannot compute in `precision`, whose arithmetic it is, naming the compute capability that it would
/// take; empty if it can.
std::string lacking(const std::string& precision, Arithmetic arithmetic, const record::DeviceInfo& device);

/// Operations per clock of one SM; nullopt when this architecture has none, or none that is published.
///
/// GeForce boards halve fp32 accumulation of fp16, bf16, tf32 and fp8 on the tensor cores: `geforce` says that it is
/// one. Sources: table "Throughput of Native Arithmetic Instructions" of the CUDA C++ Programming Guide for the CUDA
/// cores; NVIDIA's architecture white papers (Turing, A100, GA102, Ada, H100, Blackwell) for the tensor cores.
std::optional<double> operations_per_clock_per_sm(int compute_major, int compute_minor, Arithmetic arithmetic,
                                                  bool geforce = false);

/// The device's peak at an SM clock; quantity "flops" ("items" for int8, whose operations are no floating-point ones).
/// sm_clock_hz: at which the peak is wanted, e.g. the one seen during the sample, or the device's greatest (the
/// default). Data sheets state tensor peaks at a boost clock that may be below the greatest (H200: 1830 of 1980 MHz).
std::optional<record::Limit> arithmetic_peak(const record::DeviceInfo& device, Arithmetic arithmetic,
                                             std::optional<double> sm_clock_hz = std::nullopt);

/// Device memory at its greatest clock; nullopt when clock or bus width is unknown. quantity "bytes". Under MIG it is
/// the whole board's, as the limit's name and source say: how much of it a slice has is not known.
std::optional<record::Limit> memory_peak(const record::DeviceInfo& device);

/// The same for one call that begins with a cold cache (docs/method.md). Nullopt where the memory need not see it all:
/// the call moves less than the L2 holds, or writes less than that and still a good part of what it moves, which may
/// then stay in the cache.
std::optional<record::Limit> memory_peak(const record::DeviceInfo& device, const record::Workload& cold_call);

/// The same for work that goes again and again through arrays of `array_bytes` in all. Nullopt where they are less than
/// four times the L2 cache: a good part of them may then be read from it, or written to it and not yet to the memory
/// when the time ends, and the work may be faster than the memory.
std::optional<record::Limit> memory_peak(const record::DeviceInfo& device, std::int64_t array_bytes);

/// The roof over the work: arithmetic or device memory, whichever takes longer for it at its peak. fp64 on tensor cores
/// is the CUDA cores' where there are none for it. Nothing where neither peak is known.
std::optional<record::Limit> roof(const record::DeviceInfo& device, Arithmetic arithmetic,
                                  const record::Workload& work);

/// One direction of a PCIe link after its line code (8b/10b, 128b/130b; generation 6: 242 of 256 bytes of a flit),
/// before packet headers, which take another 8 to 12 % of large transfers. Generations 1 to 6. quantity "bytes".
std::optional<record::Limit> pcie_peak(int generation, int width);

/// The link's as it is: the present width, and the greatest generation, because the present one drops when idle.
std::optional<record::Limit> pcie_peak(const record::DeviceInfo& device);

}  // namespace cupel::device
