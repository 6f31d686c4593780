import Foundation

/// A collection of real reports and symbol files, which is no part of the project.
public enum Corpus {
  /// The folder that holds `reports` and `symbols`; nil where the environment names none.
  public static let path = ProcessInfo.processInfo.environment["SYMBOLICATE_CORPUS"].flatMap {
    $0.isEmpty ? nil : $0
  }
}
