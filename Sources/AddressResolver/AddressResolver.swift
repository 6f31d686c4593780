// From an address in a crashed process to functions, files and lines.
//
// `FrameAddressKind` says which address to look up for a frame, `Slide` takes it from the process into
// the file, and `ImageResolver` answers from the file's index, DWARF and symbol table. `Index/` makes
// indexes, keeps them in directories, and says what they are certain of.
