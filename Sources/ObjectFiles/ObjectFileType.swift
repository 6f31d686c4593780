/// The purpose of an object file, as its header states it.
package enum ObjectFileType: Hashable, Sendable {
  /// Mach-O `MH_EXECUTE`; ELF `ET_EXEC`.
  case executable
  /// Mach-O `MH_DYLIB`; ELF `ET_DYN`, which position-independent executables have too.
  case dynamicLibrary
  /// Mach-O `MH_BUNDLE`.
  case bundle
  /// Mach-O `MH_OBJECT`; ELF `ET_REL`.
  case relocatable
  /// Mach-O `MH_DSYM`, and Breakpad's symbol files. ELF debug files keep the type of the file they
  /// belong to.
  case debugSymbols
  /// Mach-O `MH_DYLINKER`.
  case dynamicLinker
  /// Mach-O `MH_KEXT_BUNDLE`.
  case kernelExtension
  /// GSYM.
  case index
  /// Mach-O `MH_CORE`; ELF `ET_CORE`.
  case core
  /// Any other type: the number in the header.
  case other(UInt32)
}
