#include "cupel/host/private_paths.hpp"

#include <algorithm>
#include <cctype>
#include <cstdlib>
#include <filesystem>
#include <system_error>
#include <utility>
#include <vector>

namespace cupel::host {
namespace {

namespace fs = std::filesystem;

using Shortening = std::pair<std::string, std::string>;  // a folder, and what stands for it

std::string home() {
  const char* variable = std::getenv("HOME");
  return variable == nullptr ? "" : variable;
}

std::vector<Shortening> shortenings() {
  std::error_code error;
  const fs::path program = fs::read_symlink("/proc/self/exe", error);
  std::vector<Shortening> all = {
      {fs::current_path(error).string(), ""}, {program.parent_path().parent_path().string(), ""}, {home(), "~/"}};
  std::erase_if(all, [](const Shortening& one) { return one.first.size() <= 1; });  // of everything
  std::ranges::sort(all, [](const Shortening& a, const Shortening& b) { return a.first.size() > b.first.size(); });
  return all;
}

bool is_of_a_name(char c) {
  return std::isalnum(static_cast<unsigned char>(c)) || c == '_' || c == '-' || c == '.' || c == '/' || c == '~';
}

// Bytes of "/home/somebody" that the text begins with, as a folder of something; 0 if it does not.
std::size_t length_of_a_home(std::string_view text) {
  for (const std::string_view homes : {"/home/", "/Users/"}) {
    if (!text.starts_with(homes)) continue;
    const std::size_t end = text.find('/', homes.size());
    const std::size_t blank = text.find_first_of(" \t\n'\"", homes.size());
    if (end != text.npos && end < blank && end > homes.size()) return end;
  }
  return 0;
}

}  // namespace

std::string without_private_paths(std::string_view text) {
  const std::vector<Shortening> all = shortenings();
  std::string out;
  for (std::size_t at = 0; at < text.size();) {
    const std::string_view rest = text.substr(at);
    const bool begins = rest.front() == '/' && (at == 0 || !is_of_a_name(text[at - 1]));
    const auto known = std::ranges::find_if(all, [&](const Shortening& one) {
      return begins && rest.starts_with(one.first) && rest.substr(one.first.size()).starts_with('/');
    });
    if (known != all.end()) {
      out += known->second;
      at += known->first.size() + 1;
    } else if (const std::size_t length = begins ? length_of_a_home(rest) : 0; length > 0) {
      out += "~/";
      at += length + 1;
    } else {
      out += rest.front();
      ++at;
    }
  }
  return out;
}

std::string with_home(const std::string& path) {
  return path.starts_with("~/") && !home().empty() ? home() + path.substr(1) : path;
}

}  // namespace cupel::host
