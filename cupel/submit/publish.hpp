// A result as it may be published: without what names a machine or its user.
#pragma once

#include <string>
#include <vector>

#include "cupel/record/forward.hpp"

namespace cupel::submit {

/// Takes away the node and the job, and from all texts home folders and the names of hosts: the node's and those that
/// are given; hashes the UUID, wherever it stands.
record::ResultSet published(record::ResultSet results, const std::vector<std::string>& host_names);

/// Returns the name of its file in a bundle, its families': "gemm.json.gz", of several "conv-gemm.json.gz".
std::string file_name(const record::ResultSet& results);

/// Names what published() would take away: "/context/cupel/run/node: names a machine"; empty where nothing is left of
/// it.
std::vector<std::string> left_in(const record::ResultSet& results);

}  // namespace cupel::submit
