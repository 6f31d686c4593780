import Foundation
import FuzzExercises
import TestSupport
import Testing

/// The pages of real reports, if SYMBOLICATE_CORPUS names a folder of them: each is well-formed and
/// has as many frames as JSON.
@Suite(
  .enabled(
    if: Corpus.path != nil, "SYMBOLICATE_CORPUS does not name the folder of real reports"))
struct PageCorpusTests {
  @Test func everyReportHasItsFrames() throws {
    let folder = try require(Corpus.path) + "/reports"
    let names = try require(FileManager.default.enumerator(atPath: folder))
    var reportCount = 0
    while let name = names.nextObject() as? String {
      // The larger ones have no other parts, and take a debug build minutes.
      guard let bytes = try? Fixtures.bytes(of: "\(folder)/\(name)"), bytes.count < 1 << 19 else {
        continue
      }
      do {
        if try exercisePage(bytes, symbolPaths: []) { reportCount += 1 }
      } catch {
        Issue.record("\(name): \(error)")
      }
    }
    #expect(reportCount > 100)
  }
}
