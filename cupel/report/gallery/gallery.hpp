// `cupel report --gallery`: a static site of any number of results. A page of all models, one a model, one a family.
#pragma once

#include <string>
#include <vector>

#include "cupel/advice/advice.hpp"
#include "cupel/bands/bands.hpp"
#include "cupel/figures/figure.hpp"
#include "cupel/figures/fingerprint.hpp"

namespace cupel::report {

/// One result, or several files that are parts of one.
struct GalleryRun {
  std::string name;  ///< as the reader knows it: its folder or file
  std::string board = {};
  std::string measured = {};  ///< when
  std::string revision = {};  ///< of cupel
  figures::Facts facts = {};
  std::vector<std::string> labels = {};  ///< what makes its figures lower or noisier, and what is unusual of its board
  std::vector<advice::AdviceResult> advice = {};
  std::vector<figures::Figure> figures = {};
};

/// Boards of one model.
struct GalleryModel {
  std::string gpu;               ///< "NVIDIA H200"; no two have one
  std::vector<GalleryRun> runs;  ///< the one in which most advice was measured first
  bands::Bands bands;            ///< the times of the boards of these runs, and of those that are known else
};

struct GalleryPage {
  std::string file;  ///< "index.html"
  std::string html;
};

/// The first is index.html. Where a benchmark stands has an address that only its name and its family's make, so that
/// it is the same in every gallery: "family-gemm.html#gemm/square/precision:bf16/n:8192".
std::vector<GalleryPage> gallery(const std::vector<GalleryModel>& models);

/// "cupel report --gallery", as pages name what made them.
extern const char* const kGalleryMaker;

}  // namespace cupel::report
