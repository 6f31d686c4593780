import ReportSymbolication
import SymbolicationModel
import Testing

/// Each message names the file, what was found, and what was expected or what to do.
struct SymbolFileProblemMessageTests {
  @Test(
    arguments: [
      (.inaccessible(errno: 13), "cannot read FILE: Permission denied"),
      (.empty, "FILE is empty; expected a Mach-O or ELF file"),
      (
        .notASymbolFile(firstBytes: [0x7b, 0x0a, 0, 1, 2, 3, 4, 5, 6, 7]),
        "FILE is neither Mach-O nor ELF: it begins with 7b 0a 00 01 02 03 04 05; give a dSYM, a DWARF file, an executable or an ELF file"
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
        .unsupported(structure: "EI_CLASS", value: 9),
        "FILE is not supported: its EI_CLASS is 0x9"
      ),
      (
        .damagedCompression(section: ".debug_info"),
        "FILE is damaged: its section .debug_info cannot be decompressed; copy it again"
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
      (.specialFile, "FILE is a pipe, a device or a socket; expected a file"),
      (
        .unusableSupplementaryFile(
          SupplementaryFileSearch(
            purpose: .splitUnits, name: "a.dwo",
            attempts: [
              .init(path: "/b/a.dwo", finding: .absent),
              .init(path: "/c/a.dwo", finding: .missingSection(".debug_info.dwo")),
            ])),
        "FILE: cannot use a.dwo, which has its split debug information, so inlined calls are missing; looked at /b/a.dwo (not there), /c/a.dwo (has no .debug_info.dwo); put it beside FILE"
      ),
      (
        .unusableSupplementaryFile(
          SupplementaryFileSearch(
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
        .unusableSupplementaryFile(
          SupplementaryFileSearch(
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
        .unusableSupplementaryFile(
          SupplementaryFileSearch(
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
            SupplementaryFileSearch(
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
            SupplementaryFileSearch(
              purpose: .debugMapObject, name: "/b/l.a(a.o)",
              attempts: [.init(path: "/b/l.a(a.o)", finding: .missingMember("a.o"))]),
            SupplementaryFileSearch(
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
        .unsupportedIndexVersion(2),
        "FILE is a GSYM index of version 2, but only version 1 is supported; build it again with 'symbolicate index' or llvm-gsymutil, or give the dSYM or ELF file"
      ),
      (
        .assumedLinkBase(LinkAddress(0x1_0000_0000)),
        "FILE does not say where its image starts, so 0x100000000 is assumed; if the answers are wrong, give the dSYM or ELF file, or an index from 'symbolicate index'"
      ),
    ] as [(SymbolFileProblem.Kind, String)])
  func message(kind: SymbolFileProblem.Kind, text: String) {
    #expect(SymbolFileProblem(path: "FILE", kind: kind).message == text)
  }
}
