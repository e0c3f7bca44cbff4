// The models of a gallery, made of results in any order.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "cupel/bands/bands.hpp"
#include "cupel/figures/copies.hpp"
#include "cupel/record/forward.hpp"
#include "cupel/report/gallery/gallery.hpp"

namespace cupel::figures {
struct Suite;
}

namespace cupel::report {

/// Takes runs one after another and puts those of one model together.
class GalleryModels {
 public:
  /// Says why a run is left out: it is a copy of one that was asked for before, or no result of a GPU. Empty where it
  /// is to be added. files: its files' names. is_foreign: another program measured it.
  std::string left_out(const std::string& files, const record::ResultSet& results, bool is_foreign);

  /// Adds a run that is not left out. name: as readers know it. parts: a suite of each of its files, labelled by the
  /// file's name, since of files that were joined nobody knows which board gave what. known: the bands of its model.
  /// Returns a line for each part whose times are left out, which says why.
  std::vector<std::string> add(const std::string& name, const record::ResultSet& results,
                               const std::vector<figures::Suite>& parts, const bands::Bands& known);

  /// Returns them by name, the runs of each by how much advice was measured, most first. Two models of one GPU's name
  /// are told apart by all that makes them models.
  std::vector<GalleryModel> models() const;

 private:
  std::map<std::string, GalleryModel> models_;
  figures::SeenResults seen_;
};

}  // namespace cupel::report
