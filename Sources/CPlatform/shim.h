// What Swift's module of the C library leaves out.
#include <malloc.h>
#include <sys/resource.h>
#include <sys/vfs.h>

// memfd_create(2). The C library declares it for GNU programs only.
int memfd_create(const char *name, unsigned int flags);
#define SYMBOLICATE_MFD_CLOEXEC 1u

// fallocate(2), likewise.
int fallocate(int file, int mode, off_t offset, off_t size);
