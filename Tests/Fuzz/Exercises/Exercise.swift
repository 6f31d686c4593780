// What fuzzing does with one input, target by target.
//
// Each exercise hands the bytes to a part of the program that reads files, asks for everything that
// can be asked of the result, and states what has to hold for any bytes. `Fuzz/Driver` runs them
// under libFuzzer, with inputs that it makes up; `KeptFailureTests` runs them with the inputs in
// `Fixtures/Malformed`, in every `make test`.

/// One parser, and what is tried with it.
public enum Exercise: String, CaseIterable, Sendable {
  /// Reports as text, including Swift's backtraces, the recognition of formats, and the JSON line
  /// above a text.
  case crashText = "crash-text"
  /// JSON, `.ips` reports, and the edits that a renderer makes in them.
  case ips
  /// Mach-O and ELF.
  case objectFiles = "object-files"
  /// The tables of DWARF, each for itself: unit headers, address ranges, abbreviations, range
  /// lists.
  case dwarfTables = "dwarf-tables"
  /// The DWARF reader, over sections.
  case dwarfReader = "dwarf-reader"
  /// The DWARF reader, over an object file.
  case dwarfFiles = "dwarf-files"
  /// GSYM files, and the trailer at the end of those that are indexes.
  case gsym
  /// Breakpad symbol files.
  case breakpad
  /// Apple's `.symbols`, and names learnt from reports.
  case nameFiles = "name-files"
  /// Names of symbols.
  case names
  /// Property lists, XML and binary.
  case propertyLists = "property-lists"
  /// Symbol maps of builds with bitcode, and the names and identities that people write.
  case symbolMaps = "symbol-maps"
  /// Zip and tar archives, and the heads of the symbol files in them.
  case archives
  /// Maps from il2cpp's C++ to C#.
  case il2CppMaps = "il2cpp-maps"
  /// Indexes of searched directories.
  case searchIndexes = "search-indexes"
  /// The lines between `symbolicate` and `symbolicate-fetch`.
  case fetchLines = "fetch-lines"
  /// What the property lists beside symbol files mean.
  case bundleRecords = "bundle-records"
  /// What every command prints about a report, and about names in a symbol file.
  case outputs
  /// The records of a worker.
  case workerLines = "worker-lines"
  /// Reports in a stream.
  case stream
  /// Lines of reports and of groups, which `group` adds up.
  case groupLines = "group-lines"

  /// Throws ``Violation`` if a statement that should hold does not. Errors that the parsers throw
  /// are answers like any other.
  public func run(_ bytes: [UInt8]) throws(Violation) {
    switch self {
    case .crashText: try exerciseCrashText(bytes)
    case .ips: try exerciseIps(bytes)
    case .objectFiles: try exerciseObjectFiles(bytes)
    case .dwarfTables: try exerciseDwarfTables(bytes)
    case .dwarfReader: try exerciseDwarfReader(bytes)
    case .dwarfFiles: try exerciseDwarfFiles(bytes)
    case .gsym: try exerciseGsym(bytes)
    case .breakpad: try exerciseBreakpad(bytes)
    case .nameFiles: try exerciseNameFiles(bytes)
    case .names: try exerciseNames(bytes)
    case .propertyLists: try exercisePropertyLists(bytes)
    case .symbolMaps: try exerciseSymbolMaps(bytes)
    case .archives: try exerciseArchive(bytes)
    case .il2CppMaps: try exerciseIl2CppMaps(bytes)
    case .searchIndexes: try exerciseSearchIndexes(bytes)
    case .fetchLines: try exerciseFetchLines(bytes)
    case .bundleRecords: try exerciseBundleRecords(bytes)
    case .outputs: try exerciseOutputs(bytes)
    case .workerLines: try exerciseWorkerLines(bytes)
    case .stream: try exerciseStream(bytes)
    case .groupLines: try exerciseGroupLines(bytes)
    }
  }
}

/// What should hold for any input, and did not.
public struct Violation: Error, Hashable, Sendable, CustomStringConvertible {
  public let statement: String
  public let file: String
  public let line: Int

  public var description: String { "\(file):\(line): \(statement)" }
}

/// Throws if `condition` is false. `statement` says what should be true.
func require(
  _ condition: Bool, _ statement: @autoclosure () -> String, file: String = #fileID,
  line: Int = #line
) throws(Violation) {
  guard condition else { throw Violation(statement: statement(), file: file, line: line) }
}

/// Throws unless `inner` lies within `outer`.
func require(
  _ inner: Range<Int>, in outer: Range<Int>, _ name: @autoclosure () -> String,
  file: String = #fileID, line: Int = #line
) throws(Violation) {
  try require(
    inner.lowerBound >= outer.lowerBound && inner.upperBound <= outer.upperBound,
    "\(name()): \(inner) lies in \(outer)", file: file, line: line)
}

/// Throws unless each of `ranges` ends no later than the next one begins.
func requireAscending<Bound>(
  _ ranges: some Sequence<Range<Bound>>, _ name: @autoclosure () -> String,
  file: String = #fileID, line: Int = #line
) throws(Violation) {
  var end: Bound?
  for range in ranges {
    if let end {
      try require(
        range.lowerBound >= end, "\(name()): \(range) begins behind \(end)", file: file, line: line)
    }
    end = range.upperBound
  }
}
