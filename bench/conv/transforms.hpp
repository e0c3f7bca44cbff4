// Engines that transform before they multiply, and so multiply less than is counted. Host code only.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "bench/conv/notes.hpp"
#include "bench/conv/problem.hpp"

namespace cupel::bench::conv {

/// Bytes that Winograd's algorithm keeps between its steps, each a kernel, where it makes 4 x 4 numbers at once in
/// tiles of 6 x 6, in fp32: both operands and the result, transformed. For filters of 3 x 3 of planes, without strides,
/// dilation and groups, in fp32 and tf32; nothing for other problems.
/// Source: Lavin and Gray (2016), "Fast Algorithms for Convolutional Neural Networks", algorithm 1 with F(4 x 4, 3 x
/// 3), and of the gradient of the filter with F(3 x 3, 4 x 4).
std::optional<std::int64_t> winograd_bytes(const Problem& problem);

/// The words of a row about such an engine, to stand behind its name; empty for others. cuDNN notes it, but for some
/// engines: these show by a workspace that is winograd_bytes() to the byte, or that and copies of all tensors in
/// another layout.
std::string transforms_note(const Problem& problem, const Notes& notes, std::int64_t workspace_bytes);

}  // namespace cupel::bench::conv
