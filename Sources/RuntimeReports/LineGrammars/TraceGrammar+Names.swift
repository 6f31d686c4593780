import JsonReading
import ReportFormats
import ReportModel
import SymbolicationModel

// Stacks of names, which people copy and crash services show.
extension TraceGrammar {
  /// Of frames that somebody copied without the addresses:
  ///
  /// ```text
  /// 0  libsystem_kernel.dylib  __pthread_kill
  /// 1  libsystem_c.dylib       abort + 180
  /// 2  App                     Page.load() + 45 (Page.swift:45)
  /// ```
  ///
  /// Others put the image first, then how far the call is in its function, or the line:
  ///
  /// ```text
  /// libsystem_c  140           _abort (in libsystem_c.dylib)
  /// App          Page.swift:45 Page.load() (in App)
  /// ```
  ///
  /// Tools print the same behind `at`, some as `atos` writes it:
  ///
  /// ```text
  /// at _assertionFailure(_:_:file:line:flags:) + 152 (libswiftCore.dylib)
  /// at Page.load() + 328 (Page.swift:45)
  /// at @objc Page.load() (in App) (<compiler-generated>:0)
  /// ```
  ///
  /// Who explains a stack keeps the address where there is no name, with a remark behind it and
  /// one line for several frames: `9-15 App 0x103246300 // seven times`.
  ///
  /// Bugsnag's pages and the issues that it opens have the paths of images and files in front:
  ///
  /// ```text
  /// EXC_BAD_ACCESS Attempted to dereference garbage pointer 0x18.
  ///     /usr/lib/libobjc.A.dylib objc_msgSend
  ///     Frameworks/CoreFoundation.framework/CoreFoundation -[__NSDictionaryM objectForKey:]
  ///     Pods/Page/Page.mm:12 - -[Page load]
  /// ```
  ///
  /// Somebody left the numbers, images and addresses of a crash of Swift out:
  ///
  /// ```text
  /// Swift runtime failure: Index out of range + 0
  /// specialized Page.load(_:) + 260 (Page.swift:45)
  /// ```
  ///
  /// Below an exception, or the last words of a process, pages of crash SDKs have the names alone;
  /// those of methods may have lost what is in front of the bracket:
  ///
  /// ```text
  /// NSRangeException · *** -[__NSArrayM objectAtIndex:]: index 5 beyond bounds [0 .. 2]
  /// __exceptionPreprocess
  /// __23-[Page load:completion:]_block_invoke
  /// [Page load:completion:]
  /// ```
  ///
  /// Sentry's pages show images without the ends of their names, and addresses:
  ///
  /// ```text
  /// SIGABRT: no cards
  ///   libsystem_c         0x1986d3f60  abort
  ///   App                 0x10186cf6c  Page.load() (Page.swift:45)
  /// ```
  ///
  /// Unity's frames have addresses, and no numbers or images:
  ///
  /// ```text
  /// 0x10320b7d4 Deck::Deal(int) + 935 (Deck.h:935)
  /// ```
  ///
  /// The issues and mails that Sentry writes have files, where they are known:
  ///
  /// ```text
  /// EXC_BAD_ACCESS: Attempted to dereference garbage pointer 0x200000038.
  ///   ?, in _platform_strlen
  ///   File "App/Page.swift", line 45, in Page.load()
  /// ...
  /// (39 additional frame(s) were not displayed)
  /// ```
  ///
  /// Source: github.com/facebook/react-native, issue 12159; AtB-AS/mittatb-app, issue 1376;
  /// getsentry/sentry, static/app/components/events/interfaces/crashContent/stackTrace,
  /// rawContent.tsx (`getNativeFrame`), and src/sentry/interfaces/stacktrace.py
  /// (`get_stacktrace`), as in getsentry/sentry-cocoa, issue 177;
  /// odyshewroman/AndroidTVRemoteControl, issue 32; AppsFlyerSDK/appsflyer-unity-plugin, issue 71;
  /// the words are those of KSCrash's
  /// `KSCrashDoctor.m`. The name of the trap: swiftlang/swift, lib/IRGen/IRGenSIL.cpp.
  ///
  /// The first frame is in a library of the system, or what happened is above it, so that it is no
  /// list of something else.
  static let bareNames = TraceGrammar(
    format: .bareNames, firstBytes: "0123456789laAESFf#-+[_?",
    frames: [
      // Without an image.
      LinePattern("{index}{?:?} {:}{symbol} + {offset}{? ({file:w}:{line})?}{:}"),
      LinePattern("{index}{?:?} {:}{symbol} + {offset:x}{? ({file:w}:{line})?}{:}"),
      LinePattern("{index}{?:?} {:}{symbol}{:}"),
      LinePattern("{index} {image:w} {address}{:}{:} ({skip})"),
      LinePattern("{index}{?-{end:d}?} {image:w} {address}{:}{:}{? // {skip}?}"),
      LinePattern("{index}{?-{end:d}?} {image:w} {address}{:}{:}{? # {skip}?}"),
      LinePattern("{index}{?-{end:d}?} {image:w} {address}{:}{:}{? <{skip}?}"),
      LinePattern("{index}{?-{end:d}?} {image:w} {address}{:}{:}{? ←{skip}?}"),
      // Without a name, the distance from the start of the image.
      LinePattern("{index} {image:w} +{? ?}{place:d}{:}{:}"),
      LinePattern("at {:}{symbol} + {offset} ({file:w}:{line}){:}"),
      LinePattern("at {:}{symbol} + {offset}{:} ({image:w})"),
      LinePattern("at {:}{symbol}{:} (in {image:w}){? ({file:w}:{line})?}{? ({skip:w})?}"),
      // Of WebKit.
      LinePattern("{index} {address} {:}{content}{:}"),
      // Of a table.
      LinePattern("{index} | {image} | {:}{content}{:}"),
      LinePattern("{index} {image:w} | {skip:x} + {offset}{:}{:}"),
      LinePattern("{index} {image} | {:}{content}{:}"),
      LinePattern("{index} {image:w} {:}{content}{:}"),
      // Who explains a stack marks them so.
      LinePattern("Frame" + number + "{address} {:}{content}{:}"),
      LinePattern("Frame" + number + "{:}{content}{:}"),
      LinePattern("frame" + number + "{:}{content}{:}"),
      LinePattern("#{index}{?:?} {image:w} {:}{content}{:}"),
      LinePattern("[{index}]{?:?} {image:w} {:}{content}{:}"),
      // Of Sentry's mails.
      LinePattern("File \"{file}\", line {line}, in {:}{symbol}{:}"),
      LinePattern("File \"{file}\", in {:}{symbol}{:}"), LinePattern("?, in {:}{symbol}{:}"),
      LinePattern("{skip:w} {offset} {:}{symbol}{:} (in {image:w})"),
      LinePattern("{skip:w} {file:w}:{line} {:}{symbol}{:} (in {image:w})"),
      // Of Unity.
      LinePattern("{address} {:}{symbol} + {offset}{? ({file:w}:{line})?}{:}"),
      // Of Swift, below the name of a trap.
      LinePattern("{:}{symbol} + {offset} ({file:w}:{line}){:}"),
      LinePattern("{:}{symbol} + {offset}{:}"),
      // Of Bugsnag.
      LinePattern("{image:w}:0 - {:}{symbol}{:}"),
      // Of Sentry.
      LinePattern("{image} {address} {:}{content}{:}"),
      // A long name leaves no room before the address.
      LinePattern("{image}{address} {:}{content}{:}"),
      LinePattern("{file:w}:{line} {?- ?}{:}{symbol}{:}"),
      LinePattern("{image:w} {:}{symbol}{:}"),
      // Below an exception.
      LinePattern("{:}{symbol}{:}"),
    ],
    lines: [
      TraceLine(
        .thread(isCrashed: true),
        "{?EXC_{stop:w}{?:?} ?}{?SIG{signal:w}{?:?} ?}Attempted to dereference {skip} pointer"
          + " {fault}{?.?}", isSign: true),
      TraceLine(
        .thread(isCrashed: true),
        "{?EXC_{stop:w}{?:?} ?}{?SIG{signal:w}{?:?} ?}Attempted to dereference {message}",
        isSign: true, title: ReportFacts.dereference),
      TraceLine(.factAbove, "EXC_{stop:w}{?**?} in {?**?}{skip}"),
      TraceLine(.factAbove, "SIG{signal:w}{?**?} in {?**?}{skip}"),
      TraceLine(.factAbove, "EXC_{stop:w} (SIG{signal:w})"),
      // Of Bugly and Bugsee.
      TraceLine(.factAbove, "{?{skip:w} ?}SIG{signal:w}({code:w}){? {skip}?}"),
      TraceLine(.thread(isCrashed: true), "Crashed: {threadName}"),
      // How people join them.
      TraceLine(.factAbove, "EXC_{stop:w} / {code:w} / {fault}"),
      TraceLine(
        .factAbove, "{?{skip} ?}Native crash: EXC_{stop:w} / {signal:w}{? / {skip}?}"),
      TraceLine(.factAbove, "Native stack:"),
      // What Sentry's pages show above a stack: the exception with what the process said.
      TraceLine(.factAbove, "EXC_{stop:w}: {?{skip} > ?}{code:w} at {fault}{?.?}"),
      TraceLine(.factAbove, "EXC_{stop:w}: {message}"),
      TraceLine(.factAbove, "SIG{signal:w}: {message}"),
      TraceLine(.factAbove, "SIG{signal:w}:{code:w}"),
      TraceLine(
        .factAbove, "{?> ?}{?{skip:w} > ?}{process:w}({pid},{skip:w}) malloc: {message}"),
      TraceLine(.exception, "Fatal Exception: {exception}{?: {reason}?}"),
      TraceLine(.fact, "({skip:d} additional frame(s) were not displayed)"),
    ],
    traits: Traits(
      looseLimit: 2, hasLastWords: true,
      accepts: { frame, source in
        if source.isOfSentry(frame), !source.hasColumns(frame) { return false }
        if frame[.index] != nil, frame[.image] == nil, frame[.address] == nil {
          return source.isNumberedFunction(frame)
        }
        // With an address it is a frame of another family.
        return frame[.content].map {
          source.find("0x", from: $0.lowerBound, limit: $0.upperBound) == nil
            && !Ascii.isDigit(source[$0.lowerBound])
        }
          ?? (frame[.index] == nil && source.hasPlace(frame) || frame[.address] != nil
            || frame[.place] != nil
            || frame[.index] != nil && frame[.image] != nil && frame[.offset] != nil)
      },
      sign: { frame, source in
        if source.isOfMail(frame) { return .traceIfMoreFollow }
        if source.isNameAlone(frame) {
          return frame[.symbol].map { source.isBelowException($0.lowerBound) } == true
            ? .traceIfMoreFollow : .none
        }
        if source.isOfSentry(frame) { return source.beginsSentryFrames(frame) ? .trace : .none }
        // Disassemblies have addresses and functions, and no places.
        if frame[.index] == nil, frame[.address] != nil, frame[.symbol] != nil {
          return frame[.file] != nil ? .traceIfMoreFollow : .none
        }
        return frame[.address] == nil
          && (source.beginsBareNames(frame) || source.isSwiftTrap(frame))
          || source.beginsMarkedFrames(frame) || source.beginsNamedFrames(frame)
          || source.beginsNumberedFunctions(frame) || source.beginsWebKitFrames(frame)
          ? .trace : .none
      }))
}

extension TextSource {
  /// Whether a frame has an image, an address and a function, and no number.
  func isOfSentry(_ frame: LineMatch) -> Bool {
    frame[.index] == nil && frame[.image] != nil && frame[.address] != nil
      && frame[.content] != nil
  }

  /// Whether image, address and function are in columns, as no words of a sentence are.
  fileprivate func hasColumns(_ frame: LineMatch) -> Bool {
    guard let image = frame[.image], let address = frame[.address], let content = frame[.content],
      image.count <= 64, case let first = self[image.lowerBound],
      Ascii.isLowercase(first) || Ascii.isUppercase(first) || first >= 0x80,
      bytes[image].allSatisfy({ !":()[]=,;\"'|".utf8.contains($0) })
    else { return false }
    if address.lowerBound == image.upperBound { return image.count >= Self.imageColumn }
    return address.lowerBound - image.lowerBound == Self.imageColumn
      || address.lowerBound - image.upperBound > 1 || content.lowerBound - address.upperBound > 1
  }

  /// What Sentry fills the names of images up to.
  static let imageColumn = 20

  /// Whether such a frame is followed by another one, or stands below what Sentry's pages show
  /// above a stack.
  func beginsSentryFrames(_ frame: LineMatch) -> Bool {
    guard let image = frame[.image], image.count < 128 else { return false }
    let line = line(at: lineStart(of: image.lowerBound))
    if let above = lineAbove(line) {
      let content = TraceGrammar.content(of: above, in: self)
      if ["SIG", "EXC_"].contains(where: {
        has($0, at: content.lowerBound, limit: content.upperBound)
      }) {
        return true
      }
    }
    guard line.next < count else { return false }
    let next = self.line(at: line.next)
    return TraceGrammar.bareNames.frame(self, TraceGrammar.content(of: next, in: self))
      .map { isOfSentry($0) } ?? false
  }

  /// Whether a frame is one of Sentry's mails: `?, in main`, or with a file of a language that is
  /// compiled. The tracebacks of Python, which have the same shape, begin with the outermost frame.
  fileprivate func isOfMail(_ frame: LineMatch) -> Bool {
    guard frame[.index] == nil, let symbol = frame[.symbol],
      has(", in ", at: symbol.lowerBound - 5, limit: symbol.lowerBound)
    else { return false }
    guard let file = frame[.file] else {
      return has("?", at: symbol.lowerBound - 6, limit: symbol.lowerBound)
        && lineStart(of: symbol.lowerBound) <= symbol.lowerBound - 6
    }
    guard let dot = bytes[file].lastIndex(of: UInt8(ascii: ".")) else { return false }
    return Self.compiledFiles.contains(string(dot + 1..<file.upperBound))
  }

  private static let compiledFiles = [
    "swift", "m", "mm", "c", "h", "cpp", "cc", "cxx", "hpp", "rs", "kt", "S",
  ]

  /// Whether a frame is a name and nothing else.
  fileprivate func isNameAlone(_ frame: LineMatch) -> Bool {
    frame[.symbol] != nil && frame[.index] == nil && frame[.offset] == nil && frame[.image] == nil
      && frame[.file] == nil && frame[.address] == nil && frame[.skip] == nil
  }

  /// Whether a name that stands alone is one that only a stack has on a line: a method of
  /// Objective-C, a block, a mangled name or a function of C++ with its parameters.
  func isBareFunction(_ name: Range<Int>) -> Bool {
    guard name.count < 2048 else { return false }
    if isMethodOrBlock(name) { return true }
    if self[name.lowerBound] == UInt8(ascii: "_") {
      let rest = bytes[name].drop(while: Self.isOfName)
      // Of Swift: `_assertionFailure(_:_:file:line:flags:)`.
      return rest.isEmpty || rest.first == UInt8(ascii: "(") && isFunction(name)
    }
    return find("::", from: name.lowerBound, limit: name.upperBound) != nil && isFunction(name)
      || string(name) == "objc_exception_throw"
  }

  /// Whether a name that stands alone among others may be a function: one of C with an underscore
  /// (`dispatch_assert_queue$V2.cold.1`), or one of Swift. If its name goes on in the next line
  /// (`closure #1 in`), that line has it.
  func isFurtherFunction(_ name: Range<Int>) -> Bool {
    guard name.count < 2048 else { return false }
    if bytes[name].allSatisfy({ Self.isOfName($0) || $0 == UInt8(ascii: ".") }) {
      return bytes[name].contains(UInt8(ascii: "_")) && Ascii.isLowercase(self[name.lowerBound])
    }
    if Self.swiftStarts.contains(where: { has($0, at: name.lowerBound, limit: name.upperBound) }) {
      return !has(" in", at: name.upperBound - 3, limit: name.upperBound)
    }
    guard isFunction(name), let open = bytes[name].firstIndex(of: UInt8(ascii: "(")) else {
      return false
    }
    return bytes[name.lowerBound..<open].contains(UInt8(ascii: "."))
  }

  /// Whether the line above, or the one above an empty line, names an exception that nobody caught,
  /// or has the last words of a process, such as libdispatch's.
  func isBelowException(_ offset: Int) -> Bool {
    var line = line(at: lineStart(of: offset))
    for _ in 0..<2 {
      guard let above = lineAbove(line), above.end - above.start < 4096 else { return false }
      line = above
      if !isBlank(line) { break }
    }
    return isEnding(line)
  }

  /// Whether a line has the last words of a process.
  private func isEnding(_ line: TextLine) -> Bool {
    guard let words = LastWords(line, of: self)?.text else { return false }
    return Self.endings.contains { words.hasPrefix($0) }
  }

  /// Whether such words are in one of the two lines above: WebKit's may be broken.
  func isBelowWords(_ offset: Int) -> Bool {
    var line = line(at: lineStart(of: offset))
    for _ in 0..<2 {
      guard let above = lineAbove(line), above.end - above.start < 4096 else { return false }
      line = above
      if isEnding(line) { return true }
    }
    return false
  }

  private static let endings = [
    ReportFacts.uncaught, "BUG IN CLIENT OF ", "Fatal error: ", "Assertion failed: ",
    "Tried to obtain the web lock ",
  ]

  /// Whether a frame without an image is one that swiftc invents for a trap, with its offset.
  fileprivate func isSwiftTrap(_ frame: LineMatch) -> Bool {
    guard frame[.image] == nil, frame[.offset] != nil, let symbol = frame[.symbol] else {
      return false
    }
    return has(Self.swiftTrap, at: symbol.lowerBound, limit: symbol.upperBound)
  }

  /// Whether a text is one word up to its parameters, or begins as demangled names of Swift do:
  /// an image is not in front of it.
  private func isNameOfSwift(_ symbol: Range<Int>) -> Bool {
    guard symbol.count < 2048 else { return false }
    let word = bytes[symbol].prefix { $0 > Ascii.space && !"(<".utf8.contains($0) }
    if word.endIndex == symbol.upperBound || bytes[word.endIndex] > Ascii.space {
      return !word.isEmpty
    }
    return Self.swiftStarts.contains { has($0, at: symbol.lowerBound, limit: symbol.upperBound) }
  }

  /// Whether what is in front of the function in a frame of Bugsnag is the path of an image or a
  /// file, or else the rest is a function. Other frames have one.
  fileprivate func hasPlace(_ frame: LineMatch) -> Bool {
    guard let symbol = frame[.symbol] else { return true }
    if isOfMail(frame) { return true }
    if isNameAlone(frame) { return isBareFunction(symbol) || isFurtherFunction(symbol) }
    if frame[.offset] != nil, frame[.image] == nil,
      !self.has("at ", at: symbol.lowerBound - 3, limit: symbol.lowerBound)
    {
      return isNameOfSwift(symbol)
    }
    guard let place = frame[.file] ?? frame[.image], place.lowerBound < symbol.lowerBound else {
      return true
    }
    func has(_ text: String) -> Bool {
      find(text, from: place.lowerBound, limit: place.upperBound) != nil
    }
    guard symbol.count < 2048, find("0x", from: symbol.lowerBound, limit: symbol.upperBound) == nil
    else { return false }
    if frame[.file] != nil { return has("/") || has(".") }
    if [".dylib", ".framework/", ".app/", "bundle/"].contains(where: has) { return true }
    return !bytes[place].allSatisfy(Ascii.isDigit) && isFunction(symbol)
  }
}
