// What the scheduler of fibers offers to Rust; src/launch.rs mirrors these structures.
#pragma once

#include "host.h"
#include "table.h"

namespace host {

enum Arrangement : uint32 { ascending, descending, shuffled };

struct Shape {
    uint32 blocks[3];
    uint32 threads[3];
    uint32 shared;
    // All blocks are alive at the same time.
    uint32 cooperative;
    uint32 arrangement;
    uint32 reserved;
    uint64 seed;
};

// What stands in memory that nobody has written: not-a-number in both precisions, and as an integer
// large enough to lead astray.
const uint32 poison = 0x7ff4c5c5u;

} // namespace host

// Runs a kernel. Returns whether all threads came to their end; otherwise `message` says what
// happened, as the end of a sentence that begins with the kernel.
extern "C" bool host_launch(host::Call call, const void* const* arguments, const host::Shape* shape,
                            char* message, size_t capacity);
