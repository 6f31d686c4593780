import AddressResolver
import SymbolicationModel

/// The result of asking all voices about one slice: llvm-symbolizer, our two readers and, if it is
/// installed, symbolic.
struct Examination {
  /// Empty if the slice has no code.
  var comparisons: [Pair: Comparison] = [:]
  var problems: [SymbolFileProblem] = []

  /// The pairs of voices that are compared.
  enum Pair: String, CaseIterable {
    case builtInAndLlvm = "built-in and llvm-symbolizer"
    case libDwarfAndLlvm = "libdwarf and llvm-symbolizer"
    case builtInAndLibDwarf = "built-in and libdwarf"
    case builtInAndSymbolic = "built-in and symbolic"
    /// In files without line tables.
    case builtInAndSymbolLister = "built-in and the nearest symbol of llvm-nm"
  }

  /// - Parameter hasNames: whether llvm is known to have names; otherwise it may have no answers.
  init(
    of slice: SymbolFile.Slice, with tools: LlvmTools, _ symbolic: SymbolicVoice?,
    hasNames: Bool = true
  ) async throws {
    let sections = try await tools.sections(of: slice)
    let codeRanges = sections.codeRanges
    let sliceForLlvm = slice.forLlvm
    let rows =
      sections.hasLineTables || sliceForLlvm.file.path != slice.file.path
      ? try await tools.rowAddresses(of: sliceForLlvm) : []
    let addresses = AddressSample.chosen.addresses(rows: rows, codeRanges: codeRanges)
    guard !addresses.isEmpty else { return }
    let llvm = try await LlvmSymbolizer(tools, sliceForLlvm).answers(for: addresses)
    guard !hasNames || llvm.contains(where: { !$0.frames.isEmpty }) else {
      throw LlvmTools.Failure(
        slice.description, "llvm knows nothing at \(addresses.count) addresses")
    }
    let builtIn = try OwnVoice(slice, dwarfReader: .builtIn)
    let libDwarf = try OwnVoice(slice, dwarfReader: .libdwarf)
    let symbolicAnswers = try await symbolic?.answers(
      for: addresses, of: slice, base: builtIn.base)
    let builtInAnswers = addresses.map { builtIn.answer(at: $0) }
    let libDwarfAnswers = addresses.map { libDwarf.answer(at: $0) }
    problems = builtIn.resolver.problems + libDwarf.resolver.problems

    // If another voice contradicts llvm, llvm is asked again without the symbol table.
    let disputed = addresses.indices.filter { index in
      let theirs = llvm[index]
      guard Comparison.agree(builtInAnswers[index], theirs),
        Comparison.agree(libDwarfAnswers[index], theirs)
      else { return true }
      guard let third = symbolicAnswers?[index] else { return false }
      return !Comparison.agree(third, theirs.inTermsOfSymbolic)
    }
    let withoutSymbols = try await LlvmSymbolizer(tools, sliceForLlvm, hidingSymbols: true)
      .answers(for: disputed.map { addresses[$0] })
    let llvmDwarf = Dictionary(uniqueKeysWithValues: zip(disputed, withoutSymbols))
    let refersToOtherFiles = sections.namesSupplementaryFile || !slice.file.splitFiles.isEmpty
    // A separate debug file has more information than symbols.
    let nearestSymbols =
      rows.isEmpty && builtIn.resolver.separateDebugFilePath == nil
      ? try await NearestSymbols(tools, slice, codeRanges: codeRanges)
      : nil
    let nearestAnswers = nearestSymbols.map { symbols in
      zip(addresses, builtInAnswers).map { symbols.answer(at: $0, like: $1) }
    }
    // Each of the lists takes a start of a tool, and explains only what differs.
    let isExplained =
      !disputed.isEmpty
      || nearestAnswers.map { !zip(builtInAnswers, $0).allSatisfy(Comparison.agree) } ?? false
      || symbolicAnswers.map {
        !zip(builtInAnswers, $0).allSatisfy { Comparison.agree($0.inTermsOfSymbolic, $1) }
      } ?? false
    let names = isExplained ? try await NameEvidence(slice, tools) : NameEvidence()

    var byPair = [Pair: Comparison](
      uniqueKeysWithValues: Pair.allCases.map { ($0, Comparison()) })
    for (index, address) in addresses.enumerated() {
      let (own, reference, theirs) = (builtInAnswers[index], libDwarfAnswers[index], llvm[index])
      let evidence = Evidence(
        address: address, llvmWithoutSymbols: llvmDwarf[index], codeRanges: codeRanges,
        refersToOtherFiles: refersToOtherFiles, names: names)
      byPair[.builtInAndLlvm]?.add(address, own, theirs) {
        Difference.between(own, llvm: theirs, evidence)
      }
      byPair[.libDwarfAndLlvm]?.add(address, reference, theirs) {
        Difference.between(reference, llvm: theirs, evidence)
      }
      byPair[.builtInAndLibDwarf]?.add(address, own, reference) {
        refersToOtherFiles ? Difference.betweenPartialReaders(own, reference) : nil
      }
      if let nearest = nearestAnswers?[index] {
        byPair[.builtInAndSymbolLister]?.add(address, own, nearest) {
          Difference.between(own, nearestSymbol: nearest, evidence)
        }
      }
      if let symbolicAnswers {
        let third = symbolicAnswers[index]
        byPair[.builtInAndSymbolic]?.add(address, own.inTermsOfSymbolic, third) {
          Difference.between(own, symbolic: third, llvm: theirs, evidence)
        }
      }
    }
    comparisons = byPair.filter { $0.value.addressCount > 0 }
  }
}
