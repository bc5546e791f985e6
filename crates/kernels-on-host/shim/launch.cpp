// Runs a kernel: the threads of a block, and of all blocks if these wait for each other, as fibers.
// A fiber does one thread after the other as long as none waits, so that a kernel without barriers
// is a plain loop.

#include "launch.h"

#include <sched.h>
#include <stdarg.h>
#include <stdio.h>
#include <time.h>
#include <unistd.h>

#include <algorithm>
#include <deque>
#include <numeric>

#include "fiber.h"

__thread uint3 threadIdx, blockIdx;
__thread dim3 blockDim, gridDim;

namespace host {

__thread unsigned char* shared_memory;

// A sequence of all numbers below a bound.
class Sequence {
public:
    void begin(uint32 length, const Shape& shape, uint64 draw) {
        length_ = length;
        arrangement_ = shape.arrangement;
        if (arrangement_ != shuffled) return;
        numbers_.resize(length);
        std::iota(numbers_.begin(), numbers_.end(), 0u);
        uint64 state = shape.seed + draw * 0x9e3779b97f4a7c15ULL;
        for (uint32 n = length; n > 1; --n) std::swap(numbers_[n - 1], numbers_[below(n, state)]);
    }
    uint32 operator[](uint32 at) const {
        if (arrangement_ == ascending) return at;
        return arrangement_ == descending ? length_ - 1 - at : numbers_[at];
    }

private:
    // SplitMix64: Steele, Lea, Flood 2014.
    static uint64 next(uint64& state) {
        uint64 z = state += 0x9e3779b97f4a7c15ULL;
        z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9ULL;
        z = (z ^ (z >> 27)) * 0x94d049bb133111ebULL;
        return z ^ (z >> 31);
    }

    // A number below a bound, without a division.
    static uint32 below(uint32 bound, uint64& state) { return (next(state) >> 32) * bound >> 32; }

    uint32 length_ = 0;
    uint32 arrangement_ = ascending;
    std::vector<uint32> numbers_;
};

struct Block {
    uint3 place;
    unsigned char* shared = nullptr;
    // The order in which its threads begin and go on after a barrier.
    Sequence order;
    uint32 started = 0;
    uint32 ended = 0;
    // Fibers at the barrier, by thread, and how many.
    std::vector<Fiber*> waiting;
    uint32 arrived = 0;
    // Threads that came to the present barrier with `true`, and to the one before.
    uint32 counted = 0;
    uint32 result = 0;
    uint64 raises = 0;

    ~Block() { free(shared); }
};

static uint3 place_of(uint32 number, const uint32 extent[3]) {
    const uint32 row = number / extent[0];
    return {number % extent[0], row % extent[1], row / extent[1]};
}

// One launch on this thread of the processor.
class Launch {
public:
    Launch(Fibers& fibers, Call call, const void* const* arguments, const Shape& shape)
        : fibers_(fibers), call_(call), arguments_(arguments), shape_(shape),
          threads_(shape.threads[0] * shape.threads[1] * shape.threads[2]) {}

    bool run(char* message, size_t capacity);
    void work();
    uint32 barrier(bool condition);
    void wait(const volatile uint32* flag, uint32 stamp);
    void wait_afar(const uint32* flag, uint32 stamp);
    void count_together();

private:
    void begin(Block& block, uint32 number);
    void go_on();
    void enter(const Fiber* fiber);
    Fiber* enter_next();
    void leave();
    Block* unfinished_start();
    void release(Block& block);
    bool wake();
    bool has_patience();
    void check();
    void explain();
    void fail(const char* format, ...) __attribute__((format(printf, 2, 3)));

    Fibers& fibers_;
    const Call call_;
    const void* const* const arguments_;
    const Shape shape_;
    const uint32 threads_;
    // Where the threads of a block lie.
    std::vector<uint3> places_;
    // Those alive at the same time; those before `starting_` have started all of their threads.
    std::vector<Block> blocks_;
    size_t starting_ = 0;
    std::deque<Fiber*> ready_;
    std::vector<Fiber*> awaiting_;
    // How many of them await a flag that another device sets, and since when.
    uint32 afar_ = 0, looks_ = 0;
    time_t begin_ = time(nullptr);
    uint64 draws_ = 0;
    bool failed_ = false;
    char message_[400] = "";
};

namespace {
thread_local Launch* launch;
void work() { launch->work(); }
thread_local Fibers fibers(work);
} // namespace

// Notes what went wrong; the first time counts.
void Launch::fail(const char* format, ...) {
    if (failed_) return;
    failed_ = true;
    va_list values;
    va_start(values, format);
    vsnprintf(message_, sizeof message_, format, values);
    va_end(values);
}

bool Launch::run(char* message, size_t capacity) {
    const uint32 blocks = shape_.blocks[0] * shape_.blocks[1] * shape_.blocks[2];
    Sequence order;
    order.begin(blocks, shape_, draws_++);
    blocks_ = std::vector<Block>(shape_.cooperative ? blocks : 1);
    places_.resize(threads_);
    for (uint32 n = 0; n < threads_; ++n) places_[n] = place_of(n, shape_.threads);
    blockDim = {shape_.threads[0], shape_.threads[1], shape_.threads[2]};
    gridDim = {shape_.blocks[0], shape_.blocks[1], shape_.blocks[2]};
    for (uint32 first = 0; first < blocks && !failed_; first += blocks_.size()) {
        for (uint32 i = 0; i < blocks_.size(); ++i) begin(blocks_[i], order[first + i]);
        starting_ = 0;
        if (!failed_) go_on();
        if (!failed_) check();
    }
    if (failed_) fibers_.abandon();
    snprintf(message, capacity, "%s", message_);
    return !failed_;
}

// Makes a block ready to start with the place of the given number.
void Launch::begin(Block& block, uint32 number) {
    block.place = place_of(number, shape_.blocks);
    block.order.begin(threads_, shape_, draws_++);
    block.started = block.ended = 0;
    block.raises = 0;
    block.waiting.resize(threads_);
    // Of the exact size, for AddressSanitizer.
    if (!block.shared && posix_memalign(reinterpret_cast<void**>(&block.shared), 16, shape_.shared))
        return fail("found no memory for the shared memory of its blocks");
    const uint32 words = shape_.shared / sizeof poison;
    std::fill_n(reinterpret_cast<uint32*>(block.shared), words, poison);
    memcpy(block.shared + words * sizeof poison, &poison, shape_.shared % sizeof poison);
}

// Lets fibers run until none can go on.
void Launch::go_on() {
    while (!failed_) {
        if (!ready_.empty()) {
            fibers_.resume(enter_next());
        } else if (Block* block = unfinished_start()) {
            Fiber* fiber = fibers_.take();
            if (!fiber)
                return fail("has more threads that wait at the same time than there can be fibers, "
                            "%zu, or than there is memory for",
                            Fibers::most);
            fiber->block = block;
            fibers_.resume(fiber);
        } else if (!wake() && !has_patience()) {
            return;
        }
    }
}

// Sets what a kernel sees of its place.
void Launch::enter(const Fiber* fiber) {
    blockIdx = fiber->block->place;
    threadIdx = fiber->place;
    shared_memory = fiber->block->shared;
}

// The fiber that goes on next; it must be there.
Fiber* Launch::enter_next() {
    Fiber* fiber = ready_.front();
    ready_.pop_front();
    enter(fiber);
    return fiber;
}

// On a fiber: lets others go on.
void Launch::leave() {
    if (ready_.empty() || failed_) return fibers_.pause();
    fibers_.hand_over(enter_next());
}

// A block with threads that have not started.
Block* Launch::unfinished_start() {
    while (starting_ < blocks_.size() && blocks_[starting_].started == threads_) ++starting_;
    return starting_ < blocks_.size() ? &blocks_[starting_] : nullptr;
}

// On a fiber: does the threads that its block has not started.
void Launch::work() {
    Fiber* me = fibers_.running;
    Block& block = *me->block;
    while (block.started < threads_ && !failed_) {
        me->thread = block.order[block.started++];
        me->place = places_[me->thread];
        enter(me);
        call_(arguments_);
        ++block.ended;
    }
}

uint32 Launch::barrier(bool condition) {
    Fiber* me = fibers_.running;
    Block& block = *me->block;
    block.counted += condition;
    block.waiting[me->thread] = me;
    if (++block.arrived == threads_) release(block);
    leave();
    return block.result;
}

// Ends a barrier. Nobody comes to the next one's end before all have seen the result of this.
void Launch::release(Block& block) {
    block.result = block.counted;
    block.counted = block.arrived = 0;
    block.order.begin(threads_, shape_, draws_++);
    for (uint32 i = 0; i < threads_; ++i) ready_.push_back(block.waiting[block.order[i]]);
}

void Launch::wait(const volatile uint32* flag, uint32 stamp) {
    Fiber* me = fibers_.running;
    me->flag = flag;
    me->stamp = stamp;
    awaiting_.push_back(me);
    leave();
}

// The flag is set by another device, which is another thread of the processor.
void Launch::wait_afar(const uint32* flag, uint32 stamp) {
    if (static_cast<int>(__atomic_load_n(flag, __ATOMIC_ACQUIRE) - stamp) >= 0) return;
    ++afar_;
    wait(flag, stamp);
    --afar_;
    __atomic_thread_fence(__ATOMIC_ACQUIRE);
}

// Lets other devices run, if one of them may still set a flag.
bool Launch::has_patience() {
    if (afar_ == 0) return false;
    if (time(nullptr) - begin_ > 60) {
        fail("waited for 60 s for a flag that another device sets");
        return false;
    }
    // There may be more devices than processors: who waits for long sleeps, so that others get on.
    if (++looks_ < 20) {
        sched_yield();
    } else {
        usleep(50);
    }
    return true;
}

// Finds fibers whose flags have reached their stamps.
bool Launch::wake() {
    const auto waits = [](const Fiber* fiber) {
        return static_cast<int>(__atomic_load_n(fiber->flag, __ATOMIC_ACQUIRE) - fiber->stamp) < 0;
    };
    const auto rest = std::stable_partition(awaiting_.begin(), awaiting_.end(), waits);
    ready_.insert(ready_.end(), rest, awaiting_.end());
    awaiting_.erase(rest, awaiting_.end());
    if (!ready_.empty()) looks_ = 0;
    return !ready_.empty();
}

// Every warp of a block raises as a whole, on a GPU with an instruction that needs all 32 threads.
void Launch::count_together() {
    ++fibers_.running->block->raises;
    if (threads_ % 32 != 0)
        fail("calls block_max in blocks of %u threads: it must be a multiple of 32", threads_);
}

// Nobody can go on: all must have ended.
void Launch::check() {
    for (const Block& block : blocks_) {
        if (block.ended < threads_) return explain();
        if (block.raises % threads_ != 0)
            return fail("calls block_max from some threads of block (%u, %u, %u) only: all must call "
                        "it, none may return before",
                        block.place.x, block.place.y, block.place.z);
    }
}

// Says who waits for what.
void Launch::explain() {
    const auto stuck = std::find_if(blocks_.begin(), blocks_.end(), [this](const Block& block) {
        return block.ended < threads_;
    });
    uint32 flags = 0;
    for (const Fiber* fiber : awaiting_) flags += fiber->block == &*stuck;
    fail("is stuck: of the %u threads of block (%u, %u, %u) %u wait at a barrier, %u await a flag "
         "and %u have ended; %zu threads of all blocks await a flag",
         threads_, stuck->place.x, stuck->place.y, stuck->place.z, stuck->arrived, flags,
         stuck->ended, awaiting_.size());
}

uint32 barrier(bool condition) { return launch->barrier(condition); }
void wait(const volatile uint32* flag, uint32 stamp) { launch->wait(flag, stamp); }
void wait_afar(const uint32* flag, uint32 stamp) { launch->wait_afar(flag, stamp); }
void count_together() { launch->count_together(); }

} // namespace host

extern "C" bool host_launch(host::Call call, const void* const* arguments, const host::Shape* shape,
                            char* message, size_t capacity) {
    host::Launch work(host::fibers, call, arguments, *shape);
    host::launch = &work;
    const bool ended = work.run(message, capacity);
    host::launch = nullptr;
    return ended;
}
