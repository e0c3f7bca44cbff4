// Thompson (1968), "Regular expression search algorithm", CACM 11(6): all ways through the pattern are followed side by
// side, each instruction at most once a byte. The program and its search as R. Cox (2009), "Regular Expression
// Matching: the Virtual Machine Approach".
#include "cupel/record/pattern.hpp"

#include <bitset>
#include <cstddef>
#include <initializer_list>
#include <optional>
#include <stdexcept>
#include <utility>

namespace cupel::record {
namespace detail {

/// `to` counts from the instruction itself.
struct Instruction {
  enum class Kind { byte, split, jump, begin, end, boundary, inside };
  Kind kind = Kind::byte;
  std::bitset<256> bytes;  ///< of which a byte must be one
  std::ptrdiff_t to = 0;   ///< of a split, the other way to go on; of a jump, the only one
};

}  // namespace detail

namespace {

using Program = std::vector<detail::Instruction>;
using Kind = detail::Instruction::Kind;
using Bytes = std::bitset<256>;

constexpr std::size_t kSearched = 1000;  // bytes of a name
constexpr std::size_t kLongest = 10000;  // instructions: room for a hundred names
constexpr std::size_t kMostRepeats = 1000;
constexpr int kDeepest = 100;  // groups in groups

Bytes range(unsigned char first, unsigned char last) {
  Bytes bytes;
  for (unsigned c = first; c <= last; ++c) bytes.set(c);
  return bytes;
}

Bytes one(char c) { return range(static_cast<unsigned char>(c), static_cast<unsigned char>(c)); }

Bytes digits() { return range('0', '9'); }
Bytes word() { return digits() | range('a', 'z') | range('A', 'Z') | one('_'); }
Bytes space() { return range('\t', '\r') | one(' '); }
Bytes any_of_a_line() { return ~(one('\n') | one('\r')); }

// ---- Programs of parts

Program step(Kind kind, std::ptrdiff_t to = 0) { return {{kind, {}, to}}; }
Program step(const Bytes& bytes) { return {{Kind::byte, bytes, 0}}; }

std::ptrdiff_t length(const Program& program) { return static_cast<std::ptrdiff_t>(program.size()); }

void append(Program& program, const Program& more) {
  if (program.size() + more.size() > kLongest) throw std::invalid_argument("it is too long, or repeats too much");
  program.insert(program.end(), more.begin(), more.end());
}

Program joined(std::initializer_list<Program> parts) {
  Program program;
  for (const Program& part : parts) append(program, part);
  return program;
}

Program either(const Program& one, const Program& other) {
  return joined({step(Kind::split, length(one) + 2), one, step(Kind::jump, length(other) + 1), other});
}

Program perhaps(const Program& part) { return joined({step(Kind::split, length(part) + 1), part}); }

Program any_number(const Program& part) {
  return joined({step(Kind::split, length(part) + 2), part, step(Kind::jump, -length(part) - 1)});
}

struct Repeats {
  std::size_t least = 1;
  std::optional<std::size_t> most;  // none: any number
};

Program repeated(const Program& part, const Repeats& repeats) {
  Program program;
  for (std::size_t i = 0; i < repeats.least; ++i) append(program, part);
  if (!repeats.most) {
    append(program, any_number(part));
    return program;
  }
  for (std::size_t i = repeats.least; i < *repeats.most; ++i) append(program, perhaps(part));
  return program;
}

// ---- From the text

class Parser {
 public:
  explicit Parser(std::string_view text) : rest_(text) {}

  Program whole() {
    Program program = alternatives();
    if (!rest_.empty()) fail("a ')' closes nothing");
    return program;
  }

 private:
  [[noreturn]] static void fail(const std::string& what) { throw std::invalid_argument(what); }

  bool takes(std::string_view token) {
    if (!rest_.starts_with(token)) return false;
    rest_.remove_prefix(token.size());
    return true;
  }

  char next(const char* missing) {
    if (rest_.empty()) fail(missing);
    const char c = rest_.front();
    rest_.remove_prefix(1);
    return c;
  }

  Program alternatives() {
    Program program = sequence();
    while (takes("|")) program = either(program, sequence());
    return program;
  }

  Program sequence() {
    Program program;
    while (!rest_.empty() && rest_.front() != '|' && rest_.front() != ')') append(program, term());
    return program;
  }

  Program term() {
    if (takes("^")) return step(Kind::begin);
    if (takes("$")) return step(Kind::end);
    if (takes("\\b")) return step(Kind::boundary);
    if (takes("\\B")) return step(Kind::inside);
    if (rest_.starts_with("(?=") || rest_.starts_with("(?!") || rest_.starts_with("(?<")) {
      fail("looking ahead or behind is not supported");
    }
    const Program part = atom();
    const std::optional<Repeats> repeats = quantifier();
    return repeats ? repeated(part, *repeats) : part;
  }

  Program atom() {
    const char c = next("");
    switch (c) {
      case '.':
        return step(any_of_a_line());
      case '(':
        return group();
      case '[':
        return step(set());
      case '\\':
        return step(escaped(false));
      case '*':
      case '+':
      case '?':
      case '{':
        fail(std::string("there is nothing that '") + c + "' could repeat");
      default:
        return step(one(c));
    }
  }

  Program group() {
    takes("?:");
    if (++depth_ > kDeepest) fail("groups are too deep inside each other");
    Program program = alternatives();
    --depth_;
    if (!takes(")")) fail("a '(' is not closed");
    return program;
  }

  // Reluctant quantifiers find the same names.
  std::optional<Repeats> quantifier() {
    std::optional<Repeats> repeats;
    if (takes("*")) {
      repeats = Repeats{0, std::nullopt};
    } else if (takes("+")) {
      repeats = Repeats{1, std::nullopt};
    } else if (takes("?")) {
      repeats = Repeats{0, 1};
    } else if (takes("{")) {
      repeats = counted();
    }
    if (repeats) takes("?");
    return repeats;
  }

  Repeats counted() {
    Repeats repeats;
    repeats.least = number();
    repeats.most = repeats.least;
    if (takes(",")) {
      repeats.most.reset();
      if (!rest_.starts_with("}")) repeats.most = number();
    }
    if (!takes("}")) fail("a '{' is not closed");
    if (repeats.most && *repeats.most < repeats.least) fail("a repeat's bounds are the wrong way round");
    return repeats;
  }

  std::size_t number() {
    std::size_t value = 0;
    bool any = false;
    for (; !rest_.empty() && rest_.front() >= '0' && rest_.front() <= '9'; rest_.remove_prefix(1), any = true) {
      value = 10 * value + static_cast<std::size_t>(rest_.front() - '0');
      if (value > kMostRepeats) fail("it repeats a part more than 1000 times");
    }
    if (!any) fail("a '{' has no number");
    return value;
  }

  // After '['.
  Bytes set() {
    const bool inverted = takes("^");
    Bytes bytes;
    while (!takes("]")) {
      const Bytes first = member();
      if (!rest_.starts_with("-") || rest_.starts_with("-]")) {
        bytes |= first;
        continue;
      }
      takes("-");
      const Bytes last = member();
      if (first.count() != 1 || last.count() != 1) fail("a range ends in more than one character");
      const auto from = first._Find_first(), to = last._Find_first();
      if (from > to) fail("a range is the wrong way round");
      bytes |= range(static_cast<unsigned char>(from), static_cast<unsigned char>(to));
    }
    return inverted ? ~bytes : bytes;
  }

  Bytes member() {
    for (const char* named : {"[:", "[.", "[="}) {
      if (rest_.starts_with(named))
        fail(std::string("'") + named + R"(' in a '[...]' is not supported: use \d, \w or \s)");
    }
    const char c = next("a '[' is not closed");
    return c == '\\' ? escaped(true) : one(c);
  }

  // After '\'.
  Bytes escaped(bool in_set) {
    const char c = next("a '\\' escapes nothing");
    switch (c) {
      case 'd':
        return digits();
      case 'D':
        return ~digits();
      case 'w':
        return word();
      case 'W':
        return ~word();
      case 's':
        return space();
      case 'S':
        return ~space();
      case 't':
        return one('\t');
      case 'n':
        return one('\n');
      case 'v':
        return one('\v');
      case 'f':
        return one('\f');
      case 'r':
        return one('\r');
      default:
        break;
    }
    if (c >= '1' && c <= '9' && !in_set) fail("references to groups are not supported");
    if (word().test(static_cast<unsigned char>(c)) && c != '_') fail(std::string("'\\") + c + "' is not supported");
    return one(c);
  }

  std::string_view rest_;
  int depth_ = 0;
};

// ---- The search

class Search {
 public:
  Search(const Program& program, std::string_view name)
      : program_(program), name_(name), reached_at_(program.size() + 1, kNever) {}

  bool finds() {
    std::vector<std::size_t> here, next;
    for (std::size_t at = 0; at <= name_.size(); ++at) {
      if (reach(0, at, here)) return true;
      if (at == name_.size()) break;
      next.clear();
      for (const std::size_t place : here) {
        if (!program_[place].bytes.test(static_cast<unsigned char>(name_[at]))) continue;
        if (reach(place + 1, at + 1, next)) return true;
      }
      here.swap(next);
    }
    return false;
  }

 private:
  static constexpr std::size_t kNever = ~std::size_t{0};

  // Adds the instructions that wait for the byte at `at` to `waiting`. True at the program's end.
  bool reach(std::size_t place, std::size_t at, std::vector<std::size_t>& waiting) {
    open_.assign(1, place);
    while (!open_.empty()) {
      place = open_.back();
      open_.pop_back();
      if (std::exchange(reached_at_[place], at) == at) continue;
      if (place == program_.size()) return true;
      const detail::Instruction& instruction = program_[place];
      const auto other = static_cast<std::size_t>(static_cast<std::ptrdiff_t>(place) + instruction.to);
      switch (instruction.kind) {
        case Kind::byte:
          waiting.push_back(place);
          break;
        case Kind::split:
          open_.push_back(other);
          open_.push_back(place + 1);
          break;
        case Kind::jump:
          open_.push_back(other);
          break;
        default:
          if (holds(instruction.kind, at)) open_.push_back(place + 1);
      }
    }
    return false;
  }

  bool holds(Kind kind, std::size_t at) const {
    if (kind == Kind::begin) return at == 0;
    if (kind == Kind::end) return at == name_.size();
    return (is_word(at) != (at > 0 && is_word(at - 1))) == (kind == Kind::boundary);
  }

  bool is_word(std::size_t at) const { return at < name_.size() && word_.test(static_cast<unsigned char>(name_[at])); }

  const Program& program_;
  std::string_view name_;
  const Bytes word_ = word();
  std::vector<std::size_t> reached_at_;  // by instruction, the place in the name at which it was reached last
  std::vector<std::size_t> open_;
};

}  // namespace

Pattern::Pattern(std::string text) : text_(std::move(text)) {
  try {
    program_ = std::make_shared<const Program>(Parser(text_).whole());
  } catch (const std::invalid_argument& error) {
    throw std::invalid_argument("'" + text_ + "' is no regular expression: " + error.what());
  }
}

bool Pattern::matches(std::string_view name) const { return Search(*program_, name.substr(0, kSearched)).finds(); }

}  // namespace cupel::record
