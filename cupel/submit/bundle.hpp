// A bundle: a folder of packed result files, and SHA256SUMS, which `sha256sum --check` reads too. No archive: nothing
// has to be unpacked to be looked at, and no name in it can lead out of it.
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

namespace cupel::submit {

inline constexpr const char* kSums = "SHA256SUMS";

/// A result file in a bundle: a name as "gemm.json.gz", and the JSON.
struct BundleFile {
  std::string name, text;
};

/// Greatest result file, unpacked; the largest of results/ has 6 MB.
inline constexpr std::int64_t kLargestResult = std::int64_t{1} << 26;
inline constexpr std::size_t kMostFiles = 100;

/// Writes the folder, which must not be there yet. Throws files::WriteError, and std::invalid_argument where two files
/// have one name or one has a name that read_bundle() refuses.
void write_bundle(const std::filesystem::path& folder, const std::vector<BundleFile>& files);

/// Throws files::ReadError, which names the file, of whatever is not as write_bundle() makes it: a link, a folder or
/// any other file in it, a name with more than small letters, digits, hyphens, points and underscores, a file that is
/// not in SHA256SUMS or there twice, another hash, more than kMostFiles, a file that unpacks to more than
/// kLargestResult.
std::vector<BundleFile> read_bundle(const std::filesystem::path& folder);

}  // namespace cupel::submit
