// Reads and writes that move a few bytes at a time, and are interrupted every second time: what pipes,
// network file systems and signals may do. For LD_PRELOAD; faults.py compiles it.

#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <stdatomic.h>
#include <sys/types.h>
#include <unistd.h>

static atomic_uint calls;

// 0 for a call that is interrupted, else the size of the transfer.
static size_t limit(size_t size) {
  unsigned call = atomic_fetch_add(&calls, 1);
  if (call % 2 == 0) { errno = EINTR; return 0; }
  size_t most = 1 + call / 2 % 7 * 97;
  return size < most ? size : most;
}

#define TRANSFER(name, buffer_type, parameters, arguments)                              \
  ssize_t name(int file, buffer_type buffer, size_t size parameters) {                 \
    static ssize_t (*original)(int, buffer_type, size_t parameters);                   \
    if (!original) *(void **)&original = dlsym(RTLD_NEXT, #name);                      \
    if (size == 0) return original(file, buffer, size arguments);                      \
    size_t part = limit(size);                                                         \
    return part == 0 ? -1 : original(file, buffer, part arguments);                    \
  }

#define OFFSET_PARAMETER , off_t offset
#define OFFSET_ARGUMENT , offset

TRANSFER(read, void *, , )
TRANSFER(write, const void *, , )
TRANSFER(pread, void *, OFFSET_PARAMETER, OFFSET_ARGUMENT)
TRANSFER(pread64, void *, OFFSET_PARAMETER, OFFSET_ARGUMENT)
