#include "cupel/record/pattern.hpp"

#include <re2/re2.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <stdexcept>
#include <utility>

namespace cupel::record {
namespace {

using re2::RE2;

constexpr std::size_t kSearched = 1000;  // bytes of a name
// Bytes of a pattern: room for a hundred names. RE2 bounds what it compiles to, not what it reads: 100 kB of "\pL" take
// 1 GB and 2 s before they are refused, these take a tenth.
constexpr std::size_t kLongest = 10000;
// Bytes of a compiled pattern: some 10000 instructions. Where no automaton fits into it, a search follows them all at
// each byte: up to 10 ms a name.
constexpr std::int64_t kMostMemory = 1 << 20;

RE2::Options options() {
  RE2::Options options;
  options.set_log_errors(false);  // they are thrown
  options.set_never_capture(true);
  options.set_max_mem(kMostMemory);
  return options;
}

bool looks_around(const std::string& part) {
  return part.starts_with("(?=") || part.starts_with("(?!") || part.starts_with("(?<");
}

bool is_reference(const std::string& part) { return part.size() > 1 && part[1] >= '1' && part[1] <= '9'; }

// RE2's words, such as "missing )", and its limits where they do not say them.
std::string what_is_wrong(const RE2& refused) {
  const std::string& part = refused.error_arg();
  switch (refused.error_code()) {
    case RE2::ErrorPatternTooLarge:
      return "it is too long, or repeats too much";
    case RE2::ErrorRepeatSize:
      return refused.error() + " (1000 at most, repeats in repeats multiplied, the smaller number first)";
    case RE2::ErrorBadPerlOp:
      return refused.error() + (looks_around(part) ? " (looking ahead or behind is not supported)" : "");
    case RE2::ErrorBadEscape:
      return refused.error() + (is_reference(part) ? " (references to groups are not supported)" : "");
    case RE2::ErrorMissingParen:
      return "a '(' is not closed";
    case RE2::ErrorUnexpectedParen:
      return "a ')' closes nothing";
    case RE2::ErrorMissingBracket:
      return "a '[' is not closed";
    default:
      return refused.error();
  }
}

[[noreturn]] void refuse(const std::string& text, const std::string& why) {
  throw std::invalid_argument("'" + text + "' is no regular expression: " + why);
}

}  // namespace

Pattern::Pattern(std::string text) : text_(std::move(text)) {
  if (text_.size() > kLongest) refuse(text_, "it is too long: more than " + std::to_string(kLongest) + " bytes");
  const auto compiled = std::make_shared<const RE2>(text_, options());
  if (!compiled->ok()) refuse(text_, what_is_wrong(*compiled));
  compiled_ = compiled;
}

bool Pattern::matches(std::string_view name) const {
  // Hands the name over as bytes: releases of RE2 have string views of different makes.
  return RE2::PartialMatch({name.data(), std::min(name.size(), kSearched)}, *compiled_);
}

}  // namespace cupel::record
