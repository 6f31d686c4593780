/// What reports say of the process, the system and the crash. All is read from the bytes at each call,
/// and nil where it is missing or of the wrong kind: TestFlight's copies lack much of it.
extension IpsReport {
  /// Apple's number of the kind of report, such as `309`: by the header, else by the body.
  public var bugType: String? { header?.bugType ?? body["bug_type"]?.string }
  public var incidentIdentifier: String? { text("incident") ?? header?.text("incident_id") }
  public var crashReporterKey: String? { text("crashReporterKey") }

  // MARK: Process

  public var processName: String? { text("procName") }
  /// The path of the executable: complete, or cut (`/Users/USER/*/App`).
  public var processPath: String? { text("procPath") }
  public var processIdentifier: Int? { number("pid") }
  public var parentProcessName: String? { text("parentProc") }
  public var parentProcessIdentifier: Int? { number("parentPid") }
  /// `Foreground`, `Background`, `Unspecified`, ….
  public var role: String? { text("procRole") }
  public var bundleIdentifier: String? { body["bundleInfo"]?["CFBundleIdentifier"]?.string }
  /// `CFBundleVersion`.
  public var bundleVersion: String? { body["bundleInfo"]?["CFBundleVersion"]?.string }
  /// `CFBundleShortVersionString`.
  public var bundleShortVersion: String? {
    body["bundleInfo"]?["CFBundleShortVersionString"]?.string
  }
  /// `ARM-64`, `X86-64`, ….
  public var cpuType: String? { text("cpuType") }
  /// Whether the process ran under Rosetta.
  public var isTranslated: Bool? { body["translated"]?.boolean }
  /// When the crash happened, as printed: `2022-08-04 01:11:01.2455 +0900`.
  public var captureTime: String? { text("captureTime") }
  public var launchTime: String? { text("procLaunch") }

  // MARK: System

  public var hardwareModel: String? { text("modelCode") }
  /// The name and version of the system: `iPhone OS 16.0`.
  public var osTrain: String? { body["osVersion"]?["train"]?.string }
  public var osBuild: String? { body["osVersion"]?["build"]?.string }
  /// Whether the system is that of a device, not of a Mac or a simulator on one.
  public var isEmbedded: Bool { body["osVersion"]?["isEmbedded"]?.isAffirmative ?? false }
  /// The platform of the executable by its Mach-O number (`PLATFORM_MACOS` 1, `PLATFORM_IOS` 2, …
  /// simulators 7 to 9), which only the header has.
  public var platform: Int? { header?.text("platform").flatMap { Int($0) } }

  // MARK: Crash

  /// `EXC_BAD_ACCESS`.
  public var exceptionType: String? { body["exception"]?["type"]?.string }
  /// `SIGSEGV`.
  public var exceptionSignal: String? { body["exception"]?["signal"]?.string }
  /// The codes as printed: `0x0000000000000001, 0x0000000000000000`.
  public var exceptionCodes: String? { body["exception"]?["codes"]?.string }
  /// The same as numbers; those that do not fit into 64 bits are left out.
  public var exceptionRawCodes: [UInt64] {
    body["exception"]?["rawCodes"]?.elements.compactMap {
      $0.unsignedInteger ?? $0.integer.map { UInt64(bitPattern: $0) }
    } ?? []
  }
  /// `KERN_INVALID_ADDRESS at 0x0000000000000001`.
  public var exceptionSubtype: String? { body["exception"]?["subtype"]?.string }
  public var exceptionMessage: String? { body["exception"]?["message"]?.string }
  public var terminationNamespace: String? { body["termination"]?["namespace"]?.string }
  public var terminationCode: UInt64? { body["termination"]?["code"]?.unsignedInteger }
  public var terminationIndicator: String? { body["termination"]?["indicator"]?.string }
  /// The number of the thread at which the report points, as ``IpsThread/index`` counts.
  public var faultingThreadIndex: Int? { number("faultingThread") }

  /// The thread that crashed: the one that says so, else the one at which the report points.
  public var crashedThread: IpsThread? {
    if let thread = threads.first(where: \.isTriggered) { return thread }
    guard let index = faultingThreadIndex else { return nil }
    return threads.first { $0.index == index }
  }

  private func text(_ key: String) -> String? { body[key]?.string }

  private func number(_ key: String) -> Int? {
    body[key]?.integer.flatMap { Int(exactly: $0) }
  }
}
