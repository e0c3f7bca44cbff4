#include "cupel/record/journal.hpp"

#include <fcntl.h>

#include <algorithm>
#include <cerrno>
#include <limits>
#include <system_error>

#include "cupel/files/descriptor.hpp"
#include "cupel/files/input_file.hpp"
#include "cupel/files/output_file.hpp"
#include "cupel/record/entry.hpp"
#include "cupel/record/json.hpp"
#include "cupel/units/format.hpp"

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

// A row with all the samples that it may have is no longer.
constexpr std::size_t kLongestLine = 256 << 20;

// A journal may be long: no more of its text than this and a line is held at once. False at its end.
bool read_more(files::FileReader& file, std::string& text) {
  constexpr std::size_t kPiece = 1 << 20;
  const std::size_t had = text.size();
  text.resize(had + kPiece);
  text.resize(had + file.read(text.data() + had, kPiece));
  return text.size() > had;
}

}  // namespace

JournalWriter::JournalWriter(const std::filesystem::path& path)
    : path_(path), descriptor_(::open(path.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_APPEND | O_CLOEXEC, 0666)) {
  if (!descriptor_.is_open()) files::cannot_write(path, errno);
}

// One write a line: a reader sees whole lines, and a killed process leaves at most one that is cut short.
void JournalWriter::line(const std::string& json) const {
  if (!files::write_all(descriptor_.get(), json + '\n')) files::cannot_write(path_, errno);
}

void JournalWriter::context(const Context& context) { line(detail::line({{"context", write_context(context)}})); }

std::optional<std::string> begun_in(std::string_view line) {
  if (!line.starts_with("{\"begin\"")) return std::nullopt;  // most lines are long rows
  Journal journal;
  try {
    apply(line, journal);
  } catch (const Invalid&) {
    return std::nullopt;
  }
  return journal.running;
}

void JournalWriter::begin(const std::string& name) { line(detail::line({{"begin", printable(name)}})); }

void JournalWriter::row(const Row& row) { line(detail::line({{"row", write_row(row, Placement{})}})); }

void JournalWriter::end() { line(detail::line({{"end", true}})); }

Journal read_journal(const std::filesystem::path& path) {
  Journal journal;
  std::error_code error;
  if (!std::filesystem::exists(path, error)) return journal;
  files::FileReader file(path, std::numeric_limits<std::int64_t>::max(), files::FileReader::Packed::as_it_is);
  std::size_t number = 1, seen = 0;
  std::string text;  // from the beginning of line `number`, of which `seen` bytes have no end of a line
  try {
    while (read_more(file, text)) {
      std::size_t start = 0;
      for (std::size_t stop = 0; (stop = text.find('\n', std::max(start, seen))) != std::string::npos;
           start = stop + 1) {
        apply(std::string_view(text).substr(start, stop - start), journal);
        ++number;
      }
      text.erase(0, start);
      seen = text.size();
      if (seen > kLongestLine) throw Invalid{"longer than any row"};
      if (file.taken() > files::kLargestFile)
        throw Invalid{"the file is larger than " + units::format_size(files::kLargestFile)};
    }
  } catch (const Invalid& invalid) {
    journal.problem = "line " + std::to_string(number) + ": " + invalid.problem;
  }
  return journal;  // a last line without its end was cut short
}

}  // namespace cupel::record
