import CrashLogParser

/// The layout of Apple's text for a report.
///
/// It follows the system that crashed. Apple's tools also follow the system that they run on: on
/// macOS 26 they write reports of devices like those of Macs. Here such reports get the layout that
/// TestFlight and Xcode's Organizer give them.
struct IpsLayout {
  enum Kind {
    /// Devices with iOS and its relatives, and simulators on macOS up to 15: `Incident Identifier:`
    /// comes first, `EOF` last.
    case embedded
    /// macOS 12 to 15: `Process:` comes first, with values in column 23.
    case mac
    /// macOS 26 and later, simulators included: `Process:` comes first, with values in column 21.
    case unified
  }

  package let kind: Kind
  /// Whether the name of a thread has a line of its own (`Thread 0 name:`) and images show their
  /// architecture, as on devices. Otherwise a thread's name follows its number, and images show
  /// their version.
  let hasDeviceLines: Bool

  init(of body: IpsBody) {
    hasDeviceLines = body.isEmbedded
    if body.isEmbedded {
      kind = .embedded
    } else if Self.majorVersion(of: body.osTrain ?? "") >= 26 {
      kind = .unified
    } else if let platform = body.platform, Self.simulatorPlatforms.contains(platform) {
      kind = .embedded
    } else {
      kind = .mac
    }
  }

  /// `PLATFORM_IOSSIMULATOR`, `PLATFORM_TVOSSIMULATOR`, `PLATFORM_WATCHOSSIMULATOR` and
  /// `PLATFORM_VISIONOSSIMULATOR` of `<mach-o/loader.h>`.
  private static let simulatorPlatforms: Set<Int> = [7, 8, 9, 12]

  /// The first number in a name such as `macOS 26.5.1`; 0 if there is none.
  private static func majorVersion(of train: String) -> Int {
    let digits = train.utf8.drop { !isDigit($0) }.prefix { isDigit($0) }
    return Int(String(Substring(digits))) ?? 0
  }

  private static func isDigit(_ byte: UInt8) -> Bool {
    byte >= UInt8(ascii: "0") && byte <= UInt8(ascii: "9")
  }
}
