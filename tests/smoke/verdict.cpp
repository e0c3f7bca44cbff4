#include "tests/smoke/verdict.hpp"

#include <algorithm>

namespace cupel::smoke {
namespace {

std::string complaint_about(const record::Row& row) {
  switch (row.status) {
    case record::Status::failed:
      return row.name + ": failed: " + row.reason;
    case record::Status::skipped:
      return row.reason.empty() ? row.name + ": skipped without a reason" : "";
    case record::Status::ok:
      break;
  }
  return "";
}

std::string complaint_about_times(const record::Row& row) {
  if (row.status != record::Status::ok) return "";
  const record::Series* figure = row.main_series();
  if (figure == nullptr || figure->samples_s.empty()) return row.name + ": ok, but without a sample";
  const bool are_times = std::ranges::all_of(figure->samples_s, [](double sample_s) { return sample_s > 0; });
  return are_times ? "" : row.name + ": ok, but with a sample that is no time";
}

}  // namespace

std::vector<std::string> complaints(const record::ResultSet& result, const std::vector<std::string>& asked) {
  std::vector<std::string> found;
  for (const std::string& name : asked) {
    const auto rows = std::ranges::count(result.rows, name, &record::Row::name);
    if (rows != 1) found.push_back(name + ": " + std::to_string(rows) + " rows in the result, not 1");
  }
  for (const record::Row& row : result.rows) {
    if (const std::string complaint = complaint_about(row); !complaint.empty()) found.push_back(complaint);
  }
  // A family for several GPUs has nothing to run on one.
  const auto wants_more = [](const record::Row& row) { return row.reason.starts_with("needs two GPUs"); };
  if (!result.rows.empty() && std::ranges::all_of(result.rows, wants_more)) return found;
  if (std::ranges::none_of(result.rows, [](const record::Row& row) { return row.status == record::Status::ok; })) {
    found.emplace_back("nothing was run");
  }
  return found;
}

std::vector<std::string> without_times(const record::ResultSet& result) {
  std::vector<std::string> found;
  for (const record::Row& row : result.rows) {
    if (const std::string complaint = complaint_about_times(row); !complaint.empty()) found.push_back(complaint);
  }
  return found;
}

std::vector<std::string> skipped(const record::ResultSet& result) {
  std::vector<std::string> lines;
  for (const record::Row& row : result.rows) {
    if (row.status == record::Status::skipped) lines.push_back(row.name + ": skipped: " + row.reason);
  }
  return lines;
}

}  // namespace cupel::smoke
