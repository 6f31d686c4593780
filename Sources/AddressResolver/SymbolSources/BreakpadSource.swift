import BreakpadSymbols
import Demangling
import ObjectFiles
import SymbolicationModel

/// The functions, lines and symbols of a Breakpad symbol file.
final class BreakpadSource: StandaloneSource {
  private let files: ImageFiles
  private let problemList: ProblemList
  private var opened: BreakpadFile?
  /// The function that was asked about last: questions come in ascending order.
  private var function: (index: Int, content: BreakpadFunction)?
  private var texts = BreakpadTexts()
  /// The last names that were demangled, by their records.
  private var shownNames: [UInt64: String] = [:]
  private var shownByteCount = 0
  private var reported: Set<FaultKind> = []

  init(_ files: ImageFiles, problems: ProblemList) {
    self.files = files
    self.problemList = problems
  }

  /// Nil if the symbol file is of another format. Cost: a pass over the file, at the first
  /// question.
  var file: BreakpadFile? { open(jobs: 1) }

  var outline: any ImageOutline {
    StandaloneOutline(objectFile: files.objectFile) { self.file?.extent }
  }

  /// Cost: as for `file`.
  var hasAny: Bool { file?.isEmpty == false }

  func answer(at address: LinkAddress, _ demangler: inout SymbolDemangler) -> SourceAnswer {
    guard let file, let place = file.place(of: address) else { return .none }
    switch place {
    case .function(let index):
      let content = content(ofFunction: index, in: file)
      var faults: [BreakpadFault] = []
      var frames = content.frames(at: address, in: file, texts: &texts, faults: &faults).map {
        resolved($0.name, of: $0.record, at: $0.start, $0.location, &demangler)
      }
      report(faults)
      guard let function = frames.popLast() else { return .none }
      return .whole(
        ResolvedAddress(inlinedFrames: frames, function: function, origin: .breakpad))
    case .symbol(let index):
      let symbol = file.symbol(index)
      return .whole(
        ResolvedAddress(
          inlinedFrames: [],
          function: resolved(symbol.name, of: nil, at: symbol.start, nil, &demangler),
          origin: .symbolTable))
    }
  }

  /// Reads the tables, on up to `jobs` threads.
  func prepare(for addresses: [LinkAddress], jobs: Int) -> [LinkAddress] {
    guard let file = open(jobs: jobs) else { return addresses }
    return addresses.filter { !file.answers($0) }
  }

  /// All of them are in the resolver's list.
  var problems: [SymbolFileProblem] { [] }

  private func open(jobs: Int) -> BreakpadFile? {
    if let opened { return opened }
    guard let bytes = files.objectFile.content(as: .breakpad) else { return nil }
    let file = BreakpadFile(bytes, jobs: jobs)
    opened = file
    report(file.faults)
    return file
  }

  private func content(ofFunction index: Int, in file: BreakpadFile) -> BreakpadFunction {
    if let function, function.index == index { return function.content }
    let content = file.function(index)
    function = (index, content)
    report(content.faults)
    return content
  }

  /// Names are demangled already, or they are mangled without Mach-O's leading underscore.
  private func resolved(
    _ name: String, of record: UInt64?, at start: LinkAddress, _ location: SourceLocation?,
    _ demangler: inout SymbolDemangler
  ) -> ResolvedFrame {
    var shown = record.flatMap { shownNames[$0] }
    if shown == nil {
      let text = name.isEmpty ? "<unnamed>" : demangler.shownName(of: name, isMachOSymbol: false)
      shown = text
      if let record { keep(text, of: record) }
    }
    return ResolvedFrame(name: shown ?? name, rawName: name, location: location, rangeStart: start)
  }

  /// Beyond 16 MiB, all names are forgotten.
  private func keep(_ shown: String, of record: UInt64) {
    if shownByteCount > 16 << 20 {
      shownNames = [:]
      shownByteCount = 0
    }
    // An entry takes about 64 bytes besides.
    shownByteCount += shown.utf8.count + 64
    shownNames[record] = shown
  }

  /// A damaged file may have a fault in each of a million functions. The first of each kind is
  /// reported.
  private func report(_ faults: [BreakpadFault]) {
    for fault in faults where reported.insert(FaultKind(fault)).inserted {
      problemList.add(
        SymbolFileProblem(path: files.objectFile.path, kind: SymbolFileProblem.Kind(fault)))
    }
  }
}

private enum FaultKind: Hashable {
  case malformedRecords(BreakpadFault.Record)
  case oversizedFunction
  case unknownFile
  case unknownOrigin

  init(_ fault: BreakpadFault) {
    switch fault {
    case .malformedRecords(let record, _, _): self = .malformedRecords(record)
    case .oversizedFunction: self = .oversizedFunction
    case .unknownFile: self = .unknownFile
    case .unknownOrigin: self = .unknownOrigin
    }
  }
}

extension SymbolFileProblem.Kind {
  /// The fault as a `SymbolFileProblem.Kind`, with everything that it states.
  fileprivate init(_ fault: BreakpadFault) {
    let offset: UInt64
    let detail: String
    switch fault {
    case .malformedRecords(let record, let count, let first):
      (offset, detail) = (first, "\(count) \(record.rawValue) record\(count == 1 ? "" : "s")")
    case .oversizedFunction(let function, let count, let limit):
      (offset, detail) = (function, "a function with more than \(min(count, limit)) bytes of lines")
    case .unknownFile(let number, let function):
      (offset, detail) = (function, "a function refers to file \(number), which is missing")
    case .unknownOrigin(let number, let function):
      (offset, detail) = (
        function, "a function refers to INLINE_ORIGIN \(number), which is missing"
      )
    }
    self = .unreadableDebugInformation(
      section: "the Breakpad records", offset: offset, detail: detail)
  }
}
