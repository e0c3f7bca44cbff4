// The progress that a run tells while it goes. The runner speaks to an Observer; TerminalProgress is the one that
// people see.
#pragma once

#include <cstddef>
#include <cstdio>
#include <string>

#include "cupel/record/forward.hpp"

namespace cupel::runner {

/// One start of one executable.
struct StepInfo {
  std::string family;
  int process = 0;  ///< from 0
  int processes = 1;
  std::size_t benchmarks = 0;
};

/// A stage of a gate: many starts, of both sides or of one.
struct StageInfo {
  std::string name;
  std::size_t benchmarks = 0;
  int processes = 1;  ///< most that one benchmark has, of a side
  int sides = 2;
  double expected_s = -1;  ///< negative where it is not known
};

struct StepCounts {
  std::size_t ok = 0, skipped = 0, failed = 0;
  std::string skip_reason;  ///< of the first that was skipped

  void add(const record::Row& row);
};

class Observer {
 public:
  virtual ~Observer() = default;
  /// The steps that follow are this stage's.
  virtual void stage(const StageInfo&) {}
  /// left_s: of the whole run; negative where it is not known yet.
  virtual void started(const StepInfo&, double /*left_s*/) {}
  /// running: the benchmark that is being measured, empty at first.
  virtual void going(const StepInfo&, const std::string& /*running*/, double /*left_s*/) {}
  /// After the result was written.
  virtual void finished(const StepInfo&, const StepCounts&) {}
  /// One line that the reader must see: a failure, a restart, something left out.
  virtual void said(const std::string&) {}
};

/// On a terminal one line that is rewritten; else, or with TERM=dumb, a line for each stage, or for each start and end
/// where there are no stages. Colour only on a terminal without NO_COLOR (no-color.org).
class TerminalProgress : public Observer {
 public:
  explicit TerminalProgress(std::FILE* stream);
  ~TerminalProgress() override;
  void stage(const StageInfo& stage) override;
  void started(const StepInfo& step, double left_s) override;
  void going(const StepInfo& step, const std::string& running, double left_s) override;
  void finished(const StepInfo& step, const StepCounts& counts) override;
  void said(const std::string& line) override;

  /// Takes the live line away, before something else is printed.
  void clear();

 private:
  void rewrite(const std::string& line);
  std::string reason(const StepCounts& counts);

  std::FILE* stream_;
  bool live_ = false;  ///< one line, rewritten
  bool colour_ = false;
  bool in_stage_ = false;
  bool dirty_ = false;  ///< the live line holds text
  std::string told_reason_;
};

}  // namespace cupel::runner
