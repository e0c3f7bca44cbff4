#include "bench/fusion/guarded.hpp"

#include <string>
#include <utility>

#include "cupel/harness/run.hpp"
#include "cupel/vendor/cublas.hpp"
#include "cupel/vendor/cudnn.hpp"
#include "cupel/vendor/cudnn_plan.hpp"
#include "cupel/vendor/library.hpp"

namespace cupel::bench::fusion {
namespace {

// Why the benchmark cannot run here; empty if it failed.
std::string reason(const vendor::CublasError& error) {
  switch (error.status()) {
    case CUBLAS_STATUS_NOT_SUPPORTED:
    case CUBLAS_STATUS_ARCH_MISMATCH:
      return std::string("not supported here: ") + error.what();
    case CUBLAS_STATUS_ALLOC_FAILED:
      return std::string("out of memory inside the library: ") + error.what();
    default:
      return "";
  }
}

std::string reason(const vendor::CudnnError& error) {
  return vendor::is_not_supported(error) ? std::string("not supported here: ") + error.what() : "";
}

}  // namespace

harness::Body guarded(harness::Body body) {
  return [body = std::move(body)](benchmark::State& state) {
    try {
      body(state);
    } catch (const vendor::Unavailable& error) {
      harness::skip(error.what());
    } catch (const vendor::NotSupported& error) {
      harness::skip(error.what());
    } catch (const vendor::CublasError& error) {
      if (const std::string why = reason(error); !why.empty()) harness::skip(why);
      throw;
    } catch (const vendor::CudnnError& error) {
      if (const std::string why = reason(error); !why.empty()) harness::skip(why);
      throw;
    }
  };
}

}  // namespace cupel::bench::fusion
