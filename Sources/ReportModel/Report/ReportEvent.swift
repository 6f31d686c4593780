import JsonReading

/// What a report is about. Only a crash has a place and a reason to look for.
public enum ReportEvent: String, Hashable, Sendable, CaseIterable {
  /// The process ended without wanting to: a crash, or the system ended it.
  case crash
  /// The process did not respond for a while.
  case hang
  /// The process used more processor time than it may.
  case cpuUsage
  /// The process woke the processor more often than it may.
  case wakeups
  /// The process wrote more to the disk than it may.
  case diskWrites
  /// The process used more memory than it may.
  case memory
  /// How the process was launched.
  case launch
  /// Memory that was allocated and is in use no more.
  case leak
  /// What processes did while they were watched: `sample`, `spindump`, stackshots.
  case sample
  /// The kernel stopped, or the system was reset.
  case panic
}
