// Mach-O, ELF, GSYM and Breakpad files: the architectures in a file, the build that each belongs to
// (`ImageIdentity`), where its code lies, its symbols, and its DWARF sections under one set of
// names.
//
// Start at `ObjectContainer`: it opens a file and holds its slices, each an `ObjectFile`. Opening
// reads headers and load commands, and the notes of an ELF file, which hold its build-id. Symbol
// tables and debug sections are read when they are asked for, and the caller keeps them.
//
// Any byte of a file may be wrong. Damage that makes a slice unusable is thrown; damage that leaves
// the rest usable is a fault, kept beside the result. Both are `ObjectFileError`s.
