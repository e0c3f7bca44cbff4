// The parts of an advice page. advise() puts them together.
#pragma once

#include <string>
#include <vector>

#include "cupel/advice/answer.hpp"
#include "cupel/figures/waterfall.hpp"
#include "cupel/report/advise/advise.hpp"
#include "cupel/report/advise/badges.hpp"
#include "cupel/report/page/page.hpp"

namespace cupel::report {

/// Adds the machine that was measured on, and what took from the numbers.
void add_machine(Page& page, const AdvisedFile& file);

/// The tables of one machine: what pays, costs, harms, makes no difference, is undecided, was not measurable, not
/// compared, not measured.
void add_verdicts(Page& page, const AdvisedFile& file, const AdviseOptions& options);

/// One piece: where it pays here, how it is applied, when it backfires, and what its alternatives give.
Blocks details_of(const AdvisedFile& file, const advice::AdviceResult& result);

/// One piece: what it says, how it is applied, when it backfires, and its curves; `points`: each of them too.
void add_piece(Page& page, const AdvisedFile& file, const advice::AdviceResult& result, bool points);

/// From symptom to remedy: the pieces that pay, best first, under what they are a remedy for. Nothing without a GPU.
void add_symptoms(Page& page, const AdvisedFile& file);

/// Which stages bind the loaders that were measured, and what to change. Nothing where none was.
void add_bottlenecks(Page& page, const AdvisedFile& file);

/// From which batch on a larger one gives no more, and how busy the GPU is. Nothing where no sizes were measured.
void add_knees(Page& page, const AdvisedFile& file);

/// Adds what pieces gave to whole training steps. Nothing where none was measured.
void add_steps(Page& page, const AdvisedFile& file);

/// A name of several files, "a.json, b.json, c.json", as "a.json and 2 more".
std::string short_name(const std::string& name);

/// One line of PyTorch that makes the change, and in parentheses what was measured where that is another call, or with
/// a number that the line leaves open: "DataLoader(..., num_workers=N) (measured: a loader in C++ with 16 workers)".
/// Empty for a piece that the catalogue does not have.
std::string how_text(const advice::Change& change);

/// The same advice on several machines, what most of them measured first: as many rows as a screen has. whole: all of
/// them, and each difference of the machines.
void add_matrix(Page& page, const std::vector<AdvisedFile>& files, bool whole);

/// The first of these rows, those that pay with how_text(), and how many more there are. names: of the machines, for
/// columns.
Table short_matrix(const std::vector<std::vector<advice::AdviceResult>>& machines,
                   const std::vector<std::string>& names);

/// How the figures were made.
void add_method(Page& page, const std::vector<AdvisedFile>& files, const AdviseOptions& options);

std::string advise_json(const std::vector<AdvisedFile>& files, const AdviseOptions& options);

}  // namespace cupel::report
