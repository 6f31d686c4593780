// memfd_create(2). The C library declares it for GNU programs only, and Swift's module of it does not.
int memfd_create(const char *name, unsigned int flags);
#define SYMBOLICATE_MFD_CLOEXEC 1u
