import FileSystem
import ReportSymbolication
import SymbolicationModel

/// The pages of `symbolicate group --output-dir`: `index.html`, and in `pages` a page of one report
/// of each group.
struct GroupPages {
  let directory: String
  var places: SymbolPlaces

  private var index: String { path("index.html") }

  private func path(_ name: String) -> String {
    directory.hasSuffix("/") ? directory + name : directory + "/" + name
  }

  func isWritten(to other: String) -> Bool { FileIdentity.isSame(directory, other) }

  /// Why nothing is written: a page would replace an input.
  func refusal(inputs: [ReportInput]) -> String? {
    let inputGuard = OutputGuard(reports: inputs.map(\.path), symbolPaths: places.paths)
    do throws(OutputRefusal) {
      try inputGuard.check(directory)
      try inputGuard.check(index)
      return nil
    } catch {
      return error.message(for: .extract)
    }
  }

  /// Writes a page of each group's sample, and then the page of the groups, which has links to
  /// them.
  ///
  /// - Returns: how many groups have no page, because their sample is no file that can be read.
  func write(
    _ table: GroupTable, top: Int?, _ options: SymbolicationOptions
  ) throws(FileWriteError) -> Int {
    let groups = table.largest(top)
    try OutputFile.makeDirectory(path("pages"))
    var job = ReportJob(places: places, options: options, form: .html)
    var pages: Set<String> = []
    for group in groups where group.sample != "standard input" {
      guard
        let bytes = try? InputFile.readReport(path: group.sample, limits: options.limits)
      else { continue }
      let result = job.steps.result(
        of: job.resolve(job.steps.prepared(bytes)), shownPath: group.sample)
      guard result.holdsReport else { continue }
      try WholeFile.replace(path: path("pages/\(group.pageName).html"), with: result.output)
      pages.insert(group.pageName)
    }
    try WholeFile.replace(path: index, with: table.written(as: .html, top: top, pages: pages))
    return groups.count - pages.count
  }
}
