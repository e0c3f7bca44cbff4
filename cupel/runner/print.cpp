#include "cupel/runner/print.hpp"

#include <fcntl.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include <cerrno>
#include <cstdlib>
#include <cstring>

#include "cupel/units/parse.hpp"
#include "cupel/units/wrap.hpp"

namespace cupel::runner {
namespace {

ColourWhen colour_when = ColourWhen::automatic;
int stdout_error = 0;  // the first: stdio forgets the reason

void note(bool written, std::FILE* stream) {
  if (!written && stream == stdout && stdout_error == 0) stdout_error = errno;
}

}  // namespace

// Each is opened for what it is not used for.
void hold_closed_streams() {
  for (const int stream : {STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO}) {
    if (fcntl(stream, F_GETFD) < 0) open("/dev/null", stream == STDIN_FILENO ? O_WRONLY : O_RDONLY);
  }
}

std::optional<std::size_t> terminal_columns(std::FILE* stream) {
  winsize size{};
  if (ioctl(fileno(stream), TIOCGWINSZ, &size) != 0 || size.ws_col == 0) return std::nullopt;
  return size.ws_col;
}

std::optional<std::size_t> asked_columns(std::FILE* stream) {
  constexpr double kFewest = 40, kMost = 10'000;
  if (const std::optional<std::size_t> columns = terminal_columns(stream)) return *columns;
  const char* const asked = std::getenv("COLUMNS");
  const std::optional<double> columns = units::finite_number(asked == nullptr ? "" : asked);
  if (!columns || *columns < kFewest || *columns > kMost) return std::nullopt;
  return static_cast<std::size_t>(*columns);
}

bool can_rewrite(std::FILE* stream) {
  const char* const kind = std::getenv("TERM");
  return isatty(fileno(stream)) != 0 && kind != nullptr && std::strcmp(kind, "dumb") != 0;
}

void choose_colour(ColourWhen when) { colour_when = when; }

bool has_colour(std::FILE* stream) {
  if (colour_when != ColourWhen::automatic) return colour_when == ColourWhen::always;
  const auto variable = [](const char* name) {
    const char* const value = std::getenv(name);
    return std::string_view(value == nullptr ? "" : value);
  };
  if (!variable("NO_COLOR").empty()) return false;
  const std::string_view forced = variable("CLICOLOR_FORCE");
  return (!forced.empty() && forced != "0") || can_rewrite(stream);
}

void print(std::FILE* stream, std::string_view text) {
  note(std::fwrite(text.data(), 1, text.size(), stream) == text.size(), stream);
}

void print_line(std::FILE* stream, const std::string& line) {
  const std::optional<std::size_t> columns = asked_columns(stream);
  print(stream, columns ? units::wrap_lines(line, *columns) : line + "\n");
}

int finish_output() {
  note(std::fflush(stdout) == 0, stdout);
  return stdout_error;
}

}  // namespace cupel::runner
