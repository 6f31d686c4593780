import ArgumentParser
import FileSystem
import ReportSymbolication
import SymbolicationModel

/// `symbolicate index PATH…`
struct IndexCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "symbolicate index",
    abstract: "Makes indexes of symbol files, with which lookups need not read debug information.",
    usage: """
      symbolicate index PATH… [-o DIRECTORY] [--jobs N]
      symbolicate index --clean
      """,
    discussion: """
      PATH is a dSYM, the DWARF file in it, an executable or library (Mach-O or ELF), or a \
      directory, which is searched for them. Each image gets one index, a GSYM file of its debug \
      information and its symbol table; each slice of a fat file is an image. The paths of the \
      indexes go to standard output, a line each. One that is there, undamaged, and was made of the \
      symbol file as it is, is not made again.

      Without -o, indexes go to the cache, $XDG_CACHE_HOME/symbolicate (~/.cache/symbolicate), where \
      'symbolicate' and 'atos' find them. It holds 2 GiB, or what SYMBOLICATE_CACHE_LIMIT says \
      (bytes, or 500M, 4G); beyond that the least recently used are removed. --clean removes all.

      Exit status: 0 done, 1 internal error, 64 wrong usage, 65 a path has nothing of which there \
      could be an index, 66 a path cannot be read, 73 an index cannot be created, 74 it cannot be \
      written (or the cache not be emptied). Where several hold, the first of 1, 74, 73, 66, 65; \
      indexes of everything else are made all the same.
      """,
    version: "symbolicate \(symbolicateVersion)")

  @Option(
    name: [.customShort("o"), .customLong("output")],
    help: ArgumentHelp(
      "Write the indexes to this directory, not to the cache.", valueName: "directory"))
  var outputDirectory: String?

  @Option(
    help: ArgumentHelp(
      "How many threads may work at a time; as many as there are processors without it.",
      valueName: "n"))
  var jobs: Int?

  @Flag(help: "Remove all indexes from the cache. It takes no paths.")
  var clean = false

  @Argument(help: ArgumentHelp("Symbol files and directories of them.", valueName: "path"))
  var paths: [String] = []

  func validate() throws {
    if let jobs, jobs < 1 { throw ValidationError("--jobs needs a number above 0.") }
    if outputDirectory?.isEmpty == true { throw ValidationError("-o needs a directory.") }
    if clean, !paths.isEmpty || outputDirectory != nil {
      throw ValidationError("--clean is for the whole cache: it takes neither paths nor -o.")
    }
    if !clean, paths.isEmpty { throw ValidationError("Give at least one path.") }
  }

  func run() throws {
    let status = clean ? cleanCache() : try makeIndexes()
    if status != .success { throw ExitCode(status.rawValue) }
  }

  private func cleanCache() -> ExitStatus {
    do {
      let result = try IndexCleaning.perform()
      for problem in result.problems { Diagnostics.print(problem) }
      Diagnostics.note(result.note)
      return result.problems.isEmpty ? .success : .cannotWriteOutput
    } catch {
      Diagnostics.print(error.message)
      return .cannotCreateOutput
    }
  }

  private func makeIndexes() throws -> ExitStatus {
    let cacheLimit: UInt64?
    do {
      cacheLimit = try CacheLimit.stated()
    } catch {
      throw ValidationError(error.message)
    }
    var run: IndexRun
    do {
      run = try IndexRun(
        paths: paths, directory: outputDirectory, cacheLimit: cacheLimit,
        jobs: jobs ?? ParallelWork.processorCount)
    } catch {
      Diagnostics.print(error.message)
      return .cannotCreateOutput
    }
    for problem in run.problems { Diagnostics.print(problem) }
    var statuses: Set<ExitStatus> = []
    while let image = run.nextImage {
      let line = ProgressLine(
        title: image.count == 1 ? image.name : "\(image.name) (\(image.number) of \(image.count))")
      var progress: (@Sendable (Int, Int) -> Void)?
      if let line { progress = { line.show(done: $0, of: $1) } }
      let result = run.indexNext(progress: progress)
      line?.clear()
      for problem in result.problems { Diagnostics.print(problem) }
      guard let path = result.path else { continue }
      do throws(OutputFile.Failure) {
        try OutputFile.writeToStandardOutput(Array((path + "\n").utf8))
      } catch {
        // Nobody reads any more: the rest is not made for nobody.
        return error.report()
      }
    }
    if let note = run.displacementNote { Diagnostics.print(note) }
    for kind in run.failureKinds { statuses.insert(ExitStatus(kind)) }
    return .combined(statuses)
  }
}

extension ExitStatus {
  init(_ kind: IndexRun.FailureKind) {
    self =
      switch kind {
      case .nothingUsable: .noReport
      case .unreadable: .unreadableInput
      case .cannotCreate: .cannotCreateOutput
      case .cannotWrite: .cannotWriteOutput
      }
  }
}
