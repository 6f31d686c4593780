#include "CBuildStamp.h"

/* Package.swift defines it from the environment. */
#ifndef SYMBOLICATE_BUILD_STAMP
#define SYMBOLICATE_BUILD_STAMP ""
#endif

const char *symbolicate_build_stamp(void) { return SYMBOLICATE_BUILD_STAMP; }
