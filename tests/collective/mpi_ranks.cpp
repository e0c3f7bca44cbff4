// A rank that mpirun starts, to test what ranks have in common: mpi_ranks together|fails|absent.
#include <algorithm>
#include <array>
#include <chrono>
#include <cstdio>
#include <stdexcept>
#include <string>
#include <thread>

#include "bench/collective/mpi_world.hpp"

namespace {

using namespace cupel::bench::collective;

void require(bool holds, const char* what) {
  if (!holds) throw std::runtime_error(std::string("not so: ") + what);
}

void come_together(MpiWorld& world) {
  const auto seen = [](std::byte value) { return [value](std::byte byte) { return byte == value; }; };
  std::array<std::byte, kIdBytes> id{};
  if (world.rank() == 0) id.fill(std::byte{7});
  world.share(id, 10);
  require(std::ranges::all_of(id, seen(std::byte{7})), "all ranks have the id of rank 0");

  std::array<std::byte, 3> work{};
  if (world.rank() == 0) work.fill(std::byte{9});
  world.hand_out(work);
  require(std::ranges::all_of(work, seen(std::byte{9})), "all ranks have the work that rank 0 hands out");

  std::vector<double> of_all;
  for (int rank = 0; world.rank() == 0 && rank < world.ranks(); ++rank) of_all.insert(of_all.end(), {1.0 * rank, 0.5});
  const std::vector<double> gathered = world.gather({static_cast<double>(world.rank()), 0.5}, 10);
  require(gathered == of_all, "rank 0 has the samples of all, rank behind rank, and no other has any");

  const auto start = std::chrono::steady_clock::now();
  if (world.rank() == 1) std::this_thread::sleep_for(std::chrono::milliseconds(300));
  world.meet(10);
  require(std::chrono::steady_clock::now() - start > std::chrono::milliseconds(250), "all ranks wait for the last");
  std::printf("rank %d of %d, %d on its node, of %d nodes\n", world.rank(), world.ranks(), world.rank_on_node(),
              world.nodes());
}

}  // namespace

int main(int, char** argv) {
  const std::string what = argv[1];
  if (!started_by_launcher()) {
    std::puts("alone");
    return 0;
  }
  MpiWorld& world = MpiWorld::get();
  try {
    if (what == "together") come_together(world);
    if (what == "fails" && world.rank() == 1) throw std::runtime_error("the device is gone");
    if (what == "absent" && world.rank() == 1) std::this_thread::sleep_for(std::chrono::seconds(60));
    if (what == "fails" || what == "absent") world.meet(what == "fails" ? 60 : 1);
  } catch (const std::exception& error) {
    world.abort(error.what());
  }
  return 0;
}
