// Results are published. What a path in them tells of a person (the home folder, and with it a name) does not belong
// there.
#pragma once

#include <string>
#include <string_view>

namespace cupel::host {

/// The text with every path shortened: to what is below the working folder or the folder that the program was built in,
/// else to what is below the home folder, as "~/data/a.jpg"; so are other people's below /home. Other paths stay.
std::string without_private_paths(std::string_view text);

/// "~/data" as the path that it stands for here; others as they are.
std::string with_home(const std::string& path);

}  // namespace cupel::host
