import AddressResolver
import CrashLogParser
import Demangling
import SymbolStore
import SymbolicationModel

/// Explains the frames of a report after their addresses have been looked up.
struct FrameExplainer {
  let options: SymbolicationOptions
  let store: SymbolStore
  /// One for each image that has a symbol file.
  let resolvers: [ReportImage: ImageResolver]

  /// Adds an explanation to every frame of the selected backtraces.
  func explain(_ report: inout SymbolicatedReport) {
    var otherBuilds: [ReportImage: [SymbolCandidate]] = [:]
    for image in Set(report.backtraces.flatMap { $0.frames.compactMap(\.image) }) {
      otherBuilds[image] = store.otherBuilds(of: image.description)
    }
    for backtrace in report.backtraces.indices where report.backtraces[backtrace].isSelected {
      for index in report.backtraces[backtrace].frames.indices {
        let frame = report.backtraces[backtrace].frames[index]
        report.backtraces[backtrace].frames[index].explain(
          with: explanation(
            of: frame, symbolFile: frame.image.flatMap { report.symbolFiles[$0] },
            otherBuilds: frame.image.flatMap { otherBuilds[$0] } ?? [],
            unplaced: report.unplacedFrames))
      }
    }
  }

  private func explanation(
    of frame: SymbolicatedFrame, symbolFile: UsedSymbolFile?, otherBuilds: [SymbolCandidate],
    unplaced: [UnplacedFrames]
  ) -> FrameExplanation {
    var refusals = otherBuilds.map { FrameExplanation.Refusal.otherBuild($0) }
    guard frame.answer != nil || frame.stated == nil else {
      return FrameExplanation(source: .report, lookup: nil, refusals: refusals)
    }
    guard let address = frame.codeAddress else { return .nothing(.noAddress) }
    guard let image = frame.image else {
      let name = frame.source.values?.knownImageName
      let refusal = unplaced.first { $0.imageName == name }?.refusal
      return .nothing(refusal.map { .notJoined($0) } ?? .noImage)
    }
    guard let symbolFile, let resolver = resolvers[image] else {
      let isLeftOut = options.onlyUserCode && image.belongsToSystem
      return .nothing(isLeftOut ? .leftOut : .noSymbolFile, refusals)
    }
    guard let linkBase = resolver.linkBase() else { return .nothing(.noLinkBase, refusals) }
    let asked = Slide(loadAddress: image.loadAddress, linkBase: linkBase).linkAddress(
      of: frame.addressKind.lookupAddress(for: address, architecture: image.architecture))
    let found = resolver.explanation(isAnswered: frame.answer != nil, at: asked)
    refusals += found.refusedFiles.map { .unusableFile($0) }
    if let symbol = found.refusedSymbol { refusals.append(.symbol(symbol)) }
    if let answer = frame.answer, let stated = frame.stated, !answer.keepsStatedName {
      refusals.append(.statedName(stated.name))
    }
    return FrameExplanation(
      source: source(of: frame, found),
      lookup: FrameExplanation.Lookup(
        address: asked, kind: frame.addressKind, symbolFile: symbolFile.path,
        matchedBy: FrameExplanation.MatchBasis(symbolFile.basis, of: image),
        reportCount: symbolFile.reportCount,
        answeringFile: found.file, index: found.index,
        mangling: frame.answer?.function.rawName.flatMap { name in
          // Names in Mach-O symbol tables have one underscore more than in DWARF.
          ManglingScheme(of: name) ?? ManglingScheme(of: name, isMachOSymbol: true)
        }, exceededLimit: exceededLimit(by: frame.answer)),
      refusals: refusals)
  }

  /// Why a name is shown mangled; nil if none is.
  private func exceededLimit(by answer: FrameAnswer?) -> DemanglingLimit? {
    guard let answer else { return nil }
    var demangler = SymbolDemangler(style: options.demangling)
    for name in (answer.inlined + [answer.function]).compactMap(\.rawName) {
      // Names in Mach-O symbol tables have one underscore more than in DWARF.
      let isMachOSymbol = ManglingScheme(of: name) == nil && name.utf8.first == UInt8(ascii: "_")
      let plain = isMachOSymbol ? String(Substring(name.utf8.dropFirst())) : name
      if let limit = demangler.limitExceeded(by: plain) { return limit }
    }
    return nil
  }

  private func source(
    of frame: SymbolicatedFrame, _ found: AddressExplanation
  ) -> FrameExplanation.Source {
    guard let answer = frame.answer else {
      return .nothing(.unnamed(functionStart: found.functionStart))
    }
    return answer.keepsStatedName
      ? .reportAndSymbolFile(answer.origin) : .symbolFile(answer.origin)
  }
}

extension FrameExplanation {
  fileprivate static func nothing(_ reason: Reason, _ refusals: [Refusal] = []) -> Self {
    FrameExplanation(source: .nothing(reason), lookup: nil, refusals: refusals)
  }
}
