import AddressResolver
import Benchmark
import BinaryInput
import DwarfReader
import ObjectFiles
import SymbolIndex
import SymbolicationModel

/// The stages from a symbol file to an answer, one by one, for one symbol file.
struct SymbolFileBenchmarks {
  /// The prefix of the names of the benchmarks.
  let title: String
  let path: String

  func register() {
    registerContainer()
    registerDwarf()
    registerQueries()
    registerIndex()
  }

  private func registerContainer() {
    Benchmark("\(title): open") { benchmark in
      for _ in benchmark.scaledIterations { blackHole(try ObjectContainer.open(path: path)) }
    }

    Benchmark("\(title): symbol table") { benchmark, file in
      for _ in benchmark.scaledIterations { blackHole(try file.symbolTable()) }
    } setup: {
      try openFile()
    }
  }

  private func registerDwarf() {
    Benchmark("\(title): list of units") { benchmark, sections in
      for _ in benchmark.scaledIterations { blackHole(DwarfUnitList(sections)) }
    } setup: {
      try openSections()
    }

    Benchmark("\(title): line programs of all units") { benchmark, stages in
      for _ in benchmark.scaledIterations {
        var rows = 0
        for index in 0..<stages.unitCount { rows += try stages.unit(index).runLineProgram() }
        guard rows > 0 else { return benchmark.error("no line rows") }
      }
    } setup: {
      try DwarfStages(sections: openSections())
    }

    Benchmark("\(title): functions of all units") { benchmark, stages in
      for _ in benchmark.scaledIterations {
        var functions = 0
        for index in 0..<stages.unitCount {
          functions += try stages.unit(index).readFunctions().count
        }
        guard functions > 0 else { return benchmark.error("no functions") }
      }
    } setup: {
      try DwarfStages(sections: openSections())
    }

    Benchmark("\(title): inlined calls of all functions") { benchmark, functions in
      for _ in benchmark.scaledIterations {
        let calls = functions.reduce(0) { $0 + $1.readInlinedCalls() }
        guard calls > 0 else { return benchmark.error("no inlined calls") }
      }
    } setup: {
      try readFunctions()
    }
  }

  private func registerQueries() {
    Benchmark("\(title): one address, from the file to the answer") { benchmark, addresses in
      for _ in benchmark.scaledIterations {
        let resolver = try ImageResolver(symbolFile: path)
        guard let answer = resolver.resolve(addresses[addresses.count / 2]) else {
          return benchmark.error("no answer")
        }
        blackHole(answer)
      }
    } setup: {
      try functionAddresses()
    }

    Benchmark("\(title): 1,000 queries of what is decoded") { benchmark, input in
      for _ in benchmark.scaledIterations {
        for address in input.addresses { blackHole(input.resolver.resolve(address)) }
      }
    } setup: {
      try makeQueries()
    }
  }

  private func registerIndex() {
    for jobs in [1, 2] {
      Benchmark("\(title): build an index, threads: \(jobs)") { benchmark, file in
        for _ in benchmark.scaledIterations {
          blackHole(try IndexBuilder(file).build(jobs: jobs))
        }
      } setup: {
        try openFile()
      }
    }

    // In random order, with the bytes of all names. The bar on one core: 2 million in a second.
    Benchmark("\(title): 100,000 queries of the index, one by one") { benchmark, input in
      var answer = GsymAnswer()
      for _ in benchmark.scaledIterations {
        var byteCount = 0
        for address in input.addresses where try input.index.lookup(address, into: &answer) {
          for frame in answer.frames {
            input.index.withNameBytes(at: frame.name) { byteCount += $0.byteCount }
          }
        }
        guard byteCount > 0 else { return benchmark.error("no names") }
      }
    } setup: {
      try makeIndexQueries()
    }

    Benchmark("\(title): 100,000 queries of the index in batches") { benchmark, input in
      var answers = GsymAnswers()
      for _ in benchmark.scaledIterations {
        var byteCount = 0
        for start in stride(from: 0, to: input.addresses.count, by: GsymFile.batchSize) {
          let end = min(start + GsymFile.batchSize, input.addresses.count)
          input.index.lookup(input.addresses.span.extracting(start..<end), into: &answers)
          for frame in answers.frames {
            input.index.withNameBytes(at: frame.name) { byteCount += $0.byteCount }
          }
        }
        guard byteCount > 0 else { return benchmark.error("no names") }
      }
    } setup: {
      try makeIndexQueries()
    }
  }

  // MARK: - Inputs

  private func openFile() throws -> ObjectFile {
    try ObjectContainer.open(path: path).preferredObjectFile(for: nil)
  }

  private func openSections() throws -> DwarfSections {
    let file = try openFile()
    var regions: [DwarfSectionName: ByteRegion] = [:]
    for name in DwarfSectionName.allCases {
      regions[name] = try file.debugSection(name.rawValue)
    }
    return DwarfSections(
      regions: regions, byteOrder: file.byteOrder, addressSize: file.addressSize,
      codeRanges: file.codeRanges)
  }

  private func readFunctions() throws -> [DwarfStages.Functions] {
    let stages = try DwarfStages(sections: openSections())
    return try (0..<stages.unitCount).map { try stages.unit($0).readFunctions() }
  }

  /// A resolver that has already answered all of the addresses.
  private func makeQueries() throws -> (resolver: ImageResolver, addresses: [LinkAddress]) {
    let resolver = try ImageResolver(symbolFile: path)
    let addresses = try functionAddresses()
    for address in addresses { blackHole(resolver.resolve(address)) }
    return (resolver, addresses)
  }

  private func makeIndexQueries() throws -> (index: GsymFile, addresses: [LinkAddress]) {
    let index = try IndexBuilder(openFile()).build(jobs: 2)
    let region = ByteRegion(copying: Array(index.pieces.joined()))
    let file = try GsymFile(region)
    return (file, try randomAddresses(in: file, count: 100_000))
  }

  /// Addresses in functions, each function chosen in proportion to its size. The same file gives
  /// the same addresses.
  private func randomAddresses(in file: GsymFile, count: Int) throws -> [LinkAddress] {
    var ends: [UInt64] = []
    var starts: [UInt64] = []
    for index in 0..<file.functionCount {
      guard let range = try file.function(at: index)?.range, !range.isEmpty else { continue }
      starts.append(range.lowerBound.value)
      ends.append((ends.last ?? 0) + (range.upperBound.value - range.lowerBound.value))
    }
    guard let size = ends.last else { return [] }
    // xorshift64 (Marsaglia, 2003)
    var state: UInt64 = 88_172_645_463_325_252
    return (0..<count).map { _ in
      state ^= state << 13
      state ^= state >> 7
      state ^= state << 17
      let place = state % size
      let function = ends.partitionPoint { $0 > place }
      let before = function > 0 ? ends[function - 1] : 0
      return LinkAddress(starts[function] + place - before)
    }
  }

  /// 1,000 addresses: the middles of functions at equal distances in the symbol table. If there are
  /// fewer functions, some occur several times.
  private func functionAddresses() throws -> [LinkAddress] {
    let table = try openFile().symbolTable()
    guard table.count > 0 else { return [] }
    return (0..<1000).map { number in
      let range = table[number * table.count / 1000].addresses
      return LinkAddress((range.lowerBound.value &+ range.upperBound.value) / 2)
    }
  }
}
