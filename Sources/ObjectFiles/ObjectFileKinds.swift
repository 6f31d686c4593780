/// The container format of one object file.
package enum ObjectFormat: Hashable, Sendable {
  case machO
  case elf
  /// The index of an image, which stands for its debug information and its symbols. See `GsymOutline`.
  case gsym
}

/// What an object file is for.
package enum ObjectFileType: Hashable, Sendable {
  /// Mach-O `MH_EXECUTE`; ELF `ET_EXEC`.
  case executable
  /// Mach-O `MH_DYLIB`; ELF `ET_DYN`, which position-independent executables are as well.
  case dynamicLibrary
  /// Mach-O `MH_BUNDLE`.
  case bundle
  /// Mach-O `MH_OBJECT`; ELF `ET_REL`.
  case relocatable
  /// Mach-O `MH_DSYM`. ELF debug files keep the type of what they belong to.
  case debugSymbols
  /// Mach-O `MH_DYLINKER`.
  case dynamicLinker
  /// Mach-O `MH_KEXT_BUNDLE`.
  case kernelExtension
  /// GSYM.
  case index
  /// Mach-O `MH_CORE`; ELF `ET_CORE`.
  case core
  /// The number in the header.
  case other(UInt32)
}
