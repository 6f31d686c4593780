// The C library of the system, for all other modules: they import `Platform` and call POSIX through
// it. What only Linux has, or what other systems spell differently, is wrapped in this module;
// docs/design.md lists what a build for another system still needs.

#if canImport(Glibc)
  @_exported @unsafe @preconcurrency public import Glibc
#elseif canImport(Musl)
  @_exported @unsafe @preconcurrency public import Musl
#elseif canImport(Darwin)
  @_exported @unsafe @preconcurrency public import Darwin
#else
  #error("Platform needs a C library with POSIX")
#endif
