import ReportRuns
import ReportTestSupport
import TestSupport
import Testing

/// Finding the frame of the user's own code that crashed.
struct UserCodeTests {
  /// A report of a thread in three images: the system's, one at `imagePath`, and the main
  /// executable. The function names tell the frames apart.
  private func place(
    _ imagePath: String, process: String, architecture: String = "arm64",
    base: UInt64 = 0x1_1000_0000
  ) throws -> String? {
    let code = architecture == "arm64" ? "ARM-64" : "X86-64"
    let digits = String(base, radix: 16)
    let address = String(base + 0x1000, radix: 16)
    let end = String(base + 0xffff, radix: 16)
    let text = """
      Process:             Game [1]
      Path:                \(process)
      Code Type:           \(code)
      Exception Type:      EXC_CRASH (SIGABRT)
      Report Version:      104

      Thread 0 Crashed:
      0   libsystem_kernel.dylib 0x0000000190001000 __pthread_kill + 8
      1   \(imagePath.split(separator: "/").last ?? "x") 0x\(address) there + 1 (There.swift:2)
      2   Game 0x0000000100001000 here + 1 (Here.swift:1)

      Binary Images:
      0x190000000 - 0x190ffffff libsystem_kernel.dylib \(architecture)  <00112233445566778899aabbccddeeff> /usr/lib/system/libsystem_kernel.dylib
      0x\(digits) - 0x\(end) \(imagePath.split(separator: "/").last ?? "x") \(architecture)  <11112233445566778899aabbccddeeff> \(imagePath)
      0x100000000 - 0x10000ffff Game \(architecture)  <22112233445566778899aabbccddeeff> \(process)

      """
    return try JsonFixture.report(text, with: []).crash.frame?.function
  }

  /// Frames of macOS 11 and earlier name the executable by the identifier of its bundle.
  @Test func identifiersInFrames() throws {
    let text = """
      Process:         Game [1]
      Path:            /Applications/Game.app/Contents/MacOS/Game
      Identifier:      org.example.Game
      Exception Type:  EXC_BAD_ACCESS (SIGSEGV)

      Thread 0 Crashed:
      0   com.apple.AppKit                0x00007fff8c28a097 -[NSView draw] + 23
      1   org.example.Game                0x00000001000117bf -[Board draw] + 12
      2   com.apple.AppKit                0x00007fff94759dec NSApplicationMain + 23
      3   org.example.Game                0x0000000100001234 main + 12
      4   libdyld.dylib                   0x00007fff94759c54 start + 1

      """
    expectEqual(try JsonFixture.report(text, with: []).crash.frame?.function, "-[Board draw]")
    let idle = text.replacing(
      "1   org.example.Game                0x00000001000117bf -[Board draw]",
      with: "1   com.apple.AppKit                0x00007fff8c28a0bf -[NSView drawRect:]")
    expectNil(try JsonFixture.report(idle, with: []).crash.frame)
    let service = idle.replacing("com.apple.AppKit   ", with: "com.apple.ViewBridge")
    expectNil(try JsonFixture.report(service, with: []).crash.frame)
  }

  /// gdb names libraries only.
  @Test func framesOfGdb() throws {
    let text = """
      Program received signal SIGABRT, Aborted.
      #0  __GI_raise (sig=6) at ../sysdeps/unix/sysv/linux/raise.c:50
      #1  0x00007ffff7dca859 in __GI_abort () at abort.c:79
      #2  0x00007ffff7e3d47c in malloc_printerr (str=0x7ffff7f615d0 "free(): double free") at malloc.c:5347
      #3  0x0000555555555200 in release_all (c=0x55555556e2c0) at cache.c:42
      #4  0x0000555555555230 in main () at main.c:12

      """
    let found = try JsonFixture.report(text, with: []).crash
    expectEqual(found.frame?.function, "release_all")
    expectEqual(found.kind, "heapDamage")
    let alone = "(gdb) bt\n#0  0x0000555555555230 in main () at main.c:12\n"
    expectEqual(try JsonFixture.report(alone, with: []).crash.frame?.function, "main")
  }

  private static let container = "/private/var/containers/Bundle/Application/98F17500"

  @Test(
    arguments: [
      ("\(container)/Game.app/Frameworks/Kit.framework/Kit", "there"),
      // Two names for the same folder, and anonymised containers.
      ("/var/containers/Bundle/Application/98F17500/Game.app/PlugIns/W.appex/W", "there"),
      ("/var/containers/Bundle/Application/XXXX/Game.app/Frameworks/Kit", "there"),
      ("\(container)/Other.app/Other", "here"),
      ("\(container)/Game.app/Frameworks/libswiftCore.dylib", "here"),
      ("/usr/lib/libKit.dylib", "here"), ("/Library/MobileSubstrate/libKit.dylib", "here"),
      ("/Library/Developer/CoreSimulator/A/RuntimeRoot/Game.app/Kit", "here"),
      ("/Applications/Xcode.app/Contents/Developer/A.platform/Developer/Library/Kit", "here"),
    ])
  func imagesOfAnApp(path: String, function: String) throws {
    try expectEqual(place(path, process: Self.container + "/Game.app/Game"), function)
  }

  @Test(
    arguments: [
      ("/Users/me/build/Kit.framework/Versions/A/Kit", "there"),
      ("/Users/me/build/libKit.dylib", "there"),
      ("/Users/me/build/libswiftCore.so", "here"), ("/Users/me/build/libFoundation.so", "here"),
      ("/Users/me/build/libswiftly.a", "there"),
      ("/Users/me/buildings/libKit.dylib", "here"), ("/opt/Kit/libKit.dylib", "here"),
    ])
  func imagesOfAProgram(path: String, function: String) throws {
    try expectEqual(place(path, process: "/Users/me/build/Game"), function)
  }

  @Test func cutPaths() throws {
    try expectEqual(
      place("/Users/USER/*/Kit.framework/Kit", process: "/Users/USER/*/Game"), "there")
    try expectEqual(place("*/Kit", process: "/private/tmp/*/Game"), "here")
    try expectEqual(place("/Users/USER/*/Kit", process: "/Users/USER/A/Game.app/Game"), "there")
    try expectEqual(place("/Volumes/VOLUME/*/Kit", process: "/Users/USER/Game.app/Game"), "here")
    // Without any other information, the name identifies the main executable.
    try expectEqual(place("*/Kit", process: "???"), "here")
    try expectEqual(place("/Applications/Game.app/Contents/MacOS/Kit", process: "???"), "there")
  }

  /// Frames alone, as people paste them: what is not the system's by name or address is the user's.
  @Test(
    arguments: [
      ("Game", 0x1_0000_1000, "place"), ("UIKitCore", 0x1_0000_1000, nil),
      ("Other", 0x1_8463_1000, nil), ("com.apple.CoreFoundation", 0x1_0000_1000, nil),
      ("libFoo.dylib", 0x1_0000_1000, "place"), ("libsystem_c.dylib", 0x1_0000_1000, nil),
      ("AppKit", 0x1_0000_1000, nil), ("libswiftCore.dylib", 0x1_0000_1000, nil),
      ("???", 0x1_0000_1000, nil),
    ] as [(String, UInt64, String?)])
  func framesAlone(image: String, address: UInt64, function: String?) throws {
    let text = """
      Thread 0 Crashed:
      0   libsystem_kernel.dylib 0x0000000190001000 __pthread_kill + 8
      \(ReportFixture.line(1, address, image: image, "place + 8"))

      """
    try expectEqual(JsonFixture.report(text, with: []).crash.frame?.function, function)
  }

  /// An app may lie where the system's libraries do. A source file shows whose it is.
  @Test func aSourceFileAmongTheSystemsAddresses() throws {
    let text = """
      Thread 0 Crashed:
      0   libsystem_blocks.dylib  0x3ebd27afc  _Block_copy
      1   Other                   0x2057d58c8  -[Board draw] (Board.m:54)

      """
    try expectEqual(JsonFixture.report(text, with: []).crash.frame?.function, "-[Board draw]")
  }

  /// A system process has no user code.
  @Test func systemProcesses() throws {
    try expectNil(place("/usr/lib/libKit.dylib", process: "/usr/libexec/Game"))
  }

  /// If the path is cut, addresses and names that only system libraries have decide.
  @Test(
    arguments: [
      ("/Volumes/VOLUME/*/Kit.framework/Kit", "arm64", 0x1_8463_1000, true),
      ("/Volumes/VOLUME/*/Kit.framework/Kit", "arm64", 0x1_0463_1000, false),
      ("/Volumes/VOLUME/*/dyld_sim", "arm64", 0x1_00d0_c000, true),
      ("/Volumes/VOLUME/*/libsystem_c.dylib", "x86_64", 0x1_00d0_c000, true),
      ("/Volumes/VOLUME/*/libswiftCore.dylib", "arm64", 0x1_00d0_c000, false),
      ("/Volumes/VOLUME/*/libswiftCore.dylib", "arm64", 0x1_80d0_c000, true),
      ("/Volumes/VOLUME/*/Kit", "x86_64", 0x7ff8_1f34_0000, true),
      // Programs may be loaded here on x86_64, but not on arm64.
      ("/Volumes/VOLUME/*/Kit", "x86_64", 0x1_8463_1000, false),
      ("/Volumes/VOLUME/*/Kit", "armv7", 0x1_8463_1000, false),
      ("???", "arm64", 0x1_8463_1000, true),
      // A complete path counts more than a name.
      ("/Users/me/Game.app/Frameworks/UIKit", "arm64", 0x1_00d0_c000, false),
    ] as [(String, String, UInt64, Bool)])
  func imagesOfTheSystem(path: String, architecture: String, base: UInt64, isSystem: Bool) throws {
    let line =
      "0x\(String(base, radix: 16)) - 0x\(String(base + 0xffff, radix: 16)) Kit \(architecture)  <11112233445566778899aabbccddeeff> \(path)"
    let text = ReportFixture.report(
      frames: [ReportFixture.line(0, base, image: "Kit", "0x\(String(base, radix: 16)) + 0")],
      images: [line])
    let report = try JsonFixture.report(text, with: [])
    expectEqual(report.images[0].system, isSystem)
    let result = ReportFixture.symbolicate(text, with: [])
    expectEqual(result.notes.contains { $0.contains("give its dSYM with -d") }, !isSystem)
  }

  // MARK: Lines

  private func place(_ frames: [String]) throws -> JsonReport.Frame? {
    try JsonFixture.report(TrapReportFixture.report(frames), with: []).crash.frame
  }

  private static let address: UInt64 = 0x1_0000_1000

  /// The optimiser merged the lines of a function that somebody wrote. It is nearer to the crash
  /// than its caller. A call inlined into a function with a line is not.
  @Test func aFunctionWithLineZeroIsThePlace() throws {
    let outer = TrapReportFixture.stated(1, Self.address, "A.g() + 1 (A.swift:4)")
    let merged = try place([
      TrapReportFixture.stated(0, Self.address, "A.f() + 1 (A.swift:0)"), outer,
    ])
    expectEqual(merged?.function, "A.f()")
    expectEqual(merged?.line, 0)
    let inlined = try place([
      TrapReportFixture.stated(0, Self.address, "A.f() + 1 (A.swift:0) [inlined]"), outer,
    ])
    expectEqual(inlined?.function, "A.g()")
    expectEqual(inlined?.line, 4)
  }

  @Test(
    arguments: [
      "f + 1 (<compiler-generated>:0)", "f + 1 (/<compiler-generated>:3)", "f + 1 (<stdin>:1)",
      "f + 1 (/<unknown>:1)", "@objc A.f() + 1 (A.swift:9)",
      "<deduplicated_symbol> + 1 (A.swift:9)", "OUTLINED_FUNCTION_3 + 1 (A.swift:9)",
      "outlined copy of A + 1 (<compiler-generated>:0)",
      "type metadata accessor for A + 1 (A.swift:0)",
      "thunk for @escaping @callee_guaranteed () -> () + 1 (<compiler-generated>:0)",
      "partial apply for closure #1 in A.f() + 1 (<compiler-generated>:0)",
      "protocol witness for A.f() in conformance B + 1 (A.swift:2)",
      "std::__1::vector<int>::operator[][abi:se180100](unsigned long) + 100 (vector:1393)",
      "Swift runtime failure: Index out of range + 0 (A.swift:3)",
    ])
  func generatedCodeIsSkipped(content: String) throws {
    for end in ["", " [inlined]"] {
      let frame = try require(
        place([
          TrapReportFixture.stated(0, Self.address, content + end),
          TrapReportFixture.stated(1, Self.address, "A.g() + 1 (A.swift:4)"),
        ]))
      expectEqual(frame.index, 1)
      expectEqual(frame.function, "A.g()")
      expectEqual(frame.line, 4)
    }
  }

  @Test func withoutLinesTheFirstFunctionIsNamed() throws {
    let generated = TrapReportFixture.stated(1, Self.address, "A.f() + 1 (<compiler-generated>:0)")
    let thunk = TrapReportFixture.stated(0, Self.address, "@objc A.f() + 1 (A.swift:9)")
    let system = TrapReportFixture.system(2, "a + 1")
    try expectEqual(place([thunk, generated, system])?.function, "A.f()")
    try expectEqual(place([thunk, system])?.function, "@objc A.f()")
    try expectNil(place([system]))
    // A frame that called the system is a different place.
    let caller = TrapReportFixture.stated(3, Self.address, "A.main() + 1 (A.swift:4)")
    try expectEqual(place([thunk, generated, system, caller])?.function, "A.f()")
    try expectEqual(place([thunk, generated, caller])?.function, "A.main()")
    // So is a frame after one that nothing is known about.
    let unnamed = TrapReportFixture.frame(1, Self.address)
    let found = try require(place([system, unnamed, caller]))
    expectTrue(found.index == 1 && found.function == nil)
    let named = TrapReportFixture.stated(1, Self.address, "-[A f] + 1")
    try expectEqual(place([system, named, caller])?.function, "-[A f]")
  }

  /// `main` of an app is the caller of everything that the app does.
  @Test func mainOfAnAppIsNotThePlace() throws {
    let loop =
      "0x1a0000000 - 0x1a0ffffff UIKitCore arm64  <aa112233445566778899aabbccddeeff> /System/Library/PrivateFrameworks/UIKitCore.framework/UIKitCore"
    let loader =
      "0x1b0000000 - 0x1b0ffffff dyld arm64  <bb112233445566778899aabbccddeeff> /usr/lib/dyld"
    let frames = [
      TrapReportFixture.system(0, "a + 1"),
      ReportFixture.line(1, 0x1_a000_1000, image: "UIKitCore", "UIApplicationMain + 1"),
      TrapReportFixture.stated(2, Self.address, "static App.$main() + 1 (<compiler-generated>:0)"),
      TrapReportFixture.stated(3, Self.address, "main + 1 (App.swift:9)"),
      ReportFixture.line(4, 0x1_b000_1000, image: "dyld", "start + 1"),
    ]
    let images = [TrapReportFixture.inlinesLine, TrapReportFixture.systemLine, loop, loader]
    func place(_ frames: [String]) throws -> String? {
      try JsonFixture.report(TrapReportFixture.report(frames, images: images), with: []).crash
        .frame?.function
    }
    try expectNil(place(frames))
    try expectNil(place(Array(frames.dropLast())))
    // If only dyld called it, it is the program itself.
    try expectEqual(place([frames[0], frames[3], frames[4]]), "main")
    let inner = TrapReportFixture.stated(0, Self.address, "A.f() + 1 (A.swift:4)")
    try expectEqual(place([inner] + frames), "A.f()")
  }

  /// Without a list of images, the name decides.
  @Test func framesOfUnlistedImages() throws {
    let text = """
      Process: Game [1]
      Code Type: ARM-64
      Report Version: 104

      Thread 0 Crashed:
      0   libsystem_kernel.dylib 0x0000000190001000 __pthread_kill + 8
      1   Game 0x0000000100001000 main + 1 (main.m:16)

      """
    try expectEqual(JsonFixture.report(text, with: []).crash.frame?.function, "main")
  }

  /// The exception's backtrace takes precedence over the crashed thread's.
  @Test func backtracesOfExceptions() throws {
    let before = """

      Last Exception Backtrace:
      0   libswiftCore.dylib 0x0000000190001000 objc_exception_throw + 8
      1   Inlines 0x0000000100001000 A.f() + 1 (A.swift:4)

      """
    let text = TrapReportFixture.report(
      [TrapReportFixture.stated(0, Self.address, "A.g() + 1 (A.swift:5)")],
      head: "Exception Type:  EXC_CRASH (SIGABRT)", before: before)
    let crash = try JsonFixture.report(text, with: []).crash
    expectEqual(crash.backtrace, 0)
    expectEqual(crash.frame?.function, "A.f()")
    expectEqual(crash.reason, "uncaught Objective-C exception thrown by A.f()")
    // With several threads and none marked as crashed, there is no crash backtrace.
    let hang = text.replacing("Last Exception Backtrace:", with: "Thread 1:")
      .replacing("Thread 0 Crashed:", with: "Thread 0:")
    try expectNil(JsonFixture.report(hang, with: []).crash.backtrace)
  }
}
