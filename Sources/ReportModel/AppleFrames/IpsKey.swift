package import JsonReading

/// The keys of an `.ips` report, spelt here and nowhere else.
package enum IpsKey: String, CaseIterable, Sendable {
  // The body
  case applicationSpecificInformation = "asi"
  case applicationSpecificBacktraces = "asiBacktraces"
  case applicationSpecificSignatures = "asiSignatures"
  case basebandVersion, bridgeVersion
  case bugType = "bug_type"
  case bundleInfo, captureTime, coalitionID, coalitionName, cpuType, crashReporterKey
  case exception, exceptionReason, extMods, fatalDyldError, faultingThread, incident, isCorpse
  case ktriageinfo, lastExceptionBacktrace, legacyInfo, modelCode, osVersion, parentPid, parentProc
  case pid, procLaunch, procName, procPath, procRole, reportNotes, responsiblePid, responsibleProc
  case sip, sleepWakeUUID, storeInfo, termination, threads, translated, uptime, usedImages, userID
  case vmRegionInfo, vmSummary, wakeTime

  // Frames
  case imageIndex, imageOffset, inline, sourceFile, sourceLine, symbol, symbolLocation

  // Threads
  case frames, id, instructionState, name, queue, threadState, triggered
  case bytes, instructionStream, offset

  // Images, and the bundle of the process
  case arch, base, path, size, source, uuid
  case bundleIdentifier = "CFBundleIdentifier"
  case bundleShortVersion = "CFBundleShortVersionString"
  case bundleVersion = "CFBundleVersion"

  // The exception and what ended the process
  case arguments, byPid, byProc, code, codes, composedMessage = "composed_message", description
  case details, formatString = "format_string", indicator
  case message, namespace, rawCodes, reasons, signal, subtype, type, value

  // The system and the store
  case applicationVariant, build, deviceIdentifierForVendor, distributorID
  case appStoreTools = "DTAppStoreToolsBuild"
  case entitledBeta, isBeta, isEmbedded, itemID, releaseType, threadTriggered, train
}

extension JsonValue {
  /// The value of the first member with this key; nil for values other than objects.
  package subscript(key: IpsKey) -> JsonValue? { self[key.rawValue] }
}

extension IpsKey {
  /// A member of no report, which a wrapping puts into the first of the threads if the list of them
  /// begins within it.
  package static let keyOfPiece = "isPiece"

  /// What the value of a key is in the reports of Apple's writers.
  package enum Kind {
    case object, array, string
    /// A whole number that is not negative.
    case unsigned
    /// A whole number.
    case number
    /// `true` and `false`: as such, as strings, or as numbers.
    case boolean

    /// `null` fits every kind: it counts as missing.
    package func fits(_ value: JsonValue) -> Bool {
      switch (self, value.kind) {
      case (_, .null), (.object, .object), (.array, .array), (.string, .string),
        (.boolean, .true), (.boolean, .false):
        true
      case (.boolean, .string): ["true", "false"].contains(value.string)
      case (.unsigned, .number), (.boolean, .number): value.unsignedInteger != nil
      case (.number, .number): value.integer != nil || value.unsignedInteger != nil
      default: false
      }
    }
  }

  package struct Expectation {
    package let key: IpsKey
    /// The key for a quick comparison; nil for a long key.
    package let packedKey: JsonPackedKey?
    package let kind: Kind
  }

  /// What a member has to be; nil for a key that is not checked.
  package static func expectation(of member: JsonMember, among list: [Expectation]) -> Expectation?
  {
    let key = member.packedKey
    // Of keys that are long or have escapes, nearly all are long.
    for expected in list where expected.packedKey == key {
      if key != nil || member.hasKey(expected.key.rawValue) { return expected }
    }
    return key == nil ? list.first { member.hasKey($0.key.rawValue) } : nil
  }

  package static let inBody = expectations([
    (.threads, .array), (.usedImages, .array), (.lastExceptionBacktrace, .array),
    (.applicationSpecificBacktraces, .array), (.faultingThread, .number), (.exception, .object),
    (.termination, .object), (.osVersion, .object), (.bundleInfo, .object), (.incident, .string),
    (.crashReporterKey, .string), (.procName, .string), (.procPath, .string), (.pid, .number),
    (.cpuType, .string), (.modelCode, .string), (.translated, .boolean),
  ])
  package static let inThread = expectations([
    (.frames, .array), (.id, .unsigned), (.triggered, .boolean), (.name, .string),
    (.queue, .string),
  ])
  package static let inFrame = expectations([
    (.symbol, .string), (.symbolLocation, .unsigned), (.sourceFile, .string),
    (.sourceLine, .unsigned), (.inline, .boolean),
  ])
  package static let inImage = expectations([
    (.base, .unsigned), (.size, .unsigned), (.source, .string), (.name, .string),
    (.path, .string), (.arch, .string), (.uuid, .string), (.bundleIdentifier, .string),
    (.bundleVersion, .string), (.bundleShortVersion, .string),
  ])

  private static func expectations(_ list: [(IpsKey, Kind)]) -> [Expectation] {
    list.map { Expectation(key: $0.0, packedKey: JsonPackedKey($0.0.rawValue), kind: $0.1) }
  }
}
