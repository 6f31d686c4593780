// The values that all parts share: address kinds (`LoadAddress`, `LinkAddress`), what identifies an
// image (`ImageIdentity`, `Architecture`), answers (`ResolvedAddress`) and what is reported about
// symbol files (`SymbolFileProblem`). No file is read here, and no text is made for people.
//
// Words for what goes wrong. Each has one meaning, in type names as well as in comments:
//
// - An error is thrown, and nothing is returned. Each layer has its own type (`ByteReadError`,
//   `ObjectFileError`, `GsymError`, `DwarfReadError`), and every value holds what was found:
//   offset, size, number, name.
// - A fault is damage that does not stop the reader. It is kept beside the result (`faults`) and
//   has the type of the layer's errors, or one of its own (`ParseFault`).
// - A problem is what a user is told about a symbol file. Each layer's errors and faults become
//   `SymbolFileProblem`s in one place, without losing a datum. What a problem means for the exit
//   status is its `severity`. The sentences are made in `ReportSymbolication`, and nowhere else.
// - A failure is the end of something that the user asked for and that gave no result, such as an
//   index that could not be written.
// - A refusal is a sound candidate that was not used on purpose, and why (`SymbolRefusal`,
//   `IndexRefusal`): the index of another build, a symbol in another section.
