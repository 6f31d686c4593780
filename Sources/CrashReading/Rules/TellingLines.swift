package import CrashLogParser
import FunctionNames
import SymbolicationModel
import Wording

// Which lines of the application's information say why it crashed.

extension ReportFacts {
  /// The first line of the application's information that mentions a failure.
  var toldFailure: String? {
    ownInformation.first { line in
      isTelling(line) && Self.failures.contains { line.hasBytes(of: $0) }
    }
  }

  private func isTelling(_ line: String) -> Bool {
    // It is about an exception that was thrown earlier, as in `thrownException`.
    if exception.isMemoryFault, line.hasPrefix("*** Terminating app due to uncaught exception") {
      return false
    }
    if exception.isMemoryFault, isOfOtherCrash(line) || saysAddress(line) { return false }
    return !Self.isBoilerplate(line) && !Self.isNoteOfSdk(line) && !isOfCommand(line)
      && ![": garbage collection is O", "]: GC: "].contains { line.hasBytes(of: $0) }
      && !Self.circumstances.contains { line.hasPrefix($0) || Self.isCut(line, of: $0) }
      && !isLabel(line) && !Self.isProgramsVersion(line) && !Self.isStepOfDump(line)
      && !isCutCopy(line)
      && !Self.progress.contains { line.hasBytes(of: $0) }
  }

  /// Whether a line of a bad access is a word alone, or one with a version behind it: the label of
  /// a build, as Logic Pro leaves it there (`BoardRelease-5182`), or a mode. Who says what failed
  /// needs more words, or one that stands for a failure.
  private func isLabel(_ line: String) -> Bool {
    // Crash SDKs leave the selector alone that was being sent.
    if ["release", "retain", "autorelease", "dealloc"].contains(line) { return true }
    guard exception.isMemoryFault, line.utf8.count < 64 else { return false }
    let words = line.split(separator: " ")
    guard let first = words.first, words.count < 4 else { return false }
    return first.allSatisfy { $0.isASCII && ($0.isLetter || $0.isNumber || "_-.~".contains($0)) }
      && words.dropFirst().allSatisfy { word in
        word.drop { $0 == "(" || $0 == "v" }.first?.isDecimalDigit == true
      }
      && !Self.failureWords.contains { line.hasBytes(of: $0) } && Self.typeName(line) == nil
  }

  /// Whether a line is a program and its version, as some leave them there for those who read
  /// reports: `Board 1.12.8 (Git Rev Unknown from unknown)`.
  ///
  /// Source: github.com/wireshark/wireshark, ui/version_info.c (`ws_init_version_info`).
  private static func isProgramsVersion(_ line: String) -> Bool {
    guard line.utf8.count < 256, line.utf8.last == UInt8(ascii: ")"),
      let open = line.firstRange(of: " (")?.lowerBound
    else { return false }
    let words = line[..<open].split(separator: " ")
    guard words.count == 2, let version = words.last else { return false }
    return version.first?.isDecimalDigit == true && version.contains(".")
      && version.allSatisfy { $0.isASCII && ($0.isLetter || $0.isNumber || ".-_+".contains($0)) }
      && words[0].allSatisfy { $0.isASCII && ($0.isLetter || $0.isNumber || "_-.".contains($0)) }
      && !failureWords.contains { line.hasBytes(of: $0) }
  }

  /// The first letter is missing if both cases occur.
  private static let failureWords = [
    "xception", "rror", "ailed", "ailure", "rash", "bort", "anic", "ssert", "atal", "orrupt",
    "verflow",
    "eadlock", "imeout", "bad_", "nvalid", "llegal",
  ]

  /// Whether the text breaks off within the words that such a line begins with: `objc_msgSend()
  /// se`.
  private static func isCut(_ line: String, of words: String) -> Bool {
    line.utf8.count > 7 && line.utf8.count < words.utf8.count && words.hasPrefix(line)
  }

  /// Whether a line is the version of a tool (`ld64-278.4`) or its command line (`ld -demangle …`),
  /// which compilers and linkers leave when they start.
  private func isOfCommand(_ line: String) -> Bool {
    if line.hasPrefix("Program arguments: ") { return true }
    let words = line.split(separator: " ", maxSplits: 1)
    guard let first = words.first else { return false }
    if words.count > 1 {
      return words[1].hasPrefix("-") && words[1].dropFirst().first?.isLetter == true
        && (process.name ?? process.path?.lastPathComponent).map { first == $0 } == true
    }
    let version = first.split(separator: "-")
    return version.count == 2 && version[0].allSatisfy { $0.isLetter || $0.isDecimalDigit }
      && version[1].contains(".") && version[1].allSatisfy { $0.isDecimalDigit || $0 == "." }
  }

  /// KSCrash and Sentry put the words that registers point at in front of their own (`extra >`),
  /// and the exception's numbers in the place of words (`Signal 6, Code 0`).
  package static func isNoteOfSdk(_ line: String) -> Bool {
    line.hasSuffix(" >") && !line.hasPrefix(failureParts)
      || line.hasBytes(of: ", Code ")
        && ["Signal ", "Exception "].contains { line.hasPrefix($0) }
  }

  /// How Sentry joins what the Swift runtime said: `Fatal error > Board.swift > no cards >`.
  private static let failureParts = "Fatal error > "

  /// `Fatal error: no cards` of such a line.
  static func joinedFailure(_ line: String) -> String? {
    guard line.hasPrefix(failureParts) else { return nil }
    let parts = line.dropFirst(failureParts.utf8.count).split(separator: ">").map { part in
      part.split(separator: " ").joined(separator: " ")
    }
    return parts.last { !$0.isEmpty && !$0.hasSuffix(".swift") }.map { "Fatal error: \($0)" }
  }

  /// Words with the rest of a quotation, if the line ends within it: mail and old web pages wrap
  /// lines. The same if no line below closes it.
  ///
  /// - Parameter stated: the line in the application's information that has the words.
  func withQuotationClosed(_ words: String, _ stated: String) -> String {
    let quote = UInt8(ascii: "\"")
    guard words.utf8.reduce(0, { $0 + ($1 == quote ? 1 : 0) }) & 1 == 1,
      let index = applicationInformation.firstIndex(of: stated)
    else { return words }
    var whole = words
    for line in applicationInformation[(index + 1)...].prefix(3) where line.utf8.count < 512 {
      let rest = line.drop { $0.isWhitespace }
      if let close = rest.firstIndex(of: "\"") { return "\(whole) \(rest[...close])" }
      whole += " \(rest)"
    }
    return words
  }

  /// Whether a line is the beginning of one that the termination has as a whole: a text may end
  /// within the copy. Where paths differ, the name of the file tells.
  private func isCutCopy(_ line: String) -> Bool {
    guard termination.namespace == "DYLD", let colon = line.firstRange(of: ": ") else {
      return false
    }
    let name = line.lastPathComponent
    return termination.details.contains { detail in
      guard detail.hasPrefix(line[..<colon.upperBound]) else { return false }
      let whole = detail.lastPathComponent
      return whole.utf8.count > name.utf8.count && whole.hasPrefix(name)
    }
  }

  /// The application's information without what the program says about itself whenever it runs:
  ///
  /// ```text
  /// board 1.12.8 (v1.12.8-0-g1a2b3c)
  ///
  /// Compiled (64-bit) with GTK+ 3.18.2, with Cairo 1.14.2, with
  /// GLib 2.46.1, without Lua.
  /// ```
  ///
  /// Source: github.com/wireshark/wireshark, wsutil/crash_info.c and ui/version_info.c;
  /// XQuartz/xorg-server, hw/xquartz/darwin.c (`X.Org X Server 1.4.2 Build Date: 20090617`).
  private var ownInformation: ArraySlice<String> {
    var rest = applicationInformation[...]
    guard let first = rest.first, isBanner(first) else { return rest }
    rest.removeFirst()
    var isOpen = false
    while let line = rest.first {
      let isBlank = !line.contains { !$0.isWhitespace }
      guard isOpen || isBlank || Self.builds.contains(where: { line.hasPrefix($0) }) else { break }
      if !isBlank { isOpen = line.last { !$0.isWhitespace } != "." }
      rest.removeFirst()
    }
    return rest
  }

  /// Whether a line is the name of the program and its version.
  private func isBanner(_ line: String) -> Bool {
    guard line.utf8.count < 256 else { return false }
    if let date = line.firstRange(of: " Build Date: ") {
      return line[date.upperBound...].first?.isDecimalDigit == true
    }
    let words = line.split(separator: " ", maxSplits: 2)
    guard words.count > 1, let name = process.name ?? process.path?.lastPathComponent,
      words[0].utf8.count == name.utf8.count, words[0].lowercased() == name.lowercased(),
      words[1].drop(while: { $0 == "v" }).first?.isDecimalDigit == true, words[1].contains(".")
    else { return false }
    return words.count == 2 || words[2].hasPrefix("(") && words[2].last { $0 != " " } == ")"
  }

  /// How the paragraphs below that begin.
  private static let builds = ["Compiled ", "Running on ", "Built ", "Linked with "]

  /// The line of the application's information that says most: the first that mentions a failure,
  /// else what a compiler was doing, else the first that is more than a circumstance.
  var tellingInformation: String? {
    toldFailure ?? CompilerDump.words(of: applicationInformation)
      ?? ownInformation.first { isTelling($0) }
  }

  /// Whether a line is one of those that LLVM leaves for the report below `Stack dump:`:
  /// `2.\tCompiling with the current language version`, `0.\tHandleCommand(command = "po deck")`.
  private static func isStepOfDump(_ line: String) -> Bool {
    if line == CompilerDump.title { return true }
    let rest = line.drop(while: \.isDecimalDigit)
    return rest.hasPrefix(".\t") && rest.utf8.count < line.utf8.count
  }

  /// What runtimes, libraries and the kernel write when they end a process. The first letter is
  /// missing if both cases occur.
  private static let failures = [
    "fatal error of V8: ", "UNCAUGHT EXCEPTION (", "ASSERTION FAILURE in ",
    "Main Thread Checker: ", "failed assertion `", ": Assertion `",
    "Could not cast value of type '",
    "Crashing on exception: ",
    "atal error", "ssertion failed", "ssertion failure", "recondition failed", "BUG IN ",
    "ncaught exception", "unrecognized selector", "API MISUSE", "overflow",
    "Unhandled exception. ", "Uncaught Kotlin exception: ", " panicked at ", "Go panic: ",
    "*** error for object 0x", "eap corruption detected, ", ReportFacts.deallocated,
    ReportFacts.endlessRecursion,
    "due to StackOverflowException", "exception Stack_overflow",
    "ctor executor assumption; ", "its continuation more than once", "rror: data race detected: ",
    "Unexpected isolation context, ",
  ]

  /// `facebook::jsi::JSError` of `N8facebook3jsi7JSErrorE`: crash SDKs write the type of an
  /// exception of C++ as its `type_info` has it. Nil for other lines.
  static func typeName(_ line: String) -> String? {
    guard line.hasPrefix("N") && line.hasSuffix("E") || line.hasPrefix("St"),
      line.utf8.count > 4,
      line.allSatisfy({ $0.isASCII && ($0.isLetter || $0.isNumber || $0 == "_") }),
      line.contains(where: \.isNumber)
    else { return nil }
    let start = "typeinfo name for "
    let name = ReadableName.readable("_ZTS" + line)
    return name.hasPrefix(start) ? String(name.dropFirst(start.utf8.count)) : nil
  }

  /// Whether a line of the application's information says nothing about a crash: what every process
  /// or simulator has there, or the text that the report was pasted into.
  package static func isBoilerplate(_ line: String) -> Bool {
    line.allSatisfy { !$0.isLetter }
      || boilerplate.contains { line.hasPrefix($0) || isCut(line, of: $0) }
      // The label of a queue of the system.
      || line.hasPrefix("com.apple.") && !line.contains { " :,".contains($0) }
      || isBundleOfPane(line)
      // A link of Markdown.
      || line.hasPrefix("[") && line.hasBytes(of: "](http")
  }

  /// Whether a line is the bundle that System Preferences shows, whatever crashes then:
  /// `com.example.board v.604 (Board)`.
  ///
  /// Source: github.com/victorpimentel/TVShows, issue 51.
  private static func isBundleOfPane(_ line: String) -> Bool {
    guard let version = line.firstRange(of: " v."), line.hasSuffix(")") else { return false }
    let identifier = line[..<version.lowerBound]
    return identifier.contains(".") && !identifier.contains(" ")
  }

  /// A line without the process that libraries write in front of their words, and what they tell
  /// users of debuggers behind them: `objc[42]: …; break on objc_error to debug`, `objc[42]: ….
  /// Set a breakpoint on objc_initializeAfterForkError to debug.`,
  /// `Game(42,0x16d913000) malloc: *** error for object 0x10: …`.
  package static func withoutWriter(_ line: String) -> String {
    if let words = missingLibrary(line) { return words }
    var text = Substring(line)
    if text.hasPrefix("objc["), let end = text.firstRange(of: "]: ")?.upperBound {
      text = text[end...]
    } else if let end = text.firstRange(of: ") malloc: ")?.upperBound {
      text = text[end...]
    }
    for advice in ["; break on ", " Set a breakpoint on "] where line.hasBytes(of: advice) {
      if let start = text.firstRange(of: advice)?.lowerBound { text = text[..<start] }
    }
    return text.utf8.count == line.utf8.count ? line : String(text)
  }

  /// What .NET says about a library that it could not load, without its advice. The dynamic
  /// linker's reason stands for all paths where it looked: `Unable to load shared library
  /// 'libBoard' or one of its dependencies: code signature not valid for use in process`. Nil
  /// for other lines.
  ///
  /// Source: github.com/dotnet/runtime, src/coreclr/dlls/mscorrc/mscorrc.rc
  /// (`IDS_EE_NDIRECT_LOADLIB_MAC`, `…_LINUX`); dyld, dyld/Loader.cpp, for the paths.
  static func missingLibrary(_ line: String) -> String? {
    guard line.hasBytes(of: libraryAdvice), let advice = line.firstRange(of: libraryAdvice) else {
      return nil
    }
    let head = line[..<advice.lowerBound]
    let title = " environment variable:"
    guard let mark = line[advice.upperBound...].firstRange(of: title) else { return String(head) }
    let told = line[mark.upperBound...].drop { $0 == " " }
    guard let tried = told.firstRange(of: "): tried: ") else {
      return told.isEmpty ? String(head) : "\(head): \(told)"
    }
    var (rest, reasons) = (told[tried.upperBound...], [Substring]())
    while let open = rest.firstRange(of: "' (") {
      rest = rest[open.upperBound...]
      let end = rest.firstRange(of: "), '")?.lowerBound
      reasons.append(end.map { rest[..<$0] } ?? rest.prefix { $0 != ")" })
      rest = end.map { rest[$0...] } ?? ""
    }
    let absences = ["no such file", "not in dyld cache"]
    let reason = reasons.first { reason in !absences.contains { reason.hasPrefix($0) } }
    return (reason ?? reasons.first).map { "\(head): \(withoutFile($0))" } ?? String(head)
  }

  private static let libraryAdvice = ". In order to help diagnose loading problems, consider "

  /// `code signature not valid` of `code signature in <UUID> '/path/libBoard.dylib' not valid`.
  private static func withoutFile(_ reason: Substring) -> String {
    guard let start = reason.firstRange(of: " in <"),
      let end = reason[start.upperBound...].firstRange(of: "' ")
    else { return String(reason) }
    return "\(reason[..<start.lowerBound]) \(reason[end.upperBound...])"
  }

  /// A long message of Swift 5.3 and earlier, which has its place at the end (`: file
  /// /src/Board.swift, line 12`), with the middle left out, so that a headline has room for the
  /// place. Nil for other lines.
  static func withPlaceKept(_ line: String) -> String? {
    guard line.utf8.count > 280, line.hasBytes(of: ".swift, line "),
      let place = line.ranges(of: ": file ").last
    else { return nil }
    let file = String(line[place.upperBound...]).lastPathComponent
    guard file.utf8.count < 100 else { return nil }
    return "\(shortened(String(line[..<place.lowerBound]), to: 180)): file \(file)"
  }

  /// Source: libsystem_c's `abort`; dyld; CoreSimulator; Xcode.
  private static let boilerplate = [
    "abort() called", "dyld2 mode", "dyld3 mode", "dyld4 config: ", "dyld: launch, ", "DYLD_",
    "CoreSimulator ",
    "Configuration: ", "Analytics", "ProductBuildVersion: ", "UserInfo: (null)", "Hints: None",
    "```", "~~~", "> ", "<details", "</", "<summary", "<pre", "<code",
  ]

  /// Lines that say what was going on, not what went wrong.
  private static let circumstances = [
    "dyld: in dl", "dyld: launch", "objc_msgSend() selector name:",
    "Selector name found in current argument registers:", "Performing @selector(",
    "*** multi-threaded process forked ***", "crashed on child side of fork pre-exec",
    "Topmost application", " ", "/",
    // What somebody typed into lldb when it crashed: lldb/source/Interpreter/CommandInterpreter.cpp
    // (`llvm::PrettyStackTraceFormat`).
    "HandleCommand(command = ",
    // What the signal says too.
    "fatal error of Go: unexpected signal", "fatal error of Go: fault",
  ]

  /// Parts of lines that say how far something had got: ReportCrash's
  /// `Pid 33594 'Game' CORPSE: Extracting`; which file Spotlight's worker read, and with what
  /// (`import fstype:hfs fsflag:480D000 … plugin:/Library/Spotlight/Board.mdimporter - find suspect
  /// file using: sudo mdutil -t 812`).
  ///
  /// Source: for Spotlight, github.com/eugenemel/maven, issue 47.
  private static let progress = [
    "' CORPSE", " - find suspect file using: ", " fstype:",
  ]
}

// Words that cannot be the reason of a bad access.

extension ReportFacts {
  /// Whether a line is what a process says that ends itself with a trap or `abort()`: a bad access
  /// is another crash then, and the line is of an earlier one, or an example.
  ///
  /// Swift's runtime never ends with a bad access. Others that say such words may write to a null
  /// pointer, or to an address that spells a word.
  ///
  /// Source: github.com/swiftlang/swift, stdlib/public/core/AssertCommon.swift and
  /// stdlib/public/runtime/Errors.cpp (`swift::fatalError`), which end with a trap; abort(3) for
  /// `assert`, and for C++'s `std::terminate`; WebKit/WebKit, Source/WTF/wtf/Assertions.cpp
  /// (`0xbbadbeef`).
  func isOfOtherCrash(_ line: String) -> Bool {
    guard let address = exception.faultAddress else { return false }
    if Self.swiftEnds.contains(where: { line.hasBytes(of: $0) }),
      line.hasBytes(of: ".swift") || line.hasBytes(of: Self.foundNil)
    {
      return true
    }
    return address >= Self.lowestStray && address & 0xffff != 0xbeef
      && Self.ownEnds.contains { line.hasPrefix($0) }
  }

  /// Whether a line is what KSCrash and Sentry make of the address of a bad access alone
  /// (`Attempted to dereference garbage pointer 0x3f836300000000.`). The address, the registers and
  /// the frames say more.
  ///
  /// Source: github.com/kstenerud/KSCrash, KSCrashDoctor.m (`diagnoseCrash`).
  private func saysAddress(_ line: String) -> Bool {
    exception.faultAddress != nil && line.hasPrefix(Self.dereference)
  }

  /// Some write to a small number that stands for the kind of the failure.
  private static let lowestStray: UInt64 = 0x1_0000

  private static let swiftEnds = ["atal error: ", "Precondition failed", "Assertion failed"]
  private static let foundNil = "nexpectedly found nil while "

  private static let ownEnds = [
    "Fatal error: ", "Precondition failed", "Assertion failed: (", "libc++abi: terminating",
    "libc++abi.dylib: terminating", "terminate called after throwing",
  ]
}
