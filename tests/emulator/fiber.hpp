// Stacks that a thread switches between: each thread of a kernel's block that waits for others waits on its own.
#pragma once

#include <cstddef>
#include <functional>
#include <memory>

namespace cupel::emulator {

/// A context of execution. Belongs to the operating system's thread that made it.
class Fiber {
 public:
  /// The calling thread itself.
  Fiber();
  /// A stack of its own, on which `main` runs when it is first switched to. `main` must not return.
  explicit Fiber(std::function<void()> main);
  ~Fiber();
  Fiber(const Fiber&) = delete;
  Fiber& operator=(const Fiber&) = delete;

  /// Leaves `from`, which is running, and goes on where `to` was left.
  static void switch_between(Fiber& from, Fiber& to);

  /// Tells AddressSanitizer that the next thing to run runs on `to`; landed() must follow there.
  static void leave_for(Fiber& to);
  static void landed();

 private:
  struct Implementation;
  std::unique_ptr<Implementation> implementation_;
};

}  // namespace cupel::emulator
