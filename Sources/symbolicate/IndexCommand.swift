import ArgumentParser
import FileSystem
import ReportSymbolication

/// `symbolicate index PATH…`
struct IndexCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "index",
    abstract: "Build indexes of symbol files, which make lookups in large files faster.",
    usage: """
      symbolicate index PATH… [-o DIRECTORY] [--jobs N]
      symbolicate index --clean
      """,
    discussion: """
      PATH is a dSYM, the DWARF file in it, an executable or library (Mach-O or ELF), or a \
      directory, which is searched for them. Each image, and each slice of a fat file, gets one \
      index: a GSYM file with its debug information and its symbol table. The paths of the indexes \
      go to standard output, one per line. An index that is up to date is not built again. A Breakpad \
      .sym file and a GSYM file get none.

      Without -o, indexes go to the cache, where 'symbolicate' and 'atos' find them: \
      $XDG_CACHE_HOME/symbolicate, or ~/.cache/symbolicate. The cache holds 2 GiB, or the size in \
      SYMBOLICATE_CACHE_LIMIT (bytes, or 500M, 4G); when it is full, the least recently used \
      indexes are removed.

      Exit status:
        0   done
        1   internal error
        64  wrong usage, or -o is a symbol file
        65  a path has nothing to index
        66  a path cannot be read
        73  an index cannot be created
        74  an index cannot be written, or the cache cannot be emptied
      If several apply, the first of 1, 74, 73, 66, 65 is returned. All other indexes are built.
      """,
    version: VersionText.full)

  @Option(
    name: [.customShort("o"), .customLong("output")],
    help: ArgumentHelp(
      "Write the indexes to this directory instead of the cache.", valueName: "directory"),
    completion: .directory)
  var outputDirectory: String?

  @OptionGroup var jobs: JobsOption

  @OptionGroup var limits: LimitsOptions

  @Flag(help: "Remove everything from the cache. Takes no paths.")
  var clean = false

  @Argument(
    help: ArgumentHelp("Symbol files, and directories of symbol files.", valueName: "path"),
    completion: .file())
  var paths: [String] = []

  func validate() throws {
    if outputDirectory?.isEmpty == true {
      throw ValidationError(UsageMessages.emptyIndexDirectory)
    }
    if clean, !paths.isEmpty || outputDirectory != nil {
      throw ValidationError(UsageMessages.cleanWithPaths)
    }
    if clean { return }
    if paths.isEmpty { throw ValidationError(UsageMessages.missingIndexPaths) }
    do {
      _ = try CacheLimit.stated()
    } catch {
      throw ValidationError(error.message)
    }
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
    do {
      if let outputDirectory {
        try OutputGuard.check(indexDirectory: outputDirectory)
      } else {
        try OutputGuard.checkCache()
      }
    } catch {
      Diagnostics.print(error.message(for: outputDirectory == nil ? .cache : .index))
      return .usage
    }
    let cacheLimit = try CacheLimit.stated()
    var run: IndexRun
    do {
      run = try IndexRun(
        paths: paths, directory: outputDirectory, cacheLimit: cacheLimit, jobs: jobs.threadCount,
        limits: limits.stated)
    } catch {
      Diagnostics.print(error.message)
      return .cannotCreateOutput
    }
    for problem in run.problems { Diagnostics.print(problem) }
    while let image = run.nextImage {
      let line = ProgressLine(
        title: image.count == 1 ? image.name : "\(image.name) (\(image.number) of \(image.count))")
      var progress: (@Sendable (Int, Int) -> Void)?
      if let line { progress = { line.show(done: $0, of: $1) } }
      let result = run.indexNext(progress: progress)
      line?.clear()
      for problem in result.problems { Diagnostics.print(problem) }
      guard let path = result.path else { continue }
      do throws(FileWriteError) {
        try OutputFile.writeToStandardOutput((path + "\n").pathBytes)
      } catch {
        // Nobody reads any more, so the rest is not built.
        Diagnostics.print(error)
        return ExitStatus(error)
      }
    }
    if let note = run.displacementNote { Diagnostics.print(note) }
    return .combined(Set(run.failureKinds.map { ExitStatus($0) }))
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
