// Ctrl-C and its kin, counted: the first asks for an orderly end, the second for an immediate one.
#pragma once

namespace cupel::runner {

/// From now on SIGINT, SIGTERM and SIGHUP are counted instead of ending the process (those that were ignored, as under
/// nohup, stay ignored), and a closed pipe or a file over its limit is an error of the write instead of a death.
void count_interrupts();

/// How many have come.
int interrupts();

}  // namespace cupel::runner
