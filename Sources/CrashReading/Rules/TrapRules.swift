import CodeOwnership
import CrashLogParser
import FunctionNames
import ReportSymbolication
import SymbolicationModel
import Wording

/// Trap instructions without words: who stopped, and what for as far as that can be known.
enum TrapRules {
  /// The name of a function that the compiler made up at the trap.
  static func compilerMessage(_ scene: CrashScene) -> CauseFinding? {
    guard let message = scene.trap else { return nil }
    let kind: CauseKind =
      message.text.hasPrefix("Swift runtime failure") ? .swiftRuntimeFailure : .trapMessage
    return CauseFinding(kind, message.text, .certain, [scene.frames.first.map(scene.evidence)])
  }

  /// ARM does not trap on integers.
  ///
  /// Source: XNU, osfmk/mach/i386/exception.h (`EXC_I386_DIV` 1); Intel Software Developer's
  /// Manual, volume 3, "Interrupt 0 - Divide Error Exception".
  static func division(_ scene: CrashScene) -> CauseFinding? {
    guard
      scene.exception.type?.hasPrefix("EXC_ARITHMETIC") == true
        || scene.exception.type == nil && scene.exception.signal == "SIGFPE"
    else { return nil }
    if let code = scene.exception.codes.first, code != 1,
      !scene.exception.details.hasBytes(of: "EXC_I386_DIV")
    {
      return nil
    }
    return CauseFinding(
      .division, "integer division by zero, or a quotient that does not fit", .likely,
      [scene.exceptionDetails, scene.exceptionField])
  }

  static func failedCheck(_ scene: CrashScene) -> CauseFinding? {
    if let finding = invalidInstruction(scene) { return finding }
    guard isTrap(scene.exception, scene) || isTrapOfSystem(scene) else { return nil }
    guard let frame = scene.innermostFrames.first else {
      let registers = [
        scene.exceptionField, scene.register("esr", scene.registers.exceptionSyndrome),
      ]
      if let words = breakpointMeaning(scene) {
        return CauseFinding(words.kind, words.text, .likely, registers)
      }
      // Its frames are not in the text, and a debugger's breakpoint has no such thread or code.
      let thread = scene.facts.statedCrashedThread
      guard thread != nil || !scene.exception.codes.isEmpty else { return nil }
      let place = scene.exception.type.flatMap { _ in thread.map { " on thread \($0)" } } ?? ""
      return CauseFinding(.failedCheck, trapWords(on: place), .possible, registers)
    }
    let evidence = [
      scene.exceptionField, scene.evidence(frame),
      scene.register("esr", scene.registers.exceptionSyndrome),
    ]
    if let words = breakpointMeaning(scene) {
      return CauseFinding(words.kind, words.text, .likely, evidence)
    }
    if frame.imageFileName.hasPrefix("libswiftCore") {
      if let inSource = scene.swiftFailureInSource { return inSource }
      return CauseFinding(
        .swiftRuntimeFailure,
        "stopped by the Swift runtime (fatal error, precondition, nil, overflow or cast)",
        .likely, evidence)
    }
    switch scene.owners.owner(of: frame) {
    case .system:
      let name = frame.imageFileName
      // A text may have no list of images.
      guard frame.image != nil || SystemImage(name).name != nil, !name.hasPrefix("dyld") else {
        // The registers say at least that it was a trap; or the exception does, where the text
        // breaks off above the list of images.
        let isOfPiece =
          scene.report.format == .ipsCrash && scene.report.images.isEmpty
          && frame.ownFunction != nil
        guard name == unknownImageName,
          isOfPiece || scene.report.hasThreadState && scene.registers.isTrap
        else { return nil }
        return CauseFinding(
          .failedCheck, isOfPiece && isSwift(frame) ? swiftWords : trapWords(), .possible, evidence)
      }
      if scene.lacksInnermostFrames {
        return CauseFinding(.failedCheck, trapWords(), .possible, evidence)
      }
      let function = frame.ownFunction.map { " (in \($0))" } ?? ""
      return CauseFinding(
        .failedCheck, "\(name) stopped the app: a failed check in \(name)\(function)", .likely,
        evidence)
    // It reports the state of a process that goes on, and calls that SIGTRAP.
    case .library(let title) where LibraryCode.isCrashHandler(title): return nil
    case .library(let title):
      return CauseFinding(
        .failedCheck, "a failed check in \(title)", .likely, evidence)
    case .user:
      if let inSource = scene.swiftFailureInSource { return inSource }
      // Where only the line is known, the trap may be in a library that it called: Xcode marks the
      // innermost line whose source it has.
      if isSwift(frame), frame.function != "<unknown>" {
        return CauseFinding(.swiftRuntimeFailure, swiftWords, .likely, evidence)
      }
      if let untranslated = untranslatedInstruction(scene) { return untranslated }
      return CauseFinding(
        .failedCheck, trapWords(), frame.function == nil ? .possible : .likely, evidence)
    }
  }

  private static let swiftWords =
    "a failed check in Swift code (nil, index, overflow, cast or precondition)"

  private static func trapWords(on thread: String = "") -> String {
    "stopped by a trap instruction\(thread)\(unexplained)"
  }

  /// How the words about a trap end that nothing else is known of.
  static let unexplained = ": a failed check, or a crash on purpose"

  /// Source:
  /// developer.apple.com/documentation/apple-silicon/about-the-rosetta-translation-environment.
  private static func untranslatedInstruction(_ scene: CrashScene) -> CauseFinding? {
    guard scene.facts.isTranslated == true, scene.exception.type == "EXC_BAD_INSTRUCTION"
    else { return nil }
    return CauseFinding(
      .trapInstruction,
      "an instruction that Rosetta does not translate, such as AVX; or a failed check", .possible,
      [scene.exceptionField, scene.field("Code Type", "translated")])
  }

  /// An instruction that ARM does not have, or not for programs. A vector instruction of floating
  /// point may also be one whose exception the program asked for: Apple's processors report that as
  /// an illegal instruction. Those of SVE and SME came later than most processors, which take some
  /// of them only in a mode of their own. Text, and code for Intel's processors, may look like one.
  ///
  /// Source: Arm Architecture Reference Manual, "Top-level encodings for A64" and "System register
  /// move"; XNU, EXTERNAL_HEADERS/mach-o/loader.h (`MH_MAGIC_64`);
  /// developer.apple.com/forums/thread/689159 (`FPCR` and `SIGILL`).
  private static func invalidInstruction(_ scene: CrashScene) -> CauseFinding? {
    guard let word = refusedInstruction(scene), !isTrap(instruction: word) else {
      return nil
    }
    let isOf64Bits = [.arm64, .arm64e, nil].contains(scene.facts.architecture)
    let meaning =
      if word == 0xfeed_facf || word == 0xfeed_face {
        "which begins the header of a Mach-O file: a call through a bad pointer to the start of an"
          + " image"
      } else if word == 0xe589_4855 {
        "which begins a function for Intel's processors: code of another architecture"
      } else if isOf64Bits, word >> 22 == 0xd500_0000 >> 22 {
        "which is an instruction for the system that programs may not use"
      } else if isOf64Bits, word >> 25 & 0b111 == 0b111 {
        "an illegal instruction: a trapped floating-point exception, or a vector instruction that"
          + " this processor does not have"
      } else if isOf64Bits, word >> 25 & 0b1111 == 0b0010 || word >> 25 & 0b100_1111 == 0b100_0000,
        PointerText.text(of: word, is64Bit: false) == nil
      {
        "an instruction of SVE or SME that the processor did not take, or a jump into data"
      } else {
        "which is no instruction: a jump into data, or damaged code"
      }
    return CauseFinding(
      .trapInstruction, "\(word.hexadecimal) was executed, \(meaning)", .likely,
      [scene.exceptionDetails, scene.exceptionField])
  }

  /// The four bytes of the instruction that an ARM processor refused: the second code, which is 0
  /// on Intel processors. lldb does not say which of them it was.
  ///
  /// Source: XNU, osfmk/arm64/sleh.c (`EXC_ARM_UNDEFINED`) and osfmk/i386/trap.c
  /// (`EXC_I386_INVOP`).
  private static func refusedInstruction(_ scene: CrashScene) -> UInt64? {
    guard scene.exception.type == "EXC_BAD_INSTRUCTION", scene.exception.codes.count > 1 else {
      return nil
    }
    let word = scene.exception.codes[1]
    guard scene.facts.architecture == nil else { return isIntel(scene) ? nil : word }
    return word != 0 && word <= UInt32.max && scene.exception.codes[0] == 1 ? word : nil
  }

  /// Whether compilers use the instruction to stop a program: `brk`, `udf` with a number, and those
  /// of 32-bit processors. Zeros are data.
  ///
  /// Source: Arm Architecture Reference Manual (`BRK`, `UDF`); LLVM, ARMInstrInfo.td and
  /// ARMInstrThumb.td (`TRAP` is 0xe7ffdefe, and 0xdefe in Thumb).
  private static func isTrap(instruction word: UInt64) -> Bool {
    if word == 0xe7ff_defe { return true }
    return word & 0xffe0_001f == 0xd420_0000 || 1...0xffff ~= word
  }

  /// Also if the text does not say which processor it was.
  private static func isIntel(_ scene: CrashScene) -> Bool {
    scene.facts.architecture == nil || scene.facts.isOfIntel
  }

  /// On Intel processors a trap is an invalid instruction (`ud2`).
  private static func isTrap(_ exception: ReportFacts.CrashException, _ scene: CrashScene) -> Bool {
    switch exception.type {
    case "EXC_BREAKPOINT": true
    case "EXC_BAD_INSTRUCTION":
      (isIntel(scene) || refusedInstruction(scene).map { isTrap(instruction: $0) } ?? false)
        && exception.codes.first.map { $0 == 1 } ?? true
    // Where the head was cut off, the registers show it.
    case nil:
      exception.signal.map { $0 == "SIGTRAP" }
        ?? (scene.report.hasThreadState && scene.registers.isTrap)
    default: false
    }
  }

  /// Whether the program said itself that it got the signal of an invalid instruction, as the Java
  /// VM does, in a function of the system. That is made for all processors that the system runs
  /// on, so the instruction is the one that compilers put behind a failed check, and no new one.
  ///
  /// Source: LLVM, X86InstrInfo.td (`TRAP` is `ud2`); XNU, bsd/dev/i386/unix_signal.c
  /// (`EXC_BAD_INSTRUCTION` is SIGILL).
  private static func isTrapOfSystem(_ scene: CrashScene) -> Bool {
    guard scene.exception.type == nil, scene.exception.signal == "SIGILL", isIntel(scene),
      let frame = scene.innermostFrames.first, frame.ownFunction != nil
    else { return false }
    return scene.owners.owner(of: frame) == .system && SystemImage(frame.imageFileName).name != nil
  }

  /// What the number of the breakpoint instruction says.
  ///
  /// Source: LLVM, AArch64AsmPrinter (`brk #0xc470` to `0xc473` if a signed pointer fails its
  /// check); clang, CodeGenFunction::EmitTrapCheck (`brk #0x5500` plus the number of the check).
  private static func breakpointMeaning(_ scene: CrashScene) -> (kind: CauseKind, text: String)? {
    guard let number = scene.registers.breakpoint else { return nil }
    switch number {
    case 0xc470...0xc473:
      return (
        .pointerAuthentication,
        "pointer authentication failed: a signed pointer was overwritten or misused"
      )
    case 0x5519: return (.failedCheck, "an access outside its bounds (-fbounds-safety)")
    case 0x5500...0x55ff:
      return (
        .failedCheck,
        "a check failed that the compiler put in for bounds or undefined behaviour (brk \(number.hexadecimal))"
      )
    default: return nil
    }
  }

  private static func isSwift(_ frame: ShownFrame) -> Bool {
    if let file = frame.file { return file.hasSuffix(".swift") || file == "<compiler-generated>" }
    guard let function = frame.function else { return false }
    return function.hasBytes(of: "(_:") || function.hasBytes(of: ":)")
      || function.hasPrefix("closure #")
      || function.hasPrefix("specialized ") || function.hasPrefix("static ")
      || function.hasSuffix(".getter") || function.hasSuffix(".setter")
      || function.hasSuffix("()")
        && function.hasBytes(of: ".") && !function.hasBytes(of: "::")
  }
}

extension CrashScene {
  /// What the source line at the place of the crash says about a failure in Swift, if source lines
  /// are at hand (`--source-context`): the one expression on it that can fail.
  var swiftFailureInSource: CauseFinding? {
    guard let excerpt = site?.frame.source, site?.frame.file?.hasSuffix(".swift") == true,
      excerpt.lines.indices.contains(excerpt.line - excerpt.firstLine)
    else { return nil }
    let line = excerpt.lines[excerpt.line - excerpt.firstLine]
    let found = Self.failingExpressions.filter { line.hasBytes(of: $0.text) }
    guard let expression = found.first, found.count == 1 else { return nil }
    let code = line.drop { $0.isWhitespace }
    return CauseFinding(
      .swiftRuntimeFailure, expression.meaning, .likely,
      [CauseEvidence(source: .sourceLine, text: String(code), byteRange: nil)])
  }

  private static let failingExpressions: [(text: String, meaning: String)] = [
    ("preconditionFailure(", "preconditionFailure() was called"),
    ("assertionFailure(", "assertionFailure() was called"),
    ("fatalError(", "fatalError() was called"),
    ("precondition(", "a precondition failed"),
    ("try!", "try! of an expression that threw an error"),
    ("as!", "a forced cast (as!) of a value of another type"),
  ]
}
