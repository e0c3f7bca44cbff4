// The facts of a result as a page lists them: of its machine and its run, what measuring costs there, and what the
// devices did meanwhile.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "cupel/record/forward.hpp"

namespace cupel::figures {

/// Facts of one subject: names and values, known ones alone.
struct ShownFacts {
  std::string subject;
  std::vector<std::pair<std::string, std::string>> facts;
};

/// Lists the facts by subject, in the order of Subject, then those of measuring. The same subjects for every result.
std::vector<ShownFacts> shown_facts(const record::ResultSet& results);

}  // namespace cupel::figures
