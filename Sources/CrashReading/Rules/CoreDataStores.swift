/// What Core Data throws if it is asked for objects and has no store to take them from.
///
/// Source: the names are those of the methods of NSPersistentStoreCoordinator in Core Data's
/// class-dumps (github.com/nst/iOS-Runtime-Headers). With the reason of the exception, `This
/// NSPersistentStoreCoordinator has no persistent stores (corrupt file). It cannot perform a save
/// operation.`, they are in issues on github.com: the-blue-alliance/the-blue-alliance-ios 875,
/// residentsummer/watoi 58, matomo-org/matomo-sdk-ios 85.
enum CoreDataStores {
  /// `Core Data has no persistent stores (disk full)`; nil if the function is another one.
  static func reason(_ function: String) -> String? {
    let words = "Core Data has no persistent stores, because none was opened before"
    guard function.hasPrefix("-[NSPersistentStoreCoordinator ") else { return nil }
    guard let start = function.firstRange(of: neverOpened)?.upperBound else {
      return function.hasSuffix(" _introspectLastErrorAndThrow]") ? words : nil
    }
    let detail = details.first { function[start...].hasPrefix($0.end) }
    return detail.map { "\(words) (\($0.words))" } ?? words
  }

  private static let neverOpened = " _coordinator_you_never_successfully_opened_the_database_"

  private static let details = [
    (end: "corrupted:", words: "corrupt file"), (end: "disk_full:", words: "disk full"),
    (end: "schema_mismatch:", words: "schema mismatch or migration failure"),
    (end: "device_locked:", words: "device locked"), (end: "io_error:", words: "I/O error"),
    (end: "missing_directory:", words: "missing directory"),
  ]
}
