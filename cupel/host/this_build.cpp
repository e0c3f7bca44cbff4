#include "cupel/host/this_build.hpp"

#include "cupel/version.hpp"

namespace cupel::host {

record::Build this_build() {
  const BuildInfo& info = build_info();
  record::Build build;
  build.version = info.version;
  build.git_revision = info.git_revision;
  build.git_dirty = info.git_dirty;
  build.type = info.build_type;
  build.cxx_compiler = info.cxx_compiler;
  build.cuda_compiler = info.cuda_compiler;
  build.cuda_architectures = info.cuda_architectures;
  return build;
}

}  // namespace cupel::host
