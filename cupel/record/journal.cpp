#include "cupel/record/journal.hpp"

#include <fcntl.h>

#include <cerrno>
#include <system_error>
#include <utility>

#include "cupel/record/descriptor.hpp"
#include "cupel/record/entry.hpp"
#include "cupel/record/file.hpp"
#include "cupel/record/json.hpp"
#include "cupel/record/output_file.hpp"

namespace cupel::record {
namespace {

using namespace detail;

// One line into the journal.
void apply(std::string_view line, Journal& journal) {
  const Parsed parsed = parse(line);
  if (!parsed.error.empty()) {
    throw Invalid{parsed.error};
  }
  const Path top;
  Problems problems(false);
  Reading reading{problems};
  check_object(parsed.value, top, reading);
  if (parsed.value.size() != 1) problems.add(top, "must have one field");
  const auto& [key, content] = *parsed.value.get_ref<const Json::object_t&>().begin();
  const Path path(top, key);
  if (key == "context") {
    journal.context = read_context(content, path, problems);
  } else if (key == "begin") {
    decode(content, path, reading, journal.running);
  } else if (key == "row") {
    journal.rows.push_back(read_row(content, path, problems));
    journal.running.clear();
  } else if (key == "end") {
    decode(content, path, reading, journal.ended);
    journal.running.clear();
  } else {
    problems.add(path, "is not known");
  }
}

}  // namespace

struct JournalWriter::State {
  std::filesystem::path path;
  Descriptor descriptor;

  [[noreturn]] void fail(int error) const {
    throw WriteError(printable(path.string() + ": cannot be written: " + std::generic_category().message(error)));
  }

  // One write a line: a reader sees whole lines, and a killed process leaves at most one that is cut short.
  void line(const char* key, Json&& content) const {
    if (!write_all(descriptor.get(), detail::line({{key, std::move(content)}}) + '\n')) fail(errno);
  }
};

JournalWriter::JournalWriter(const std::filesystem::path& path) : state_(std::make_unique<State>()) {
  state_->path = path;
  state_->descriptor = Descriptor(::open(path.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_APPEND | O_CLOEXEC, 0666));
  if (!state_->descriptor.is_open()) state_->fail(errno);
}

JournalWriter::~JournalWriter() = default;
JournalWriter::JournalWriter(JournalWriter&&) noexcept = default;
JournalWriter& JournalWriter::operator=(JournalWriter&&) noexcept = default;

void JournalWriter::context(const Context& context) { state_->line("context", write_context(context)); }

void JournalWriter::begin(const std::string& name) { state_->line("begin", printable(name)); }

void JournalWriter::row(const Row& row) { state_->line("row", write_row(row, Placement{})); }

void JournalWriter::end() { state_->line("end", true); }

Journal read_journal(const std::filesystem::path& path) {
  Journal journal;
  std::error_code error;
  if (!std::filesystem::exists(path, error)) return journal;
  const std::string text = read_file(path);
  std::size_t number = 0;
  for (std::size_t start = 0; start < text.size();) {
    const std::size_t stop = text.find('\n', start);
    if (stop == std::string::npos) {
      break;  // cut short
    }
    ++number;
    try {
      apply(std::string_view(text).substr(start, stop - start), journal);
    } catch (const Invalid& invalid) {
      throw ReadError(printable(path.string()) + ": line " + std::to_string(number) + ": " + invalid.problem);
    }
    start = stop + 1;
  }
  return journal;
}

}  // namespace cupel::record
