import CrashLogParser
import Demangling
import ReportSymbolication
import SymbolicationModel
import Wording

extension ReportFacts {
  /// What a signature begins with: why the system ended the process, if it did, else the kind of
  /// the exception; for what is not a crash its kind.
  var signatureEvent: String {
    guard event == .crash else { return exceptionEvent }
    return termination.family ?? earlyCode.map { _ in "FRONTBOARD" } ?? exceptionEvent
  }

  /// The type of the exception, else the signal; for what is not a crash its kind.
  ///
  /// Compilers make a trap of an instruction that is a breakpoint on ARM and an illegal one on
  /// Intel processors, so the latter counts as the former.
  var exceptionEvent: String {
    guard event == .crash else { return event.rawValue }
    let stated = exception.type ?? exception.signal ?? "crash"
    let word = stated.isPlainConstant ? stated : Self.word(ofType: stated)
    switch word {
    case "EXC_BAD_INSTRUCTION" where isOfIntel: return "EXC_BREAKPOINT"
    case "SIGILL" where isOfIntel: return "SIGTRAP"
    case "": return "crash"
    default: return word
    }
  }

  /// The type without what is behind it on the line, such as the signal.
  private static func word(ofType stated: String) -> String {
    let type = String(stated.prefix { $0 != "(" && !$0.isNewline }).withoutControlCharacters
    return shortened(type.hasSuffix(" ") ? String(type.dropLast()) : type, to: 60)
  }

  /// What was thrown, or why exactly the system ended the process, as far as the head of the report
  /// says. Nil for what is not a crash.
  var signatureThrown: String? {
    guard event == .crash else { return nil }
    // KSCrash also writes the last exception if a zombie was used.
    let thrown = exception.isMemoryFault ? nil : exception.name?.known ?? thrownType
    let code = termination.signatureCode ?? earlyCode?.hexadecimal
    return (thrown ?? code ?? exception.exceededLimit).map { Self.distinct($0) }
  }

  /// Whether the system ended the process, and the thread that the report shows may have done
  /// anything then: its frames would make many crashes of one. So it is with one that is only
  /// highlighted, unless it is the main thread, which the watchdog watches. And so it is with any
  /// thread if a task in the background ran too long.
  var showsAnyThread: Bool {
    signatureThrown != nil
      && (onlyHighlightsThread && statedCrashedThread ?? 0 != 0 || overdueAssertion != nil)
  }

  /// The type of an exception of C++ or Kotlin in what the runtimes write.
  private var thrownType: String? {
    for line in applicationInformation {
      if let type = Self.typeName(line) { return type }
      for (start, end) in Self.thrownMarks {
        guard let found = line.firstRange(of: start) else { continue }
        let rest = line[found.upperBound...]
        var type = String(rest[..<(rest.firstRange(of: end)?.lowerBound ?? rest.endIndex)])
        // Its message is empty.
        if end == ": ", type.hasSuffix(":") { type.removeLast() }
        // Its name stands elsewhere, or nowhere.
        guard !type.isEmpty, !type.hasPrefix("NSException") else { continue }
        return type
      }
    }
    return nil
  }

  /// What stands before and after the type. Sources: llvm-project, libcxxabi/src/
  /// cxa_default_handlers.cpp; gcc, libstdc++-v3/libsupc++/vterminate.cc; kotlin,
  /// kotlin-native/runtime/src/main/cpp/Exceptions.cpp; dotnet/runtime, src/coreclr/vm/excep.cpp.
  private static let thrownMarks = [
    ("uncaught exception of type ", ": "), ("after throwing an instance of '", "'"),
    ("Uncaught Kotlin exception: ", ":"), ("Unhandled exception. ", ": "),
  ]

  private static let thrownLimit = 200

  /// A name that differs whenever the whole name does, in one line.
  private static func distinct(_ name: String) -> String {
    var text = name.withoutControlCharacters
    for namespace in ["std::__1::", "std::__cxx11::"] {
      text = text.split(separator: namespace, omittingEmptySubsequences: false)
        .joined(separator: "std::")
    }
    guard text.utf8.count > thrownLimit else { return text }
    return "\(shortened(text, to: thrownLimit)) \(CrashSignature.hash(of: text))"
  }
}

extension ReportFacts.CrashException {
  /// `WAKEUPS`, `CPU`, …: which limit it was.
  fileprivate var exceededLimit: String? {
    guard type == "EXC_RESOURCE", let subtype else { return nil }
    return String(subtype.prefix { $0.isLetter || $0 == "_" }).known
  }
}

extension ReportFacts.Termination {
  /// The namespace, by one of its names. Nil for that of signals, which says what the exception
  /// says.
  ///
  /// Source: xnu, bsd/sys/reason.h (`OS_REASON_SPRINGBOARD` 10, `OS_REASON_ASSERTIOND` 15).
  fileprivate var family: String? {
    guard let namespace = namespace?.known else { return nil }
    let word =
      namespace.isPlainConstant
      ? namespace
      : shortened(
        String(namespace.prefix { $0 != "," && !$0.isWhitespace }).withoutControlCharacters, to: 60
      ).uppercased()
    switch word {
    case "", "SIGNAL": return nil
    case "SPRINGBOARD", "CAROUSEL", "<0XA>": return "FRONTBOARD"
    case "ASSERTIOND", "<0XF>": return "RUNNINGBOARD"
    case let name: return name
    }
  }

  /// The code, for those that mean the same in every report: of others it holds numbers of ports or
  /// files. Of a failure of dyld, what is missing.
  ///
  /// Source: xnu, bsd/sys/reason.h; Apple, "EXC_CRASH (SIGKILL)".
  fileprivate var signatureCode: String? {
    guard let code else { return nil }
    switch family {
    case "JETSAM": return indicator?.known ?? "code \(code)"
    case "FRONTBOARD", "RUNNINGBOARD": return code.hexadecimal
    case "DYLD": return missing ?? "code \(code)"
    case "CODESIGNING", "OBJC", "LIBXPC", "WATCHDOG": return "code \(code)"
    default: return nil
    }
  }

  /// `Kit.framework/Kit` of `Library not loaded: @rpath/Kit.framework/Kit`, or the symbol.
  private var missing: String? {
    for line in details {
      if let path = line.after("Library not loaded: ") { return path.lastPathComponent }
      if let symbol = line.after("Symbol not found: ") {
        return String(symbol.prefix { !$0.isWhitespace })
      }
    }
    return nil
  }
}

extension String {
  /// Whether it is like `EXC_BREAKPOINT`: nothing has to be taken away.
  fileprivate var isPlainConstant: Bool {
    (1...60).contains(utf8.count)
      && utf8.allSatisfy { byte in
        (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains(byte) || byte == UInt8(ascii: "_")
      }
  }

  fileprivate func after(_ start: String) -> String? {
    firstRange(of: start).map { String(self[$0.upperBound...]) }
  }
}
