// The answer on one screen: the end of `cupel run`, `cupel advise FILES` and the top of the HTML page say the same.
#pragma once

#include <string>

#include "cupel/report/advise/advise.hpp"
#include "cupel/report/page/page.hpp"

namespace cupel::report {

/// The things that only the caller knows of.
struct AnswerPlaces {
  std::string files = "FILE";     ///< the results as they are typed behind a command
  std::string page = {};          ///< the HTML page of them; empty: none was written, or its name follows
  std::string notes = "--notes";  ///< the option that says why a board is unusual; empty: the same page does
};

/// The blocks of that text: the step before and after, at most seven changes, what costs or harms, what is unusual, how
/// much is not known, what to do next. At most 40 lines of 80 columns; html_only headings keep their ids:
/// "answer" is the section's.
Blocks answer(const AdvisedFile& file, const AnswerPlaces& places = {});

}  // namespace cupel::report
