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
  case byPid, byProc, code, codes, composedMessage = "composed_message", description, details
  case indicator, message, namespace, rawCodes, reasons, signal, subtype, type, value

  // The system and the store
  case applicationVariant, build, deviceIdentifierForVendor, distributorID
  case appStoreTools = "DTAppStoreToolsBuild"
  case entitledBeta, isEmbedded, releaseType, threadTriggered, train
}

extension JsonValue {
  /// The value of the first member with this key; nil for values other than objects.
  package subscript(key: IpsKey) -> JsonValue? { self[key.rawValue] }
}
