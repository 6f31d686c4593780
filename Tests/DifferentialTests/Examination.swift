import AddressResolver
import SymbolicationModel

/// What comes of asking all voices about one slice.
struct Examination {
  var comparisons: [Pair: Comparison] = [:]
  var problems: [SymbolFileProblem] = []

  /// Who is compared with whom.
  enum Pair: String, CaseIterable {
    case builtInAndLlvm = "built-in and llvm-symbolizer"
    case libDwarfAndLlvm = "libdwarf and llvm-symbolizer"
    case builtInAndLibDwarf = "built-in and libdwarf"
    case builtInAndSymbolic = "built-in and symbolic"
  }

  init(of slice: SymbolFile.Slice, with tools: LlvmTools, _ symbolic: SymbolicVoice?) async throws {
    let codeRanges = try await tools.codeRanges(of: slice)
    let addresses = AddressSample.chosen.addresses(
      rows: try await tools.rowAddresses(of: slice), codeRanges: codeRanges)
    let llvm = try await LlvmSymbolizer(tools, slice).answers(for: addresses)
    let builtIn = try OwnVoice(slice, dwarfReader: .builtIn)
    let libDwarf = try OwnVoice(slice, dwarfReader: .libdwarf)
    let symbolicAnswers = try await symbolic?.answers(
      for: addresses, of: slice, base: builtIn.base)
    let builtInAnswers = addresses.map { builtIn.answer(at: $0) }
    let libDwarfAnswers = addresses.map { libDwarf.answer(at: $0) }
    problems = builtIn.resolver.problems + libDwarf.resolver.problems

    // llvm is asked again, without the symbol table, where someone contradicts it.
    let disputed = addresses.indices.filter {
      !Comparison.agree(builtInAnswers[$0], llvm[$0])
        || !Comparison.agree(libDwarfAnswers[$0], llvm[$0])
    }
    let withoutSymbols = try await LlvmSymbolizer(tools, slice, hidingSymbols: true)
      .answers(for: disputed.map { addresses[$0] })
    let symbolNames = disputed.isEmpty ? [:] : try await tools.symbolNames(of: slice)
    let llvmDwarf = Dictionary(uniqueKeysWithValues: zip(disputed, withoutSymbols))

    for index in addresses.indices {
      let address = addresses[index]
      for (pair, own) in [
        (Pair.builtInAndLlvm, builtInAnswers[index]), (.libDwarfAndLlvm, libDwarfAnswers[index]),
      ] {
        comparisons[pair, default: Comparison()].add(address, own, llvm[index]) {
          let evidence = Evidence(
            address: address, llvmWithoutSymbols: llvmDwarf[index], codeRanges: codeRanges,
            symbolNames: symbolNames)
          return Difference.between(own, llvm: llvm[index], evidence)
        }
      }
      comparisons[.builtInAndLibDwarf, default: Comparison()].add(
        address, builtInAnswers[index], libDwarfAnswers[index]
      ) { nil }
      if let symbolicAnswers {
        comparisons[.builtInAndSymbolic, default: Comparison()].add(
          address, builtInAnswers[index], symbolicAnswers[index]
        ) { nil }
      }
    }
  }
}
