#include "cupel/advice/net.hpp"

#include <algorithm>
#include <iterator>

#include "cupel/units/parse.hpp"

namespace cupel::advice {

static constexpr Net kNets[] = {{"resnet18_224", "ResNet-18", "224 x 224"}, {"resnet18_32", "ResNet-18", "32 x 32"},
                                {"resnet50", "ResNet-50", "224 x 224"},     {"vit_b_16", "ViT-B/16", "224 x 224"},
                                {"gpt_12", "GPT of 12 layers", ""},         {"transformer_1024", "transformer", ""}};

const Net* find_net(const std::string& name) {
  const auto known = std::ranges::find(kNets, name, &Net::name);
  return known == std::end(kNets) ? nullptr : known;
}

std::vector<std::string> net_names() {
  std::vector<std::string> names;
  for (const Net& net : kNets) names.emplace_back(net.name);
  return names;
}

std::string net_of(const std::string& step) {
  constexpr std::string_view kNet = "net:";
  for (const std::string& part : units::split(step, ' ')) {
    if (part.starts_with(kNet)) return part.substr(kNet.size());
  }
  return "";
}

}  // namespace cupel::advice
