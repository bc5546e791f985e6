#include "fiber.h"

#include <sys/mman.h>
#include <unistd.h>

#ifdef __SANITIZE_ADDRESS__
#include <sanitizer/asan_interface.h>
#include <sanitizer/common_interface_defs.h>
#endif

namespace host {

namespace {

#ifdef __SANITIZE_ADDRESS__
// Red zones make frames several times larger.
const size_t stack_size = 256 << 10;
#else
const size_t stack_size = 64 << 10;
#endif

size_t guard_size() {
    static const size_t page = static_cast<size_t>(sysconf(_SC_PAGESIZE));
    return page;
}

// The stack is about to change; `fake_stack` keeps what AddressSanitizer has for the present one.
void before_change(void** fake_stack, const void* stack, size_t size) {
#ifdef __SANITIZE_ADDRESS__
    __sanitizer_start_switch_fiber(fake_stack, stack, size);
#else
    (void)fake_stack, (void)stack, (void)size;
#endif
}

// The stack has changed; tells where the one before lies.
void after_change(void* fake_stack, const void** before, size_t* size) {
#ifdef __SANITIZE_ADDRESS__
    __sanitizer_finish_switch_fiber(fake_stack, before, size);
#else
    (void)fake_stack, (void)before, (void)size;
#endif
}

// Whose fiber runs: a function that begins takes no arguments.
thread_local Fibers* home;

} // namespace

void Fibers::begin() {
    Fibers& all = *home;
    after_change(nullptr, &all.caller_stack_, &all.caller_size_);
    for (;;) {
        all.work_();
        all.rest();
    }
}

Fibers::Fibers(void (*work)()) : work_(work) {}

Fibers::~Fibers() {
    abandon();
    for (auto& fiber : all_) munmap(fiber->stack - guard_size(), guard_size() + stack_size);
}

bool Fibers::add_stack(Fiber* fiber) {
    void* area = mmap(nullptr, guard_size() + stack_size, PROT_READ | PROT_WRITE,
                      MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (area == MAP_FAILED) return false;
    if (mprotect(area, guard_size(), PROT_NONE) != 0) {
        munmap(area, guard_size() + stack_size);
        return false;
    }
    fiber->stack = static_cast<char*>(area) + guard_size();
    return true;
}

void Fibers::prepare(Fiber* fiber) {
    fiber->context.prepare(fiber->stack, stack_size - fiber->offset, begin);
    fiber->fake_stack = nullptr;
}

Fiber* Fibers::take() {
    if (idle_.empty()) {
        if (all_.size() == most) return nullptr;
        std::unique_ptr<Fiber> fiber(new Fiber);
        if (!add_stack(fiber.get())) return nullptr;
        // Not all at the same place of a page: they would drive each other out of the cache.
        fiber->offset = all_.size() % 64 * 64;
        prepare(fiber.get());
        idle_.push_back(fiber.get());
        all_.push_back(std::move(fiber));
    }
    Fiber* fiber = idle_.back();
    idle_.pop_back();
    return fiber;
}

void Fibers::resume(Fiber* fiber) {
    running = fiber;
    home = this;
    before_change(&caller_fake_stack_, fiber->stack, stack_size);
    caller_.change_to(fiber->context);
    after_change(caller_fake_stack_, nullptr, nullptr);
    running = nullptr;
}

void Fibers::pause() {
    Fiber* me = running;
    before_change(&me->fake_stack, caller_stack_, caller_size_);
    me->context.change_to(caller_);
    after_change(me->fake_stack, nullptr, nullptr);
}

void Fibers::hand_over(Fiber* next) {
    Fiber* me = running;
    if (next == me) return;
    running = next;
    before_change(&me->fake_stack, next->stack, stack_size);
    me->context.change_to(next->context);
    after_change(me->fake_stack, nullptr, nullptr);
}

void Fibers::rest() {
    running->block = nullptr;
    idle_.push_back(running);
    pause();
}

void Fibers::abandon() {
    idle_.clear();
    for (auto& fiber : all_) {
#ifdef __SANITIZE_ADDRESS__
        // The frames that stay behind are marked in its shadow.
        __asan_unpoison_memory_region(fiber->stack, stack_size);
#endif
        fiber->block = nullptr;
        prepare(fiber.get());
        idle_.push_back(fiber.get());
    }
}

} // namespace host
