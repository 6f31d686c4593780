import FileSystem
import ReportRuns
import ReportSymbolication
import SymbolTools
import SymbolicationModel
import SystemPackage

extension IndexCommand {
  /// `index --learn REPORTS…`: the names of system functions in reports.
  func learnNames() -> ExitStatus {
    /// What an input teaches.
    enum Content: Sendable {
      case lesson(Lesson)
      case unreadable(ReportReadError)
      case symbolFile
    }
    var statuses: Set<ExitStatus> = []
    var run: LearningRun
    do throws(LearningRun.Failure) {
      run = try LearningRun(directory: outputDirectory)
    } catch {
      Diagnostics.error(error.message)
      return ExitStatus(error.kind)
    }
    let reports = ReportInputs(paths.isEmpty ? ["-"] : paths, archiveLimits: nil)
    for problem in reports.problems {
      Diagnostics.error(problem)
      statuses.insert(.unreadableInput)
    }
    let inputs = reports.inputs
    var options = SymbolicationOptions()
    options.limits = limits.stated
    let learning = options
    var items = ReportItems(inputs, areReplaced: false)
    var progress = RunProgress(total: inputs.count, isShown: reports.isWalk)
    var hasReport = false
    OrderedWork(jobs: jobs.threadCount, capacity: Int(clamping: learning.limits.bytesUnderWay))
      .perform(
        count: inputs.count, item: { items.item(at: $0) },
        prepare: { index -> Content in
          let input = inputs[index]
          if input.isWalked, !Lesson.mayComeFrom(input.path) { return .symbolFile }
          do throws(ReportReadError) {
            let bytes: [UInt8]
            do throws(Errno) {
              bytes = try InputFile.read(path: input.path, limit: learning.limits.reportSize)
            } catch {
              throw .unreadable(error)
            }
            return .lesson(try Lesson(bytes, path: input.shownPath, options: learning))
          } catch {
            return .unreadable(error)
          }
        },
        resolve: { _, content in content }, finish: { _, content in content },
        deliver: { index, content in
          progress.advance()
          let input = inputs[index]
          switch content {
          case .lesson(let lesson):
            for problem in lesson.problems { Diagnostics.warning(problem) }
            run.add(lesson)
            guard let refusal = lesson.refusal else {
              hasReport = true
              break
            }
            // Nobody said that a file in a directory holds a report.
            guard !input.isWalked else { break }
            progress.clear()
            Diagnostics.error(refusal.message(path: input.shownPath))
            statuses.insert(.noReport)
          case .symbolFile: break
          // Archives of symbol files lie in such directories, too.
          case .unreadable(.archive) where input.isWalked: break
          case .unreadable(let error):
            progress.clear()
            Diagnostics.error(
              InputMessages.unreadableReport(input.shownPath, error, limits: learning.limits))
            statuses.insert(.unreadableInput)
          }
        })
    progress.clear()
    if reports.isWalk, !hasReport {
      Diagnostics.error(InputMessages.noReports(in: reports.directories, []))
      statuses.insert(.noReport)
    }
    for problem in run.problems { Diagnostics.warning(problem) }
    do throws(LearningRun.Failure) {
      var failure: FileWriteError?
      let messages = try run.finish { path in
        failure = FileWriteError.thrown { () throws(FileWriteError) in
          try OutputFile.writeToStandardOutput((path + "\n").pathBytes)
        }
        return failure == nil
      }
      if let failure {
        Diagnostics.error(failure)
        statuses.insert(ExitStatus(failure))
      }
      for message in messages { Diagnostics.show(message) }
    } catch {
      Diagnostics.error(error.message)
      statuses.insert(ExitStatus(error.kind))
    }
    return .combined(statuses)
  }
}
