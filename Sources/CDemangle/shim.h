#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Exported by the Swift runtime and declared in none of its headers; see `stdlib/public/runtime/Demangle.cpp`,
   `Backtrace.cpp` there, and `docs/Runtime.md` of Swift. */

/* The name as `swift-demangle` prints it, in memory from `malloc` where `output_buffer` is null; null where
   `mangled_name` is no Swift name. `flags` must be 0. */
char *swift_demangle(const char *mangled_name, size_t mangled_name_length, char *output_buffer,
                     size_t *output_buffer_size, uint32_t flags);

/* The name as the runtime's backtraces show it, as `swift-demangle --simplified` prints it. The rest is as
   above. */
char *_swift_backtrace_demangle(const char *mangled_name, size_t mangled_name_length, char *output_buffer,
                                size_t *output_buffer_size);

/* Whether the runtime's backtraces mark the function as a thunk. */
bool _swift_backtrace_isThunkFunction(const char *mangled_name);
