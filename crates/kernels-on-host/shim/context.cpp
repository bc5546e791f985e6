// swapcontext would do for all processors, but asks the kernel for the signal mask each time; a few
// instructions are enough.

#include "context.h"

#ifdef HOST_OWN_SWITCH

// Keeps the registers that a function must keep on the stack, and the stack pointer in *from.
asm(R"(
.text
.type host_change, @function
host_change:
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
.size host_change, .-host_change
)");
extern "C" void host_change(void** from, void* to);

namespace host {

void Context::prepare(char* stack, size_t size, void (*function)()) {
    // As if `function` had been called, and had called host_change before its first instruction:
    // six registers, where to go on, where it would return to.
    void** top = reinterpret_cast<void**>(stack + size) - 8;
    for (int at = 0; at < 8; ++at) top[at] = nullptr;
    top[6] = reinterpret_cast<void*>(function);
    stack_pointer_ = top;
}

void Context::change_to(Context& to) { host_change(&stack_pointer_, to.stack_pointer_); }

} // namespace host

#else

namespace host {

void Context::prepare(char* stack, size_t size, void (*function)()) {
    getcontext(&registers_);
    registers_.uc_stack.ss_sp = stack;
    registers_.uc_stack.ss_size = size;
    registers_.uc_link = nullptr;
    makecontext(&registers_, function, 0);
}

void Context::change_to(Context& to) { swapcontext(&registers_, &to.registers_); }

} // namespace host

#endif
