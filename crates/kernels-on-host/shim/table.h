// What a compiled variant tells about its kernels; src/table.rs mirrors these structures.
#pragma once

#include <stddef.h>

#include <type_traits>
#include <utility>

namespace host {

// Calls a kernel for the thread that is set, with arguments that each pointer points at.
typedef void (*Call)(const void* const* arguments);

struct Parameter {
    size_t size;
    // Whether it is an address in the device's memory.
    bool address;
};

struct Kernel {
    // File relative to kernels/, and the kernel's name.
    const char* file;
    const char* name;
    Call call;
    const Parameter* parameters;
    size_t parameter_count;
};

// A constant given to the compiler.
struct Definition {
    const char* name;
    const char* value;
};

// The kernels of one folder with one choice of definitions.
struct Table {
    const Definition* definitions;
    size_t definition_count;
    const Kernel* kernels;
    size_t kernel_count;
};

template <class Function> struct Signature;

// Unpacks arguments as cuLaunchKernel does: by the types in the kernel's own declaration.
template <class... Parameters> struct Signature<void (*)(Parameters...)> {
    // One more than there are, because an array cannot be empty.
    static constexpr Parameter parameters[sizeof...(Parameters) + 1] = {
        {sizeof(Parameters), std::is_pointer<Parameters>::value}..., {0, false}};

    template <void (*kernel)(Parameters...), size_t... I>
    static void unpack(const void* const* arguments, std::index_sequence<I...>) {
        kernel(*static_cast<const Parameters*>(arguments[I])...);
    }

    template <void (*kernel)(Parameters...)> static void call(const void* const* arguments) {
        (void)arguments;
        unpack<kernel>(arguments, std::index_sequence_for<Parameters...>());
    }

    template <void (*kernel)(Parameters...)>
    static constexpr Kernel entry(const char* file, const char* name) {
        return {file, name, call<kernel>, parameters, sizeof...(Parameters)};
    }
};

} // namespace host

#define HOST_KERNEL(file, name) host::Signature<decltype(&name)>::entry<&name>(file, #name)
