import ObjectFiles
import SymbolicationModel
import Synchronization
import TestSupport
import Testing

@testable import SymbolStore

/// What a store answers and remembers, wherever the file lies.
@Suite struct LocateTests {
  private let directory: TemporaryDirectory

  init() throws { directory = try TemporaryDirectory() }

  private func program() throws -> AskingFile {
    try directory.write(TinyElf.bytes(buildId: [0xab, 0xcd]), to: "program")
    return AskingFile(try ObjectFile.openElf(statedPath: directory.path("program")))
  }

  private func unit(_ name: String, of program: AskingFile) -> SymbolFileRequest {
    SymbolFileRequest(.splitUnit(name: name, compilationDirectory: nil), for: program)
  }

  @Test func candidatesAreRefusedInOrderWithTheReason() throws {
    try directory.write(Array("text".utf8), to: "unit.dwo")
    try directory.makeDirectory("out/unit.dwo")
    let answer = SymbolStore().locate(unit("out/unit.dwo", of: try program()))
    expectNil(answer.file)
    expectEqual(
      answer.refused,
      [
        .init(path: directory.path("out/unit.dwo"), finding: .unreadable(.directory)),
        .init(path: directory.path("unit.dwo"), finding: .notElf),
      ])
  }

  @Test func aPathThatTwoPlacesNameIsLookedAtOnce() throws {
    // The stated path is the one beside the program.
    let answer = SymbolStore().locate(unit("unit.dwo", of: try program()))
    expectEqual(answer.refused, [.init(path: directory.path("unit.dwo"), finding: .absent)])
  }

  @Test func anAnswerIsRememberedAndSoIsAFailure() throws {
    let store = SymbolStore()
    let request = unit("unit.dwo", of: try program())
    expectNil(store.locate(request).file)
    try directory.copy(Fixtures.path("SplitDwarf/gcc-dwarf5/tally.dwo"), to: "unit.dwo")
    expectNil(store.locate(request).file)
    expectEqual(SymbolStore().locate(request).file?.path, directory.path("unit.dwo"))
  }

  @Test func severalThreadsGetOneAnswer() throws {
    try directory.copy(Fixtures.path("SplitDwarf/gcc-dwarf5/tally.dwo"), to: "unit.dwo")
    let store = SymbolStore()
    let request = unit("unit.dwo", of: try program())
    let found = Mutex<[String?]>([])
    ParallelWork.perform(count: 64, jobs: 4) { _ in
      let path = store.locate(request).file?.path
      found.withLock { $0.append(path) }
    }
    expectEqual(
      found.withLock { $0 }, Array(repeating: directory.path("unit.dwo"), count: 64))
  }

  @Test func filesOfAnotherBuildAreRefusedCandidatesOfAnImage() throws {
    let identity = try require(ImageIdentity(bytes: Array(repeating: 7, count: 16)))
    let answer = SymbolStore(paths: [Fixtures.storyBundle]).locate(
      .image(
        ImageDescription(identity: identity, architecture: nil, names: ["Letter Shuffle"])))
    expectEmpty(answer.files)
    expectEqual(answer.refused.map(\.path), [Fixtures.storyDwarfFile])
    guard case .otherIdentity(_, let expected)? = answer.refused.first?.finding else {
      Issue.record("no other identity")
      return
    }
    expectEqual(expected, identity)
  }

  @Test func imagesOfReportsAreNotSearchedBesidePrograms() throws {
    let identity = ImageIdentity(bytes: [0xab, 0xcd])
    let answer = SymbolStore().locate(
      .image(ImageDescription(identity: identity, architecture: nil, names: ["program"])))
    expectEmpty(answer.files)
    expectEmpty(answer.refused)
  }
}
