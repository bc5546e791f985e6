// A place where a function goes on, with its stack.
#pragma once

#include <stddef.h>

// HOST_SWAPCONTEXT: do without instructions of our own, as where there are none.
#if defined(__x86_64__) && !defined(HOST_SWAPCONTEXT)
#define HOST_OWN_SWITCH 1
#else
#include <ucontext.h>
#endif

namespace host {

class Context {
public:
    // To begin with a function that never returns, on this stack.
    void prepare(char* stack, size_t size, void (*function)());
    // Goes on at `to`, until somebody goes on here.
    void change_to(Context& to);

private:
#ifdef HOST_OWN_SWITCH
    void* stack_pointer_ = nullptr;
#else
    ucontext_t registers_;
#endif
};

} // namespace host
