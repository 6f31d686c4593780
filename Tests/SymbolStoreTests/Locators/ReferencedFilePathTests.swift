import BinaryInput
import SymbolicationModel
import TestSupport
import Testing

@testable import ObjectFiles
@testable import SymbolStore

/// Where supplementary files, packages and split units are looked for: the sentences of gdb's
/// manual on separate debug files, Debian's `dh_dwz` (`/usr/lib/debug/.dwz/TRIPLET/PACKAGE.debug`),
/// Fedora's relative names, and the defaults of dwp and llvm-dwp.
@Suite struct ReferencedFilePathTests {
  private func file(_ path: String, realPath: String? = nil) throws -> AskingFile {
    try AskingFile.elf(at: path, realPath: realPath)
  }

  private func supplementary(_ name: String, buildId: [UInt8] = [], of file: AskingFile) -> [String]
  {
    SymbolStore.paths(
      for: SymbolFileRequest(
        .supplementaryFile(SupplementaryLink(form: .gnu, path: name, identifier: buildId)),
        for: file))
  }

  private func packages(of file: AskingFile) -> [String] {
    SymbolStore.paths(for: SymbolFileRequest(.splitPackage, for: file))
  }

  private func splitUnit(_ name: String, in directory: String?, of file: AskingFile) -> [String] {
    SymbolStore.paths(
      for: SymbolFileRequest(
        .splitUnit(name: name, compilationDirectory: directory), for: file))
  }

  @Test func supplementaryFileOfDebian() throws {
    let name = "/usr/lib/debug/.dwz/x86_64-linux-gnu/coreutils.debug"
    try expectEqual(
      supplementary(
        name, buildId: [0x0a, 0xbc, 0xde], of: file("/usr/lib/debug/.build-id/ab/cd.debug")),
      [
        name, "/usr/lib/debug/.build-id/0a/bcde.debug",
        "/usr/lib/debug/.build-id/ab/coreutils.debug",
      ])
  }

  @Test func supplementaryFileOfAnUnpackedPackage() throws {
    try expectEqual(
      supplementary(
        "/usr/lib/debug/.dwz/x86_64-linux-gnu/coreutils.debug",
        of: file("/home/u/root/usr/lib/debug/.build-id/ab/cd.debug")),
      [
        "/home/u/root/usr/lib/debug/.dwz/x86_64-linux-gnu/coreutils.debug",
        "/usr/lib/debug/.dwz/x86_64-linux-gnu/coreutils.debug",
        "/home/u/root/usr/lib/debug/.build-id/ab/coreutils.debug",
      ])
  }

  @Test func supplementaryFileOfFedora() throws {
    try expectEqual(
      supplementary(
        "../../.dwz/coreutils-9.1-1.fc37.x86_64", of: file("/usr/lib/debug/usr/bin/ls.debug")),
      [
        "/usr/lib/debug/usr/bin/../../.dwz/coreutils-9.1-1.fc37.x86_64",
        "/usr/lib/debug/.dwz/coreutils-9.1-1.fc37.x86_64",
        "/usr/lib/debug/usr/bin/coreutils-9.1-1.fc37.x86_64",
      ])
  }

  @Test func supplementaryFileElsewhere() throws {
    try expectEqual(
      supplementary(
        "/opt/shared.debug", buildId: [1], of: file("/srv/a/program", realPath: "/srv/b/program-1")),
      [
        "/opt/shared.debug", "/usr/lib/debug/opt/shared.debug", "/srv/a/shared.debug",
        "/srv/b/shared.debug",
      ])
    try expectEqual(supplementary("s", of: file("program")), ["./s"])
    try expectEqual(supplementary("s", of: file("/program")), ["/s"])
    try expectEqual(supplementary("", buildId: [1, 2], of: file("/program")), [])
  }

  @Test func packages() throws {
    try expectEqual(packages(of: file("/bin/ls")), ["/bin/ls.dwp"])
    try expectEqual(
      packages(of: file("ls", realPath: "/usr/bin/ls")), ["ls.dwp", "/usr/bin/ls.dwp"])
    try expectEqual(packages(of: file("/d/ls.debug")), ["/d/ls.debug.dwp", "/d/ls.dwp"])
  }

  @Test func splitUnits() throws {
    let program = try file("/srv/program", realPath: "/srv/real/program")
    expectEqual(
      splitUnit("out/a.dwo", in: "/build", of: program),
      [
        "/build/out/a.dwo", "/srv/out/a.dwo", "/srv/real/out/a.dwo", "/srv/a.dwo",
        "/srv/real/a.dwo",
      ])
    expectEqual(
      splitUnit("/build/a.dwo", in: "/elsewhere", of: program),
      ["/build/a.dwo", "/srv/a.dwo", "/srv/real/a.dwo"])
    // Not relative to where this program runs.
    try expectEqual(
      splitUnit("a.dwo", in: "obj", of: file("/srv/program")), ["/srv/obj/a.dwo", "/srv/a.dwo"])
    try expectEqual(splitUnit("a.dwo", in: nil, of: file("program")), ["./a.dwo"])
    expectEqual(splitUnit("", in: "/build", of: program), [])
    expectEqual(splitUnit("/", in: nil, of: program), ["/"])
  }
}
