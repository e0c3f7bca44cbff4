// Files and folders that are a process's own for as long as it lives: the kernel lets go of them however it ends, so
// that what is named as ours and nobody holds was left by a process that was killed.
#pragma once

#include <filesystem>

namespace cupel::record {

enum class Hold {
  ours,      ///< until the descriptor is closed
  anothers,  ///< another process has it, or another descriptor of this one
  unknown    ///< this file system cannot say
};

/// Asks for the open file or folder at once.
Hold hold(int descriptor);

/// Whether the name still leads to what is open: whoever held it before may have removed it.
bool leads_to(const std::filesystem::path&, int descriptor);

}  // namespace cupel::record
