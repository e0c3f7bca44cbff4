// The nets of measured training steps: how people name them, and what they take in.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace cupel::advice {

struct Net {
  std::string_view name;    ///< as parameters have it: "resnet18_224"
  std::string_view words;   ///< "ResNet-18"
  std::string_view images;  ///< that it takes: "224 x 224"; empty: none
};

/// Null where it is none of ours: a family outside of this repository may have others.
const Net* find_net(const std::string& name);

/// The names of all that are ours.
std::vector<std::string> net_names();

/// "resnet18_224" of a step as StepGain names it, "PyTorch net:resnet18_224 batch:64"; empty where it names none.
std::string net_of(const std::string& step);

}  // namespace cupel::advice
