// Mach-O and ELF files: which architectures a file holds, which build each is (`ImageIdentity`),
// where its code lies, its symbols, and its DWARF sections under one set of names.
//
// `ObjectContainer` opens a file and holds its slices, each an `ObjectFile`. Opening reads headers
// and load commands, and of an ELF file the notes, which hold its build-id. Symbol tables and debug
// sections are read when they are asked for; whoever asks keeps them.
//
// Every byte of a file may lie. What makes a slice unusable is thrown; what leaves the rest usable is
// a fault, kept beside the result. Both are `ObjectFileError`s.
