import ReportModel
import SymbolicationModel

// The facts that lines of traces state.

extension ReportFacts {
  /// Takes what a line says, unless it is known.
  mutating func take(_ match: LineMatch, _ source: TextSource) {
    func set(_ place: WritableKeyPath<ReportFacts, String?>, _ field: LineField) {
      if self[keyPath: place] == nil, let text = match.text(field, source) {
        self[keyPath: place] = text
      }
    }
    set(\.process.name, .process)
    set(\.process.path, .path)
    set(\.process.version, .version)
    set(\.hardwareModel, .model)
    set(\.date, .date)
    set(\.exception.name, .exception)
    set(\.exception.reason, .reason)
    set(\.exception.signal, .signal)
    if process.identifier == nil { process.identifier = match.integer(.pid, source) }
    if let path = process.name, path.contains("/") {
      process.name = path.lastPathComponent
      if process.path == nil { process.path = path }
    }
    if process.name == nil { process.name = process.path?.lastPathComponent }
    if system.name == nil, let text = match.text(.system, source) { system = System(text) }
    if architecture == nil, let name = match.text(.architecture, source) {
      architecture = Architecture(name: name)
    }
    if let message = match.text(.message, source) { applicationInformation.append(message) }
    if exception.type == nil, let type = match.text(.stop, source), !type.contains(" ") {
      exception.type = "EXC_\(type)"
    }
    if let code = match.text(.code, source), exception.subtype == nil {
      exception.subtype = code
      if let fault = match.text(.fault, source) { exception.subtype = "\(code) at \(fault)" }
    } else if exception.codes.isEmpty, let fault = match.number(.fault, source) {
      exception.codes = [1, fault]
    }
    exception.signal = exception.signal.map { $0.hasPrefix("SIG") ? $0 : "SIG\($0)" }
      .map { $0.hasSuffix(",") ? String($0.dropLast()) : $0 }
  }
}

extension ReportFacts.CrashException {
  /// Reads why a debugger stopped: `EXC_BAD_ACCESS (code=1, address=0x0)`, `signal SIGABRT`.
  mutating func take(stop: String) {
    if stop.hasPrefix("EXC_") {
      type = String(stop.prefix { $0 != " " })
      codes = stop.split(whereSeparator: { "(,) ".contains($0) }).compactMap { word in
        guard let equals = word.firstIndex(of: "=") else { return nil }
        let text = word[word.index(after: equals)...]
        return text.hasPrefix("0x") ? UInt64(text.dropFirst(2), radix: 16) : UInt64(text)
      }
    } else if stop.hasPrefix("signal ") {
      signal = String(stop.dropFirst(7).prefix { $0 != ":" && $0 != " " })
    } else if stop.hasPrefix("Fatal error") || stop.hasPrefix("hit program assert") {
      message = stop
      type = "EXC_BREAKPOINT"
    }
  }
}
