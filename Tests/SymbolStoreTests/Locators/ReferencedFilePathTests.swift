import Testing

@testable import AddressResolver

/// Where files are looked for: the sentences of gdb's manual on separate debug files, Debian's
/// `dh_dwz` (`/usr/lib/debug/.dwz/TRIPLET/PACKAGE.debug`), Fedora's relative names, and the defaults
/// of dwp and llvm-dwp.
@Suite struct SupplementaryFilePlacesTests {
  private func places(
    _ symbolFile: String, realPath: String? = nil
  ) -> SupplementaryFilePlaces {
    SupplementaryFilePlaces(
      symbolFile: symbolFile, realPath: realPath, debugDirectories: ["/usr/lib/debug"])
  }

  @Test func sharedInformationOfDebian() {
    let name = "/usr/lib/debug/.dwz/x86_64-linux-gnu/coreutils.debug"
    #expect(
      places("/usr/lib/debug/.build-id/ab/cd.debug").sharedInformation(
        name: name, buildId: [0x0a, 0xbc, 0xde])
        == [
          name, "/usr/lib/debug/.build-id/0a/bcde.debug",
          "/usr/lib/debug/.build-id/ab/coreutils.debug",
        ])
  }

  @Test func sharedInformationOfAnUnpackedPackage() {
    #expect(
      places("/home/u/root/usr/lib/debug/.build-id/ab/cd.debug").sharedInformation(
        name: "/usr/lib/debug/.dwz/x86_64-linux-gnu/coreutils.debug", buildId: [])
        == [
          "/home/u/root/usr/lib/debug/.dwz/x86_64-linux-gnu/coreutils.debug",
          "/usr/lib/debug/.dwz/x86_64-linux-gnu/coreutils.debug",
          "/home/u/root/usr/lib/debug/.build-id/ab/coreutils.debug",
        ])
  }

  @Test func sharedInformationOfFedora() {
    #expect(
      places("/usr/lib/debug/usr/bin/ls.debug").sharedInformation(
        name: "../../.dwz/coreutils-9.1-1.fc37.x86_64", buildId: [])
        == [
          "/usr/lib/debug/usr/bin/../../.dwz/coreutils-9.1-1.fc37.x86_64",
          "/usr/lib/debug/.dwz/coreutils-9.1-1.fc37.x86_64",
          "/usr/lib/debug/usr/bin/coreutils-9.1-1.fc37.x86_64",
        ])
  }

  @Test func sharedInformationElsewhere() {
    #expect(
      places("/srv/a/program", realPath: "/srv/b/program-1").sharedInformation(
        name: "/opt/shared.debug", buildId: [1])
        == [
          "/opt/shared.debug", "/usr/lib/debug/opt/shared.debug", "/srv/a/shared.debug",
          "/srv/b/shared.debug",
        ])
    #expect(places("program").sharedInformation(name: "s", buildId: []) == ["./s"])
    #expect(places("/program").sharedInformation(name: "s", buildId: []) == ["/s"])
    #expect(places("/program").sharedInformation(name: "", buildId: [1, 2]) == [])
  }

  @Test func packages() {
    #expect(places("/bin/ls").packages == ["/bin/ls.dwp"])
    #expect(
      places("ls", realPath: "/usr/bin/ls").packages == ["ls.dwp", "/usr/bin/ls.dwp"])
    #expect(places("/d/ls.debug").packages == ["/d/ls.debug.dwp", "/d/ls.dwp"])
  }

  @Test func splitUnits() {
    let program = places("/srv/program", realPath: "/srv/real/program")
    #expect(
      program.splitUnit(name: "out/a.dwo", compilationDirectory: "/build")
        == [
          "/build/out/a.dwo", "/srv/out/a.dwo", "/srv/real/out/a.dwo", "/srv/a.dwo",
          "/srv/real/a.dwo",
        ])
    #expect(
      program.splitUnit(name: "/build/a.dwo", compilationDirectory: "/elsewhere")
        == ["/build/a.dwo", "/srv/a.dwo", "/srv/real/a.dwo"])
    // Not relative to where this program runs.
    #expect(
      places("/srv/program").splitUnit(name: "a.dwo", compilationDirectory: "obj")
        == ["/srv/obj/a.dwo", "/srv/a.dwo"])
    #expect(
      places("program").splitUnit(name: "a.dwo", compilationDirectory: nil) == ["./a.dwo"])
    #expect(program.splitUnit(name: "", compilationDirectory: "/build") == [])
    #expect(program.splitUnit(name: "/", compilationDirectory: nil) == ["/"])
  }
}
