// libarchive as Swift sees it.
#ifndef SYMBOLICATE_CLIBARCHIVE_SHIM_H
#define SYMBOLICATE_CLIBARCHIVE_SHIM_H

#include <archive.h>
#include <archive_entry.h>

// Swift imports no macro with a cast in it.
static const mode_t clibarchive_regular_file = AE_IFREG;

// Whether an error number stands for bytes that no enabled format recognises. It is declared in
// archive_platform.h, which is not installed, and documented as EILSEQ or EINVAL (archive_errno(3)).
// libarchive 3.6 uses EILSEQ, and 3.8.10 uses 134, which is no number of Linux.
#include <errno.h>
static inline _Bool clibarchive_means_unrecognized(int number) {
  return number == EILSEQ || number == 134;
}

#endif
