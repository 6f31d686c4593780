import ObjectFiles
import Platform
import SymbolicationModel
import TestSupport
import Testing

@testable import AddressResolver

/// Programs whose debug information is in the object files from which they were linked. The referee
/// is `dsymutil-19`: the dSYM that it made of the same program gives the same answers, and
/// `llvm-symbolizer-19 --inlines` over that dSYM gives those for the addresses named here.
struct DebugMapReaderTests {
  private let directory: TemporaryDirectory

  init() throws { directory = try TemporaryDirectory() }

  static let variants = [
    ("arm64-dwarf4", "ledger"), ("arm64-dwarf5", "ledger"), ("x86_64-dwarf4", "ledger"),
    ("x86_64-dwarf5", "ledger"), ("swift", "Inlines"),
  ]

  private static func file(_ path: String) throws -> ObjectFile {
    try require(ObjectContainer.open(path: path).objectFiles.first)
  }

  private static func dsym(_ folder: String, _ name: String) throws -> ObjectFile {
    let bundle = folder == "swift" ? "Inlines/Inlines.dSYM" : "DebugMap/\(folder).dSYM"
    return try file(Fixtures.path("\(bundle)/Contents/Resources/DWARF/\(name)"))
  }

  /// The parts of an answer that are compared. Its origin is not: the dSYM has the addresses of the
  /// stubs but not the stubs.
  private func shown(_ resolver: ImageResolver, _ address: LinkAddress) -> [String] {
    resolver.resolve(address)?.frames.map { frame in
      let location = frame.location
      return
        "\(frame.name) \(frame.rawName) \(location?.path ?? "-"):\(location?.line ?? 0):\(location?.column ?? 0) from \(frame.rangeStart.value)"
    } ?? []
  }

  /// Every address of every code section, with and without preparation.
  @Test(arguments: variants, [DwarfReaderChoice.builtIn, .libdwarf])
  func everyAddress(variant: (String, String), reader: DwarfReaderChoice) throws {
    let (folder, name) = variant
    let program = try Self.file(Fixtures.path("DebugMap/\(folder)/\(name)"))
    // With the program: its function starts end symbols.
    let dsym = ImageResolver(
      try Self.dsym(folder, name), program: program, dwarfReader: reader)
    let alone = ImageResolver(program, dwarfReader: reader)
    let prepared = ImageResolver(program, dwarfReader: reader)
    let step = program.architecture == .arm64 ? 4 : 1
    let addresses = program.sections.filter { $0.holdsCode && !$0.isSymbolStubs }.flatMap {
      section in
      stride(
        from: section.addresses.lowerBound.value, to: section.addresses.upperBound.value, by: step
      ).map { LinkAddress($0) }
    }
    #expect(addresses.count > 80)
    prepared.prepare(for: addresses, jobs: 2)
    var differences: [String] = []
    var withLines = 0
    for address in addresses {
      let expected = shown(dsym, address)
      if dsym.resolve(address)?.function.location != nil { withLines += 1 }
      for resolver in [alone, prepared] where shown(resolver, address) != expected {
        differences.append(
          "\(String(address.value, radix: 16)): \(shown(resolver, address)) instead of \(expected)")
      }
    }
    expectEqual(differences.count, 0, "\(differences.prefix(5).joined(separator: "\n"))")
    #expect(withLines > addresses.count / 2)
    expectEmpty(alone.problems)
    expectEmpty(prepared.problems)
  }

  @Test(
    arguments: [
      (0x1_0000_04fc, ["weigh main.c:6"], "main.o"),
      (0x1_0000_0578, ["weigh early.c:4"], "libearly.a(early.o)"),
      (0x1_0000_0550, ["long rounded<long>(long) rounding.h:8"], "statement.o"),
      (0x1_0000_0630, ["early early.c:13"], "libearly.a(early.o)"),
      (
        0x1_0000_05b8,
        [
          "twice(long) rounding.h:13",
          "(anonymous namespace)::Year::sum(long) const interest-of-the-year.cpp:8",
        ], "libinterest.a(interest-of-the-year.o)"
      ),
    ] as [(UInt64, [String], String)])
  func someAnswers(address: UInt64, expected: [String], object: String) throws {
    let folder = Fixtures.path("DebugMap/arm64-dwarf5")
    let resolver = ImageResolver(try Self.file("\(folder)/ledger"))
    let answer = try require(resolver.resolve(LinkAddress(address)))
    expectEqual(
      answer.frames.map { "\($0.name) \($0.location.map { "\($0.fileName):\($0.line)" } ?? "-")" },
      expected)
    expectEqual(answer.origin, .dwarf)
    expectEqual(resolver.debugInformationPath(for: LinkAddress(address)), "\(folder)/\(object)")
  }

  // MARK: - Object files that cannot be used

  /// A copy of the fixture's folder.
  private func copyProgram(_ variant: String = "arm64-dwarf5") throws {
    for name in ["ledger", "main.o", "statement.o", "libearly.a", "libinterest.a"] {
      try directory.copy(Fixtures.path("DebugMap/\(variant)/\(name)"), to: name)
    }
  }

  private func resolver() throws -> ImageResolver {
    ImageResolver(try Self.file(directory.path("ledger")))
  }

  private func function(_ resolver: ImageResolver, _ address: UInt64) -> String? {
    resolver.resolve(LinkAddress(address)).map { answer in
      answer.function.name + (answer.function.location.map { " \($0.fileName):\($0.line)" } ?? "")
    }
  }

  /// One address in each of the four object files, in the order of the debug map.
  private static let addresses: [UInt64] = [
    0x1_0000_04fc, 0x1_0000_0530, 0x1_0000_0578, 0x1_0000_05c8,
  ]

  private func failures(
    _ resolver: ImageResolver
  ) -> (searches: [DebugFileSearch], count: Int) {
    for problem in resolver.problems {
      if case .unusableDebugMapObjects(let searches, let count) = problem.kind {
        return (searches, count)
      }
    }
    return ([], 0)
  }

  @Test func missingObjectFilesLeaveTheNames() throws {
    try directory.copy(Fixtures.path("DebugMap/arm64-dwarf5/ledger"), to: "ledger")
    let resolver = try resolver()
    expectEmpty(resolver.problems)
    expectEqual(
      Self.addresses.map { function(resolver, $0) },
      ["weigh", "statement", "weigh", "(anonymous namespace)::Year::sum(long) const"])
    // Asking again reports nothing twice.
    _ = function(resolver, Self.addresses[0])
    let (searches, count) = failures(resolver)
    expectEqual(resolver.problems.count, 1)
    expectEqual(count, 4)
    expectEqual(searches.map(\.name), ["main.o", "statement.o", "libearly.a(early.o)"])
    expectEqual(searches.map { $0.attempts.map(\.finding) }, [[.absent], [.absent], [.absent]])
    expectEqual(searches[2].attempts.map(\.path), [directory.path("libearly.a(early.o)")])
    expectEqual(resolver.debugInformationSearches.filter { $0.purpose == .debugMapObject }.count, 4)
    let prepared = try self.resolver()
    prepared.prepare(for: Self.addresses.map { LinkAddress($0) }, jobs: 2)
    expectEqual(prepared.problems, resolver.problems)
  }

  @Test func otherFilesStillAnswer() throws {
    try copyProgram()
    try directory.remove("main.o")
    let resolver = try resolver()
    expectEqual(
      Self.addresses.map { function(resolver, $0) },
      [
        "weigh", "statement statement.cpp:7", "weigh early.c:4",
        "(anonymous namespace)::Year::sum(long) const interest-of-the-year.cpp:8",
      ])
    expectEqual(failures(resolver).count, 1)
  }

  @Test func filesThatAreNotObjectFiles() throws {
    try copyProgram()
    for name in ["main.o", "libearly.a"] {
      try directory.remove(name)
      try directory.write("a secret".utf8, to: name)
    }
    try directory.remove("statement.o")
    try directory.copy(Fixtures.path("DebugMap/x86_64-dwarf5/statement.o"), to: "statement.o")
    try directory.remove("libinterest.a")
    try directory.copy(Fixtures.path("DebugMap/arm64-dwarf5/libearly.a"), to: "libinterest.a")
    let resolver = try resolver()
    for address in Self.addresses { _ = function(resolver, address) }
    let searches = resolver.debugInformationSearches.filter { $0.purpose == .debugMapObject }
    expectEqual(
      searches.map { $0.attempts.map(\.finding) },
      [
        [.notMachO], [.otherArchitecture(found: [.x86_64], expected: .arm64)], [.notMachO],
        [.missingMember("interest-of-the-year.o")],
      ])
  }

  /// Opening a pipe to which nobody writes would wait forever.
  @Test(.timeLimit(.minutes(60)), arguments: ["/dev/zero", "pipe"])
  func onlyRegularFilesAreOpened(place: String) throws {
    try copyProgram()
    try directory.remove("main.o")
    unsafe expectEqual(mkfifo(directory.path("pipe"), 0o600), 0)
    try directory.link("main.o", to: place)
    try directory.remove("libearly.a")
    try directory.makeDirectory("libearly.a")
    let resolver = try resolver()
    for address in Self.addresses { _ = function(resolver, address) }
    expectEqual(
      failures(resolver).searches.map { $0.attempts.map(\.finding) },
      [[.unreadable(.specialFile)], [.unreadable(.directory)]])
  }

  @Test func throughALinkToTheProgram() throws {
    try copyProgram()
    try directory.makeDirectory("links")
    try directory.link("links/ledger", to: directory.path("ledger"))
    let resolver = ImageResolver(try Self.file(directory.path("links/ledger")))
    expectEqual(function(resolver, Self.addresses[0]), "weigh main.c:6")
    expectEmpty(resolver.problems)
  }

  // MARK: - Times and absolute paths

  @Test func objectFilesAtAbsolutePaths() throws {
    try copyProgram()
    try directory.makeDirectory("objects")
    for name in ["main.o", "libearly.a"] { try directory.move(name, to: "objects/\(name)") }
    var program = DebugMapEditing(try directory.bytes(of: "ledger"))
    program.setObject("main.o", path: directory.path("objects/main.o"))
    program.setObject("libearly.a(early.o)", path: directory.path("objects/libearly.a(early.o)"))
    try directory.write(program.bytes, to: "ledger")
    let resolver = try resolver()
    expectEqual(function(resolver, Self.addresses[0]), "weigh main.c:6")
    expectEqual(function(resolver, Self.addresses[2]), "weigh early.c:4")
    expectEmpty(resolver.problems)
  }

  /// According to `llvm-dwarfdump-19` the functions of the object files have more than 8 bytes:
  /// none of them is the one that was linked, whatever the time.
  @Test func longerFunctionsAreOtherCode() throws {
    try copyProgram()
    var program = DebugMapEditing(try directory.bytes(of: "ledger"))
    program.setFunctionLengths(8)
    try directory.write(program.bytes, to: "ledger")
    let resolver = try resolver()
    // The function's own start is within the 8 bytes.
    expectEqual(function(resolver, 0x1_0000_04f0), "weigh")
    let (searches, _) = failures(resolver)
    guard case .otherLength("_weigh", let found, 8) = searches.first?.attempts.first?.finding
    else {
      Issue.record("\(searches)")
      return
    }
    #expect(found > 8)
  }

  @Test func timesOfFilesAndMembers() throws {
    try copyProgram()
    let time = 1_680_674_828
    var program = DebugMapEditing(try directory.bytes(of: "ledger"))
    for object in ["main.o", "statement.o", "libearly.a(early.o)"] {
      program.setObject(object, time: UInt64(time))
    }
    try directory.write(program.bytes, to: "ledger")
    try directory.setModificationTime(time, of: "main.o")
    try directory.setModificationTime(time + 60, of: "statement.o")
    let resolver = try resolver()
    expectEqual(
      Self.addresses.map { function(resolver, $0) },
      [
        "weigh main.c:6", "statement", "weigh",
        // 0 in the debug map fits any time of the file.
        "(anonymous namespace)::Year::sum(long) const interest-of-the-year.cpp:8",
      ])
    expectEqual(
      failures(resolver).searches.map { $0.attempts.map(\.finding) },
      [
        [.otherTime(found: 1_680_674_888, expected: 1_680_674_828)],
        [.otherTime(found: 0, expected: 1_680_674_828)],
      ])
    // The member's own time counts, not the archive's.
    var archive = try directory.bytes(of: "libearly.a")
    try directory.setModificationTime(time, of: "libearly.a")
    expectEqual(function(try self.resolver(), Self.addresses[2]), "weigh")
    archive.setMemberTimes(time)
    try directory.write(archive, to: "libearly.a")
    expectEqual(function(try self.resolver(), Self.addresses[2]), "weigh early.c:4")
  }

  // MARK: - Damage

  @Test func damagedObjectFiles() throws {
    try copyProgram()
    let sound = try directory.bytes(of: "main.o")
    var generator = SeededGenerator(seed: 9)
    for _ in 0..<200 {
      var bytes = sound
      for _ in 0..<6 {
        bytes[Int.random(in: bytes.indices, using: &generator)] =
          UInt8.random(in: .min ... .max, using: &generator)
      }
      try directory.write(bytes, to: "main.o")
      let resolver = try resolver()
      for address in stride(from: UInt64(0x1_0000_04b0), to: 0x1_0000_050c, by: 4) {
        let answer = try require(resolver.resolve(LinkAddress(address)))
        #expect(answer.function.rangeStart <= LinkAddress(address))
      }
      _ = resolver.problems
    }
  }
}
