// The version of this build of cupel: for the record, `cupel --version` and `cupel doctor`.
#pragma once

namespace cupel {

/// Set when the build was made. A text is empty where it does not apply.
struct BuildInfo {
  const char* version;             ///< "0.1.0"
  const char* git_revision;        ///< full hash; empty outside a checkout
  bool git_dirty;                  ///< tracked files differed from that revision
  const char* build_type;          ///< "Release"
  const char* cxx_compiler;        ///< "GNU 12.2.0"
  const char* cuda_compiler;       ///< "NVIDIA 13.0.88"; empty in a host-only build
  const char* cuda_architectures;  ///< "90" or "80;90"; empty in a host-only build
};

/// How the library that is linked in was built.
const BuildInfo& build_info();

}  // namespace cupel
