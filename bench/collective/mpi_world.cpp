#include "bench/collective/mpi_world.hpp"

#include <mpi.h>
#include <sched.h>

#include <chrono>
#include <cstdio>
#include <cstdlib>

namespace cupel::bench::collective {
namespace {

void check(int result, const char* what) {
  if (result != MPI_SUCCESS) throw std::runtime_error(std::string("MPI: ") + what + " failed");
}

// Not inside MPI, so that a rank that is gone is seen.
void wait(MPI_Request& request, double limit_s, int ranks) {
  const auto start = std::chrono::steady_clock::now();
  for (int done = 0; done == 0;) {
    check(MPI_Test(&request, &done, MPI_STATUS_IGNORE), "waiting for the other ranks");
    if (done != 0) return;
    if (std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count() > limit_s) {
      throw NotMet("not all of " + std::to_string(ranks) + " ranks came in time");
    }
    sched_yield();
  }
}

void finalize() { MPI_Finalize(); }

}  // namespace

// The names that Open MPI, MPICH and Slurm's own start give.
bool started_by_launcher() {
  for (const char* name : {"OMPI_COMM_WORLD_SIZE", "PMI_SIZE", "SLURM_STEP_NUM_TASKS"}) {
    const char* size = std::getenv(name);
    if (size != nullptr && std::atoi(size) > 1) return true;
  }
  return false;
}

MpiWorld& MpiWorld::get() {
  static MpiWorld& world = *new MpiWorld;
  return world;
}

MpiWorld::MpiWorld() {
  check(MPI_Init(nullptr, nullptr), "its beginning");
  std::atexit(finalize);
  check(MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN), "asking for errors");
  check(MPI_Comm_size(MPI_COMM_WORLD, &ranks_), "counting ranks");
  check(MPI_Comm_rank(MPI_COMM_WORLD, &rank_), "asking for the rank");
  MPI_Comm node = MPI_COMM_NULL;
  check(MPI_Comm_split_type(MPI_COMM_WORLD, MPI_COMM_TYPE_SHARED, rank_, MPI_INFO_NULL, &node), "finding the node");
  check(MPI_Comm_rank(node, &rank_on_node_), "asking for the rank on the node");
  MPI_Comm_free(&node);
  const int first = rank_on_node_ == 0 ? 1 : 0;
  check(MPI_Allreduce(&first, &nodes_, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD), "counting nodes");
}

void MpiWorld::meet(double limit_s) {
  MPI_Request request = MPI_REQUEST_NULL;
  check(MPI_Ibarrier(MPI_COMM_WORLD, &request), "meeting");
  wait(request, limit_s, ranks_);
}

void MpiWorld::share(std::span<std::byte, kIdBytes> id, double limit_s) {
  MPI_Request request = MPI_REQUEST_NULL;
  check(MPI_Ibcast(id.data(), static_cast<int>(id.size()), MPI_BYTE, 0, MPI_COMM_WORLD, &request), "sharing");
  wait(request, limit_s, ranks_);
}

void MpiWorld::hand_out(std::span<std::byte> bytes) {
  check(MPI_Bcast(bytes.data(), static_cast<int>(bytes.size()), MPI_BYTE, 0, MPI_COMM_WORLD), "handing out work");
}

std::vector<double> MpiWorld::gather(const std::vector<double>& samples, double limit_s) {
  std::vector<double> all(rank_ == 0 ? samples.size() * static_cast<std::size_t>(ranks_) : 0);
  const int count = static_cast<int>(samples.size());
  MPI_Request request = MPI_REQUEST_NULL;
  check(MPI_Igather(samples.data(), count, MPI_DOUBLE, all.data(), count, MPI_DOUBLE, 0, MPI_COMM_WORLD, &request),
        "gathering times");
  wait(request, limit_s, ranks_);
  return all;
}

void MpiWorld::abort(const std::string& why) {
  std::fprintf(stderr, "rank %d of %d: %s\n", rank_, ranks_, why.c_str());
  std::fflush(stderr);
  MPI_Abort(MPI_COMM_WORLD, 1);
  std::abort();
}

}  // namespace cupel::bench::collective
