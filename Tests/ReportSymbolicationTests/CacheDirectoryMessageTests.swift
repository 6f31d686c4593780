import FileSystem
import ReportSymbolication
import SystemPackage
import TestSupport
import Testing

struct CacheDirectoryMessageTests {
  @Test(arguments: [
    (
      CacheDirectoryProblem.unusable(path: "a\u{1b}b", errno: Errno.readOnlyFileSystem.rawValue),
      "cannot use a\u{fffd}b as the cache: Read-only file system; nothing is kept for the next run"
    ),
    (
      .exposed(path: "c", .otherOwner(7)),
      "c is not used as the cache: it belongs to the user with the number 7, who could have put anything there; name another directory with --cache-dir"
    ),
    (
      .exposed(path: "c", .writableByOthers([.ownerReadWriteExecute, .otherWrite])),
      "c is not used as the cache: other users may write to it; if you trust its contents, run 'chmod go-w' on it"
    ),
  ])
  func sentences(problem: CacheDirectoryProblem, message: String) {
    expectEqual(problem.message, message)
  }
}
