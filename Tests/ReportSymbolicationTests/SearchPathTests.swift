import Foundation
import ReportSymbolication
import TestSupport
import Testing

/// The environment variables that list directories, and what is wrong with directories.
@Suite struct SearchPathTests {
  @Test func entriesAndTheirOrder() {
    func directories(_ own: String?, _ swift: String?) -> [String] {
      SearchPath.directories { $0 == "SYMBOLICATE_SYMBOL_PATH" ? own : swift }
    }
    expectEmpty(directories(nil, nil))
    expectEqual(directories("/a::/b;c:", "/d;/a;;/e:f"), ["/a", "/b;c", "/d", "/e:f"])
    expectEmpty(directories("", ";"))
  }

  @Test func problemsWithDirectories() throws {
    let directory = try TemporaryDirectory()
    let file = try directory.write([], to: "file")
    let missing = directory.path("missing")
    expectEqual(
      SearchPath.problems(with: [directory.path, missing, file, missing]).map(\.message),
      [
        "cannot search \(missing): there is no such directory",
        "cannot search \(file): it is not a directory; give symbol files with -d",
      ])
  }

  /// A folder that cannot be read is one problem, not one for each path that might be in it.
  @Test func foldersThatAreRefused() throws {
    let directory = try TemporaryDirectory()
    let loop = directory.path("loop")
    try FileManager.default.createSymbolicLink(atPath: loop, withDestinationPath: loop)
    let missing = directory.path("missing")
    let all = [loop, directory.path, missing]
    let problems = SearchPath.problems(with: all)
    expectEqual(SearchPath.readable(all, problems), [directory.path, missing])
    expectEqual(problems.map(\.isRefusal), [true, false])
  }

  @Test func foldersOfReports() {
    expectEqual(
      ReportFolder.folders(of: ["a.ips", "-", "x/b.ips", "x/c.ips", "/d.ips"]), [".", "x", "/"])
  }
}
