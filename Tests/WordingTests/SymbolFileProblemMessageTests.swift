import SymbolicationModel
import TestSupport
import Testing
import Wording

/// 16 bytes of 1.
private let identity16: ImageIdentity = {
  guard let identity = ImageIdentity(bytes: Array(repeating: 1, count: 16)) else {
    preconditionFailure("not zeros")
  }
  return identity
}()

/// Each message names the file, what was found, and what was expected or what to do.
struct SymbolFileProblemMessageTests {
  @Test(
    arguments: [
      (.inaccessible(errno: 13), "cannot read FILE: Permission denied"),
      (
        .inaccessible(errno: 12, operation: .map), "cannot map FILE: Cannot allocate memory"
      ),
      (.empty, "FILE is empty; expected a Mach-O or ELF file"),
      (
        .hiddenNames(.absent(name: "UUID.bcsymbolmap")),
        "FILE hides its names (__hidden#…_), as builds with bitcode do; put BCSymbolMaps/UUID.bcsymbolmap of the archive beside the dSYM"
      ),
      (
        .hiddenNames(.unusable(path: "MAP", .inaccessible(errno: 13))),
        "FILE hides its names (__hidden#…_), and MAP cannot replace them: Permission denied; give the file of the archive"
      ),
      (
        .hiddenNames(.unusable(path: "MAP", .noHeader(firstBytes: [0x3c, 0x68]))),
        "FILE hides its names (__hidden#…_), and MAP cannot replace them: it begins with 3c 68 and not with 'BCSymbolMap Version: 2.0'; give the file of the archive"
      ),
      (
        .hiddenNames(.unusable(path: "MAP", .unsupportedVersion("3.0"))),
        "FILE hides its names (__hidden#…_), and MAP cannot replace them: it has version '3.0', but only 1.0 and 2.0 are supported; give the file of the archive"
      ),
      (
        .hiddenNames(.unusable(path: "MAP", .tooLarge(byteCount: 300, limit: 200))),
        "FILE hides its names (__hidden#…_), and MAP cannot replace them: it has 300 bytes, but at most 200 are read; give the file of the archive"
      ),
      (
        .hiddenNames(.missingName(path: "MAP", number: 7, count: 5)),
        "FILE hides its names (__hidden#…_), and MAP does not belong to it: it has 5 names, but name 7 is needed; give the file of the same archive"
      ),
      (
        .unusablePropertyList(.inaccessible(errno: 13)),
        "cannot read FILE: Permission denied; paths of source files are shown without its mappings"
      ),
      (
        .unusablePropertyList(.damaged(offset: 12)),
        "FILE is damaged: it is not a property list from byte 12 on; paths of source files are shown without its mappings"
      ),
      (
        .notASymbolFile(firstBytes: [0x7b, 0x0a, 0, 1, 2, 3, 4, 5, 6, 7]),
        "FILE is a binary file of an unknown format, which begins with 7b 0a 00 01, not a symbol file; give a dSYM, a DWARF file, an executable or an ELF file"
      ),
      (
        .truncated(structure: "load commands", offset: 32, wanted: 500, available: 100),
        "FILE is cut short or damaged: load commands at offset 32 should have 500 bytes, but the file has only 100; copy it again"
      ),
      (
        .malformed(structure: "number of slices", value: 255),
        "FILE is damaged: its number of slices cannot be 255 (0xff); copy it again"
      ),
      (
        .malformed(structure: "number of slices", value: 255, expected: .below(43)),
        "FILE is damaged: its number of slices cannot be 255 (0xff), only less than 43; copy it again"
      ),
      (
        .malformed(structure: "entry size", value: 8, expected: .exactly(64)),
        "FILE is damaged: its entry size cannot be 8 (0x8), only 64; copy it again"
      ),
      (
        .malformed(structure: "number of slices", value: 0, expected: .atLeast(1)),
        "FILE is damaged: its number of slices cannot be 0 (0x0), only 1 or more; copy it again"
      ),
      (
        .malformed(structure: "size", value: 16, expected: .atMost(15)),
        "FILE is damaged: its size cannot be 16 (0x10), only up to 15; copy it again"
      ),
      (
        .damaged(structure: "export trie", offset: 99),
        "FILE is damaged: its export trie cannot be decoded from byte 99 on; copy it again"
      ),
      (
        .namesOutsideStringTable(structure: "symbol table", count: 3, first: 7),
        "FILE is damaged: 3 names in its symbol table are outside the string table, first that of entry 7; copy it again"
      ),
      (
        .overlappingSlice(index: 1),
        "FILE is damaged: its slice 1 shares bytes with an earlier one; copy it again"
      ),
      (
        .noUsableSlice([
          SymbolFileProblem(path: "FILE", architecture: .arm64, kind: .empty),
          SymbolFileProblem(
            path: "FILE", architecture: .x86_64, kind: .overlappingSlice(index: 1)),
        ]),
        "FILE has no usable slice: FILE (arm64) is empty; expected a Mach-O or ELF file; FILE (x86_64) is damaged: its slice 1 shares bytes with an earlier one; copy it again"
      ),
      (.noUsableSlice([]), "FILE has no usable slice: there is none"),
      (
        .refusedByLibelf(code: 11),
        "FILE is damaged: libelf cannot read it (its error 11); copy it again"
      ),
      (
        .unsupported(structure: "EI_CLASS", value: 9),
        "FILE is not supported: its EI_CLASS is 0x9"
      ),
      (
        .unsupported(structure: "compression of .zdebug_info", value: nil),
        "FILE is not supported: its compression of .zdebug_info is not stated"
      ),
      (
        .damagedCompression(section: ".debug_info", .truncated),
        "FILE is damaged: its section .debug_info cannot be decompressed: it is cut short; copy it again"
      ),
      (
        .mislabelledSlice(stated: .arm64, found: .arm64e),
        "FILE: the header of the fat file calls a slice arm64, but it is arm64e and is used as that"
      ),
      (
        .needsRelocation(structure: "symbol table"),
        "FILE is not linked yet, so symbol table means nothing in it; give the linked file or its dSYM"
      ),
      (
        .missingSegment(name: "__TEXT_EXEC"),
        "FILE has no segment __TEXT_EXEC, so a load address cannot be used with it"
      ),
      (.missingSegment(name: nil), "FILE has no segment, so a load address cannot be used with it"),
      (
        .missingArchitecture(wanted: .arm64, found: [.arm64e, .x86_64]),
        "FILE has no arm64 slice; it has arm64e, x86_64"
      ),
      (
        .emptyBundle,
        "FILE has no DWARF file in Contents/Resources/DWARF; export the dSYM again"
      ),
      (.directory, "FILE is a directory; give a dSYM or the file in it"),
      (
        .otherImage(found: ImageIdentity(bytes: [0xab]), expected: identity16),
        "FILE is not used: it lies where the symbols of 01010101-0101-0101-0101-010101010101 should be, but it is ab"
      ),
      (
        .otherImage(found: nil, expected: identity16),
        "FILE is not used: it lies where the symbols of 01010101-0101-0101-0101-010101010101 should be, but it has no UUID or build-id"
      ),
      (
        .ambiguousIdentity(identity16, otherPath: "OTHER"),
        "FILE and OTHER both are 01010101-0101-0101-0101-010101010101, but their debug information differs; the first is used"
      ),
      (.specialFile, "FILE is a pipe, a device or a socket; expected a file"),
      (
        .unusableDebugFile(
          DebugFileSearch(
            purpose: .splitUnits, name: "a.dwo",
            attempts: [
              .init(path: "/b/a.dwo", finding: .absent),
              .init(path: "/c/a.dwo", finding: .missingSection(".debug_info.dwo")),
            ])),
        "FILE: cannot use a.dwo, which has its split debug information, so inlined calls are missing; looked at /b/a.dwo (not there), /c/a.dwo (has no .debug_info.dwo); put it beside FILE"
      ),
      (
        .unusableDebugFile(
          DebugFileSearch(
            purpose: .sharedInformation, name: "/d/s.debug",
            attempts: [
              .init(
                path: "/d/s.debug",
                finding: .otherIdentity(found: nil, expected: ImageIdentity(bytes: [1, 2]))),
              .init(path: "/e/s.debug", finding: .notElf),
              .init(path: "/f/s.debug", finding: .unreadable(.inaccessible(errno: 13))),
            ])),
        "FILE: cannot use /d/s.debug, which has debug information that it shares with other files, so functions and inlined calls may have no name; looked at /d/s.debug (of another build: no identity instead of 0102), /e/s.debug (no ELF file), /f/s.debug (Permission denied); install the package that has it, or put it beside FILE"
      ),
      (
        .unusableDebugFile(
          DebugFileSearch(
            purpose: .debugInformation, name: "App.dSYM",
            attempts: [
              .init(
                path: "/b/App.dSYM/Contents/Resources/DWARF/App",
                finding: .otherIdentity(
                  found: ImageIdentity(bytes: [1, 2]), expected: ImageIdentity(bytes: [3, 4])))
            ])),
        "FILE: cannot use App.dSYM, which has its debug information, so lines and inlined calls are missing; looked at /b/App.dSYM/Contents/Resources/DWARF/App (of another build: 0102 instead of 0304); give the file of that build, or put it beside FILE"
      ),
      (
        .unusableDebugFile(
          DebugFileSearch(
            purpose: .debugInformation, name: "x.debug",
            attempts: [
              .init(
                path: "/b/x.debug", finding: .otherChecksum(found: 0x2a, expected: 0x1234_abcd)),
              .init(
                path: "/c/x.debug",
                finding: .otherArchitecture(found: [.x86_64, .arm64e], expected: .arm64)),
            ])),
        "FILE: cannot use x.debug, which has its debug information, so lines and inlined calls are missing; looked at /b/x.debug (of another build: checksum 0x2a instead of 0x1234abcd), /c/x.debug (of x86_64 and arm64e and not arm64); give the file of that build, or put it beside FILE"
      ),
      (
        .unusableDebugMapObjects(
          [
            DebugFileSearch(
              purpose: .debugMapObject, name: "/b/a.o",
              attempts: [
                .init(
                  path: "/b/a.o",
                  finding: .otherTime(found: 1_680_674_888, expected: 1_680_674_828))
              ])
          ], count: 1),
        // `date -u -d @1680674888`
        "FILE: cannot use an object file with its debug information, so functions from there have no lines; looked at /b/a.o (changed since it was linked: of 2023-04-05 06:08:08 UTC instead of 2023-04-05 06:07:08 UTC); build it again, or give its dSYM"
      ),
      (
        .unusableDebugMapObjects(
          [
            DebugFileSearch(
              purpose: .debugMapObject, name: "/b/l.a(a.o)",
              attempts: [.init(path: "/b/l.a(a.o)", finding: .missingMember("a.o"))]),
            DebugFileSearch(
              purpose: .debugMapObject, name: "/b/c.o",
              attempts: [.init(path: "/b/c.o", finding: .notMachO)]),
          ], count: 12),
        "FILE: cannot use 12 object files with its debug information, so functions from there have no lines; looked at /b/l.a(a.o) (no member a.o), /b/c.o (no Mach-O file), and 10 more; build it again, or give its dSYM"
      ),
      (.noSymbolFiles, "no Mach-O or ELF file was found in FILE or below it"),
      (
        .noSymbols,
        "FILE has neither debug information nor symbols; give the dSYM or the debug file of that build"
      ),
      (
        .unreadableDebugInformation(section: ".debug_info", offset: 256, detail: "DWARF version 9"),
        "FILE: skipped debug information that cannot be read, in .debug_info at 0x100: DWARF version 9"
      ),
      (
        .unreadableDebugInformation(section: ".debug_line", offset: 0, detail: ""),
        "FILE: skipped debug information that cannot be read, in .debug_line at 0x0"
      ),
      (
        .notIndexed,
        "FILE gets no index, because indexes are made from dSYMs, Mach-O and ELF files; give it with -d as it is"
      ),
      (
        .partOfSharedCache,
        "FILE is a part of a dyld shared cache and lists no libraries; give the main file, without the suffix, with this one beside it"
      ),
      (
        .archivedSystem,
        "FILE: the libraries of a system are not read in an archive; unpack it, and give the main file of the dyld shared cache with the others beside it, or the folder"
      ),
      (
        .severalLibraries(count: 3),
        "FILE is a dyld shared cache with 3 libraries, and the addresses are relative to one; give the index of that library, which 'symbolicate index --system' makes, or addresses in the cache, with its slide (-s)"
      ),
      (
        .unsupportedIndexVersion(3),
        "FILE is a GSYM index of version 3, but only versions 1 and 2 are supported; build it again with 'symbolicate index' or llvm-gsymutil, or give the dSYM or ELF file"
      ),
      (
        .assumedLinkBase(LinkAddress(0x1_0000_0000)),
        "FILE does not say where its image starts, so 0x100000000 is assumed; if the answers are wrong, give the dSYM or ELF file, or an index from 'symbolicate index'"
      ),
    ] as [(SymbolFileProblem.Kind, String)])
  func message(kind: SymbolFileProblem.Kind, text: String) {
    expectEqual(SymbolFileProblem(path: "FILE", kind: kind).message, text)
  }
  /// Nobody has a copy of what was learnt from reports.
  @Test func damagedLearntNames() {
    let kind = SymbolFileProblem.Kind.damaged(structure: "checksum of the learnt names", offset: 56)
    expectEqual(
      SymbolFileProblem(path: "1.learnt", kind: kind).message,
      "1.learnt is damaged: its checksum of the learnt names cannot be decoded from byte 56 on; run 'symbolicate index --learn' again"
    )
  }

  @Test func namesTheSliceThatIsConcerned() {
    let problem = SymbolFileProblem(path: "FILE", architecture: .arm64, kind: .empty)
    expectEqual(problem.message, "FILE (arm64) is empty; expected a Mach-O or ELF file")
  }

  @Test(
    arguments: [
      (
        .implausible(promised: 9, compressed: 2, atMost: 8),
        "its 2 bytes state that they hold 9, and at most 8 are plausible"
      ),
      (
        .outputTooShort(promised: 9, actual: 8), "it holds 8 bytes instead of the 9 that it states"
      ),
      (.outputTooLong(promised: 9), "it holds more than the 9 bytes that it states"),
      (.trailingBytes(count: 3), "3 bytes follow its end"),
      (.damaged(method: .zstd, code: 22), "zstd reports error 22"),
      (.outOfMemory(size: 9), "there is no memory for 9 bytes"),
    ] as [(DecompressionError, String)])
  func saysWhyASectionCannotBeInflated(error: DecompressionError, reason: String) {
    let problem = SymbolFileProblem(
      path: "FILE", kind: .damagedCompression(section: ".debug_line", error))
    expectEqual(
      problem.message,
      "FILE is damaged: its section .debug_line cannot be decompressed: \(reason); copy it again")
  }
}
