// Prints the file of each library that it is to load, by name: cupel_loaded libresolv.so.2
#include <cstdio>

#include "cupel/host/shared_library.hpp"

int main(int argc, char** argv) {
  for (int i = 1; i < argc; ++i) {
    cupel::host::SharedLibrary library(argv[i], {argv[i]});
    library.handle();
    std::puts(library.file().c_str());
  }
}
