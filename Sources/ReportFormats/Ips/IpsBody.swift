package import JsonReading
package import ReportModel

/// The body of an `.ips` report with the values that several readers need. Everything is read from
/// the bytes each time it is asked for, and is nil if it is missing or of the wrong kind: copies
/// from TestFlight lack much of it.
package struct IpsBody: Sendable {
  package let json: JsonValue
  /// The object above the body; nil if the file has only the body.
  private let header: JsonHeader?

  package init(_ json: JsonValue, header: JsonHeader?) {
    self.json = json
    self.header = header
  }

  /// `CFBundleShortVersionString`.
  package var bundleShortVersion: String? { json[.bundleInfo]?[.bundleShortVersion]?.string }
  package var bundleVersion: String? { json[.bundleInfo]?[.bundleVersion]?.string }
  package var bundleIdentifier: String? { json[.bundleInfo]?[.bundleIdentifier]?.string }
  /// The name and version of the system: `iPhone OS 16.0`.
  package var osTrain: String? { json[.osVersion]?[.train]?.string }
  /// Whether the system is a device's, not a Mac's or a simulator's.
  package var isEmbedded: Bool { json[.osVersion]?[.isEmbedded]?.isAffirmative ?? false }
  /// The platform of the executable by its Mach-O number (`PLATFORM_MACOS` 1, `PLATFORM_IOS` 2,
  /// simulators 7 to 9), which only the header has.
  package var platform: Int? { header?.text("platform").flatMap { Int($0) } }
  /// The thread that the report points at: its index in the list of threads.
  package var faultingThread: Int? { number(.faultingThread) }

  package func string(_ key: IpsKey) -> String? { json[key]?.string }

  package func number(_ key: IpsKey) -> Int? {
    json[key]?.integer.flatMap { Int(exactly: $0) }
  }
}
