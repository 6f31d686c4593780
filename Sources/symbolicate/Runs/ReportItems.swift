import FileSystem
import ReportRuns
import ReportSymbolication
import SymbolicationModel

/// The reports of a run, as pieces of work.
struct ReportItems {
  private let inputs: [ReportInput]
  private let areReplaced: Bool
  private var known: Set<FileIdentity> = []

  /// What a small report counts, so that at most 64 are under way.
  private static let leastWeight = 1 << 20

  /// How many times its size a compressed report usually has. Nothing is opened to know better.
  private static let usualExpansion = 16

  /// - Parameter areReplaced: whether the results replace the reports.
  init(_ inputs: [ReportInput], areReplaced: Bool) {
    self.inputs = inputs
    self.areReplaced = areReplaced
  }

  /// Expected for each index once, in order.
  mutating func item(at index: Int) -> OrderedWork.Item {
    let input = inputs[index]
    if let size = input.archivedSize {
      let size = Int(clamping: min(size, 1 << 40))
      return OrderedWork.Item(
        weight: max(input.hasCompressedName ? size * Self.usualExpansion : size, Self.leastWeight),
        isAlone: false)
    }
    // One that cannot be read costs nothing, and reading it gives the error.
    guard !input.isStandardInput, let status = try? FileStatus(path: input.path) else {
      return OrderedWork.Item(weight: Self.leastWeight, isAlone: input.isStandardInput)
    }
    // A pipe that is given twice has its content once. A report that is replaced and given twice is
    // read the second time as it was written the first time.
    let isAlone =
      status.kind != .regularFile || (areReplaced && !known.insert(status.identity).inserted)
    let size = Int(clamping: status.size)
    return OrderedWork.Item(
      weight: max(
        input.hasCompressedName ? min(size, 1 << 40) * Self.usualExpansion : size,
        Self.leastWeight),
      isAlone: isAlone)
  }
}
