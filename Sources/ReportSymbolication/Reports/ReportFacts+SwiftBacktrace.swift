import CrashLogParser
import SymbolicationModel

extension ReportFacts {
  init(swiftBacktrace report: SwiftBacktraceReport) {
    self.init()
    date = report.timestamp
    process = Process(report)
    system = report.platform.map { System(swiftPlatform: $0) } ?? System()
    exception.signal = report.signal.map { number in
      signalName(number, system: system.name) ?? "signal \(number)"
    }
    exception.codes = report.exceptionCode.map { [$0] } ?? []
    exception.subtype = report.reason
    crashedThread = report.crashedThread?.number
    if let reason = report.reason { fields.append(("Program crashed", reason)) }
    if let platform = report.platform {
      let architecture = report.architecture.map { "\($0.name) " } ?? ""
      fields.append(("Platform", architecture + platform))
    }
  }
}

extension ReportFacts.Process {
  /// The report has no name of the process. On Linux the main thread bears the first 15 bytes of the
  /// executable's.
  fileprivate init(_ report: SwiftBacktraceReport) {
    guard let main = report.threads.first(where: { $0.number == 0 })?.name,
      let executable = report.images.first(where: { image in
        main.utf8.count < 15 ? image.name == main : image.name.utf8.starts(with: main.utf8)
      })
    else { return }
    name = executable.name
    path = executable.path
  }
}

extension ReportFacts.System {
  /// - Parameter text: `Linux (Ubuntu 24.04.3 LTS)`, where the distribution stands for the version;
  ///   `macOS 26.1 (25B64)`; `Windows 11.0 build 26200`.
  fileprivate init(swiftPlatform text: String) {
    let words = text.split(separator: " ")
    if text.hasPrefix("Linux ("), text.hasSuffix(")") {
      self.init()
      name = "Linux"
      version = String(text.dropFirst(7).dropLast()).known
    } else if words.count > 3, words[words.count - 2] == "build" {
      self.init(words.dropLast(2).joined(separator: " "))
      build = String(words[words.count - 1]).known
    } else {
      self.init(text)
    }
  }
}

/// The name of a signal that Swift's runtime handles, by its number. Where systems number differently, it
/// takes the system's name.
private func signalName(_ number: Int, system: String?) -> String? {
  switch number {
  case 3: "SIGQUIT"
  case 4: "SIGILL"
  case 5: "SIGTRAP"
  case 6: "SIGABRT"
  case 7 where system == "Linux": "SIGBUS"
  case 8: "SIGFPE"
  case 10 where system == "macOS": "SIGBUS"
  case 11: "SIGSEGV"
  default: nil
  }
}
