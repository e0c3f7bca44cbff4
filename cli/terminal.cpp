#include "cli/terminal.hpp"

#include <sys/ioctl.h>
#include <unistd.h>

namespace cupel::cli {

std::size_t output_columns() {
  constexpr std::size_t kElsewhere = 100;
  winsize size{};
  return ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) == 0 && size.ws_col > 0 ? size.ws_col : kElsewhere;
}

}  // namespace cupel::cli
