import ReportModel
import SymbolicationModel

extension ReportFacts {
  init(_ content: SwiftBacktraceContent) {
    self.init()
    date = content.timestamp
    process = Process(content)
    system = content.platform.map { System(swiftPlatform: $0) } ?? System()
    architecture = content.architecture
    exception.signal = content.signal.map { number in
      signalName(number, system: system.name) ?? "signal \(number)"
    }
    exception.codes = content.exceptionCode.map { [$0] } ?? []
    exception.subtype = content.reason
    applicationInformation = [content.fatalError].compactMap(\.self)
    crashedThread = content.threads.first(where: \.isCrashed)?.number
    if let reason = content.reason {
      fields.append(Field(name: "Program crashed", value: reason, byteRange: nil))
    }
    if let platform = content.platform {
      let architecture = content.architecture.map { "\($0.name) " } ?? ""
      fields.append(Field(name: "Platform", value: architecture + platform, byteRange: nil))
    }
  }
}

extension ReportFacts.Process {
  /// The report does not name the process. On Linux the main thread has the first 15 bytes of the
  /// executable's name.
  fileprivate init(_ content: SwiftBacktraceContent) {
    self.init()
    guard let main = content.threads.first(where: { $0.number == 0 })?.name else { return }
    if content.images.isEmpty, content.platform?.hasPrefix("macOS") != true {
      name = main
      return
    }
    guard
      let executable = content.images.first(where: { image in
        main.utf8.count < 15
          ? image.name == main : image.name?.utf8.starts(with: main.utf8) == true
      })
    else { return }
    name = executable.name
    path = executable.path
  }
}

extension ReportFacts.System {
  /// - Parameter text: `Linux (Ubuntu 24.04.3 LTS)`, which has the distribution in place of the
  ///   version;
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

/// The name of a signal that Swift's runtime handles. Systems number SIGBUS differently.
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
