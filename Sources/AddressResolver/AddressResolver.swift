// From an address in a crashed process to functions, files and lines.
//
// `FrameAddressKind` says which address to look up for a frame, `Slide` converts it from the
// process to the file, and `ImageResolver` answers from the file's index, DWARF and symbols:
// `SymbolSources/` holds a type for each, and the order in which they are asked. `Index/` makes
// indexes and reads them.
//
// Opened files come in, and `SymbolStore` finds the others that an image needs: nothing here makes
// up a path.
