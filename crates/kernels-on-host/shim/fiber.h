// Fibers: functions with stacks of their own that hand the processor to each other. They stay in
// the thread that made them.
#pragma once

#include <stddef.h>

#include <memory>
#include <vector>

#include "context.h"
#include "host.h"

namespace host {

struct Block;

struct Fiber {
    Context context;
    char* stack = nullptr;
    // Bytes at the upper end of the stack that are not used.
    size_t offset = 0;
    // For AddressSanitizer, which must know the stack that is used.
    void* fake_stack = nullptr;

    // The block it works for and its present thread there.
    Block* block = nullptr;
    uint32 thread = 0;
    uint3 place = {0, 0, 0};
    // What it awaits, if it does.
    const volatile uint32* flag = nullptr;
    uint32 stamp = 0;
};

// The fibers of a thread of the processor, kept from launch to launch.
class Fibers {
public:
    // `work` is what every fiber does, again and again; it ends each time with `rest`.
    explicit Fibers(void (*work)());
    ~Fibers();

    // A fiber without work, or none if there are too many.
    Fiber* take();
    // Goes on with a fiber until it or one that it handed over to pauses or rests.
    void resume(Fiber* fiber);
    // From a fiber: back to whoever resumed.
    void pause();
    // From a fiber: another goes on that paused or handed over.
    void hand_over(Fiber* next);
    // From a fiber: back to whoever resumed, without work from now on.
    void rest();
    // Takes the work from all fibers, wherever they are in it.
    void abandon();
    // The fiber that runs.
    Fiber* running = nullptr;

    // A process may have 65530 areas of memory, and a stack with its guard takes two.
    static const size_t most = 16384;

private:
    static void begin();
    bool add_stack(Fiber* fiber);
    void prepare(Fiber* fiber);

    void (*work_)();
    std::vector<std::unique_ptr<Fiber>> all_;
    std::vector<Fiber*> idle_;
    Context caller_;
    // Where it lies is told when a fiber begins: that is never handed over to.
    void* caller_fake_stack_ = nullptr;
    const void* caller_stack_ = nullptr;
    size_t caller_size_ = 0;
};

} // namespace host
