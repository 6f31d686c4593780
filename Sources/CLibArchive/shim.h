// libarchive as Swift sees it.
#ifndef SYMBOLICATE_CLIBARCHIVE_SHIM_H
#define SYMBOLICATE_CLIBARCHIVE_SHIM_H

#include <archive.h>
#include <archive_entry.h>

// Swift imports no macro with a cast in it.
static const mode_t clibarchive_regular_file = AE_IFREG;

// The error number for bytes that no enabled format recognises; declared in archive_platform.h, which
// is not installed, and documented as EILSEQ or EINVAL (archive_errno(3)).
#include <errno.h>
static const int clibarchive_unrecognized = EILSEQ;

#endif
