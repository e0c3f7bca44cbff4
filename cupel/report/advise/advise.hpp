// The output of `cupel advise`: which advice pays, by how much, from which size on, how it is applied, and when it
// backfires.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "cupel/advice/advice.hpp"
#include "cupel/advice/bottleneck.hpp"
#include "cupel/advice/knee.hpp"
#include "cupel/bands/judge.hpp"
#include "cupel/figures/causes.hpp"
#include "cupel/figures/figure.hpp"
#include "cupel/record/context.hpp"
#include "cupel/report/page/render.hpp"

namespace cupel::report {

struct AdviseOptions {
  Format format = Format::text;  ///< one of kAdviseFormats
  std::string only = {};         ///< the id of one piece of advice, with all of its points; empty: all pieces
  bool verdicts = false;         ///< a table for each verdict, and how the first changes are made
  bool all = false;              ///< the same, with the points of every piece
  bool notes = false;            ///< what bears on the numbers alone
  bool legend = false;           ///< how the figures were made alone
  std::string files = "FILE";    ///< the results as they are typed behind a command
  std::string page = {};         ///< where their HTML page is, or the command that makes one
  Terminal terminal = {100};     ///< of the text
  advice::AdviceOptions rules = {};
};

/// A result file and what follows from it.
struct AdvisedFile {
  std::string path;
  record::Context context;
  std::vector<advice::AdviceResult> advice;  ///< best first
  std::vector<figures::Cause> causes;
  std::vector<advice::Bottleneck> bottlenecks;
  std::vector<advice::Knee> knees;
  std::vector<figures::Figure> figures;
  bands::Judgement board = {};  ///< what other boards of the model say of those benchmarks
  std::string digest = {};      ///< advice::digest()
};

/// board: what is unusual among those results.
AdvisedFile advised_file(std::string path, const record::ResultSet& results, const advice::AdviceOptions& rules = {},
                         const bands::Judgement& board = {});

/// One file: the answer on one screen (answer()), or with `verdicts` or `all` what pays, what costs or harms, what
/// does not matter, what is not known and why, and how to apply it. Several: the same advice side by side, with what
/// changes from one machine to the other. Ends with a newline.
std::string advise(const std::vector<AdvisedFile>& files, const AdviseOptions& options);

/// The things that only the caller knows of.
struct AnswerPlaces {
  std::string files = "FILE";  ///< the results as they are typed behind a command
  std::string page = {};       ///< where their HTML page is, or what makes one; empty: its name follows
};

/// The answer on one screen: the end of `cupel run`, `cupel advise FILES` and the top of the HTML page say the same.
/// The step before and after, at most six changes, what costs or harms, what is unusual, how much is not known, what
/// to do next. At most 40 lines of 80 columns; html_only headings keep their ids: "answer" is the section's.
Blocks answer(const AdvisedFile& file, const AnswerPlaces& places = {});

}  // namespace cupel::report
