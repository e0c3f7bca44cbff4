// cuDNN's heuristics and plans for a device that is described to them and need not be there. For tests: in a program
// that links cupel::described_device every graph of cudnn-frontend's is for an H200, and none of them runs.
#pragma once

#include <string>

namespace cupel::vendor {

/// A plan whose kernels cuDNN has compiled and could not load here counts as made; its workspace is taken for 0.
///
/// Loads what that takes. Empty if it is there, else one line with what is missing.
std::string prepare_described_device();

}  // namespace cupel::vendor
