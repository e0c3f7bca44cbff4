// Who wants to know which part of a step is enqueued next. Host code only.
#pragma once

#include "bench/step/program.hpp"

namespace cupel::bench::step {

/// Parts of a step.
enum class Part {
  load,       ///< the batch
  fill,       ///< of gradients
  operation,  ///< of the program
  update,     ///< of the parameters
  read_loss,
};

class Watcher {
 public:
  virtual ~Watcher() = default;

  /// Before the part is enqueued. operation: its place in the program; 0 of other parts.
  virtual void begins(Part part, std::size_t operation) = 0;
};

}  // namespace cupel::bench::step
