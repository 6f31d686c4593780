import CrashLogParser

extension ReportFacts {
  /// The headline of a report that is not about a crash: `hang of 3.5 sec`, `disk writes: 2147.5 MB
  /// of file backed memory dirtied`. Nil for a crash, a leak or a panic, whose other lines say it.
  package var eventHeadline: String? {
    func of(_ event: String) -> String { eventExtent.map { "\(event) of \($0)" } ?? event }
    func colon(_ event: String) -> String { eventExtent.map { "\(event): \($0)" } ?? event }
    return switch event {
    case .crash, .leak, .panic: nil
    case .hang: of("hang")
    case .cpuUsage: colon("processor time")
    case .wakeups: colon("wakeups")
    case .diskWrites: colon("disk writes")
    case .memory: colon("memory")
    case .launch: of("launch")
    case .sample: of("sample")
    }
  }
}
