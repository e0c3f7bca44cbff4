#include "tests/emulator/fiber.hpp"

#include <pthread.h>
#include <sys/mman.h>
#include <ucontext.h>

#include <cstdint>
#include <cstdlib>
#include <new>
#include <utility>

#if defined(__SANITIZE_ADDRESS__)
#include <sanitizer/asan_interface.h>
#include <sanitizer/common_interface_defs.h>
#endif

namespace cupel::emulator {
namespace {

constexpr std::size_t kPage = 4096;
#if defined(__SANITIZE_ADDRESS__)
constexpr std::size_t kStackBytes = 256 * 1024;  // red zones around every variable
#else
constexpr std::size_t kStackBytes = 64 * 1024;
#endif

// The stack of the calling thread, as AddressSanitizer wants to know it.
std::pair<const void*, std::size_t> own_stack() {
  pthread_attr_t attributes;
  void* bottom = nullptr;
  std::size_t bytes = 0;
  if (pthread_getattr_np(pthread_self(), &attributes) == 0) {
    pthread_attr_getstack(&attributes, &bottom, &bytes);
    pthread_attr_destroy(&attributes);
  }
  return {bottom, bytes};
}

}  // namespace

#if defined(__x86_64__)
// Saves what a called function keeps, exchanges the stack pointers, restores. A signal mask is not exchanged, which is
// what makes ucontext's own switch a system call.
extern "C" void cupel_emulator_switch(void** save, void* to);
asm(R"(
.text
.globl cupel_emulator_switch
.type cupel_emulator_switch,@function
cupel_emulator_switch:
  pushq %rbp
  pushq %rbx
  pushq %r12
  pushq %r13
  pushq %r14
  pushq %r15
  movq %rsp, (%rdi)
  movq %rsi, %rsp
  popq %r15
  popq %r14
  popq %r13
  popq %r12
  popq %rbx
  popq %rbp
  ret
.size cupel_emulator_switch,.-cupel_emulator_switch
)");
#endif

struct Fiber::Implementation {
  std::function<void()> main;
  void* mapping = nullptr;  // a page that may not be touched, then the stack
  const void* bottom = nullptr;
  std::size_t bytes = 0;
#if defined(__x86_64__)
  void* stack_pointer = nullptr;
#else
  ucontext_t context{};
#endif
  void* fake_stack = nullptr;

  static thread_local Implementation* starting;
  static void start() {
    Implementation* self = starting;
    landed();
    self->main();
    std::abort();  // nowhere to go
  }
};

thread_local Fiber::Implementation* Fiber::Implementation::starting = nullptr;

Fiber::Fiber() : implementation_(std::make_unique<Implementation>()) {
  std::tie(implementation_->bottom, implementation_->bytes) = own_stack();
}

Fiber::Fiber(std::function<void()> main) : implementation_(std::make_unique<Implementation>()) {
  Implementation& self = *implementation_;
  self.main = std::move(main);
  self.mapping =
      mmap(nullptr, kPage + kStackBytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (self.mapping == MAP_FAILED) throw std::bad_alloc();
  mprotect(self.mapping, kPage, PROT_NONE);
  char* bottom = static_cast<char*>(self.mapping) + kPage;
  self.bottom = bottom;
  self.bytes = kStackBytes;
#if defined(__x86_64__)
  // As if cupel_emulator_switch had been called from start(): its address, below it six registers. The stack pointer is
  // 8 beyond a multiple of 16 where a function begins.
  auto** top = reinterpret_cast<void**>(bottom + kStackBytes) - 2;
  *top = reinterpret_cast<void*>(&Implementation::start);
  for (int i = 1; i <= 6; ++i) top[-i] = nullptr;
  self.stack_pointer = top - 6;
#else
  getcontext(&self.context);
  self.context.uc_stack.ss_sp = bottom;
  self.context.uc_stack.ss_size = kStackBytes;
  self.context.uc_link = nullptr;
  makecontext(&self.context, &Implementation::start, 0);
#endif
}

Fiber::~Fiber() {
  if (implementation_->mapping == nullptr) return;
#if defined(__SANITIZE_ADDRESS__)
  __asan_unpoison_memory_region(implementation_->bottom, implementation_->bytes);
#endif
  munmap(implementation_->mapping, kPage + kStackBytes);
}

void Fiber::switch_between(Fiber& from, Fiber& to) {
  Implementation::starting = to.implementation_.get();
#if defined(__SANITIZE_ADDRESS__)
  __sanitizer_start_switch_fiber(&from.implementation_->fake_stack, to.implementation_->bottom,
                                 to.implementation_->bytes);
#endif
#if defined(__x86_64__)
  cupel_emulator_switch(&from.implementation_->stack_pointer, to.implementation_->stack_pointer);
#else
  swapcontext(&from.implementation_->context, &to.implementation_->context);
#endif
#if defined(__SANITIZE_ADDRESS__)
  __sanitizer_finish_switch_fiber(from.implementation_->fake_stack, nullptr, nullptr);
#endif
}

void Fiber::leave_for(Fiber& to) {
#if defined(__SANITIZE_ADDRESS__)
  __sanitizer_start_switch_fiber(nullptr, to.implementation_->bottom, to.implementation_->bytes);
#else
  static_cast<void>(to);
#endif
}

void Fiber::landed() {
#if defined(__SANITIZE_ADDRESS__)
  __sanitizer_finish_switch_fiber(nullptr, nullptr, nullptr);
#endif
}

}  // namespace cupel::emulator
