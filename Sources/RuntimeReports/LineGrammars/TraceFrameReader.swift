import JsonReading
import ReportFormats
import ReportModel
import SymbolicationModel

/// Makes a frame of the parts of a line.
struct TraceFrameReader {
  let source: TextSource
  let grammar: TraceGrammar

  mutating func frame(
    _ match: LineMatch, _ range: Range<Int>, _ images: inout TraceImages,
    _ allowance: ReportAllowance, _ faults: inout [ParseFault]
  ) -> StackFrame {
    var values = FrameValues(byteRange: range)
    values.index = match.integer(.index, source)
    values.lastIndex = match.integer(.end, source)
    values.addressKind = grammar.traits.addressKind
    var (path, cutName) = image(match, range, images)
    // Unity leaves the extension of Android's libraries out.
    if grammar.format == .androidTombstone, match[.index] == nil { path = path.map { $0 + ".so" } }
    if grammar.format == .bareNames, match[.index] != nil || source.isOfSentry(match) {
      path = path?.withEndOfLibrary
    }
    let name = path?.traceImageName
    values.imageName = name
    // Dart's frames may have been written without it.
    var address = match.number(.address, source).flatMap {
      $0 == 0 && grammar.format == .dartTrace ? nil : $0
    }
    var place = match.number(.place, source) ?? match.number(.virtual, source)
    if let content = match[.content], let address,
      let base = source.loadAddress(content, below: address)
    {
      place = address - base
    } else if let content = match[.content] {
      readContent(content, imageName: name, hasAddress: address != nil, &values, &place)
      if match[.address] == nil, let name = values.symbol?.name, name.hasPrefix("_"),
        String.namesInTables.contains(name)
      {
        values.symbol?.name.removeFirst()
      }
    } else if let name = match.text(.symbol, source), name.isDartSnapshot {
      values.anchor = FrameSymbol(
        name: name, offset: match.number(.offset, source).flatMap { Int64(exactly: $0) })
      values.anchorIdentity = images.onlyIdentity
      values.imageName = images.nameOfOnlyImage
    } else if let written = writtenSymbol(match)?.traceSymbolName(grammar.format) {
      let symbol = written.withoutValues.inGlobalNamespace
      values.isInlined = written.firstRange(of: " [inlined] ") != nil
      values.symbol = FrameSymbol(
        name: symbol, offset: match.number(.offset, source).flatMap { Int64(exactly: $0) },
        file: match.text(.file, source), line: match.integer(.line, source),
        column: match.integer(.column, source))
    } else if let cutName {
      values.symbol = FrameSymbol(name: cutName)
    } else if match[.symbol] == nil, grammar.traits.hasBareOffsets {
      place = place ?? match.number(.offset, source)
    }
    // No file has so many lines: it is the address once more.
    if let line = values.symbol?.line, line > 10_000_000 {
      values.symbol?.line = nil
      if values.symbol?.file == "<stdin>" { values.symbol?.file = nil }
    }
    // LLVM's symbolizer takes the last file that the symbol table names, if nothing else is known.
    if values.symbol?.line == 0, let file = values.symbol?.file,
      startFiles.contains(where: { file.hasSuffix($0) })
    {
      values.symbol?.file = nil
      values.symbol?.line = nil
      values.symbol?.column = nil
    }
    if !grammar.traits.hasOffsets, let offset = values.symbol?.offset {
      // No file has so many lines: it is the distance from an exported function further up, unless
      // it is an address itself, as some versions write it.
      let isDistance = offset > 0x1_0000 && offset < 0x4000_0000
      if !isDistance || values.symbol?.file != nil { values.symbol?.offset = nil }
    }
    // Where addresses are decimal, they are none of the newer distances.
    if grammar.traits.hasOffsetsAsAddresses, let small = address,
      small < TraceGrammar.offsetLimit, !match.isDecimal(.address)
    {
      (place, address) = (small, nil)
    }
    if let place, values.imageRelativeAddress == nil {
      let image = path ?? images.nameOfOnlyImage
      let found = images.place(
        image, build: match.text(.build, source), place: place, address: address, allowance, &faults
      )
      if let found {
        values.imageIndex = found.image
        values.imageOffset = found.offset
        address = address ?? found.address
      }
    }
    // Of managed code, as crash SDKs write it.
    if address == 0 || address == nil && place == 0, match[.address] != nil, values.symbol != nil {
      address = nil
      (values.imageIndex, values.imageOffset) = (nil, nil)
    }
    if let content = match.content {
      let index = match[.index] ?? range.lowerBound..<range.lowerBound
      values.parts = FrameValues.Parts(
        index: index, attributes: nil, address: match[.address], content: content)
    }
    return StackFrame(address: address.map { LoadAddress($0) }, carrier: .values(values))
  }

  /// The name of the function. In that of one of Kotlin's own, what patterns know frames by is a
  /// part of it, because the rules about the runtime go by it.
  private func writtenSymbol(_ match: LineMatch) -> String? {
    guard grammar.format == .kotlinNative, let range = match[.symbol],
      ["kotlin", "konan."].contains(where: {
        source.has($0, at: range.lowerBound, limit: range.upperBound)
      }),
      source.has("kfun:", at: range.lowerBound - 5, limit: range.lowerBound)
    else { return match.text(.symbol, source) }
    return source.string(range.lowerBound - 5..<range.upperBound)
  }

  /// The path of the image. What is left of a line that was cut in it says nothing; behind a
  /// bracket is the start of a name.
  private func image(
    _ match: LineMatch, _ range: Range<Int>, _ images: TraceImages
  ) -> (path: String?, name: String?) {
    // systemd-coredump and Android write these for memory that is of no file.
    guard let span = match[.image], case let path = source.string(span),
      !["n/a", "<anonymous:", "[anon:"].contains(where: { path.hasPrefix($0) }),
      path == "<unknown>" || !path.hasPrefix("<unk")
    else { return (nil, nil) }
    guard grammar.format == .androidTombstone, span.upperBound == range.upperBound,
      source.isBlank(below: range.upperBound)
    else { return (path, nil) }
    if let open = path.firstRange(of: " (") {
      return (String(path[..<open.lowerBound]), String(path[open.upperBound...]))
    }
    return (images.haveLongerPath(than: path) ? nil : path, nil)
  }

  /// Of the C runtime, which linkers put into every program: gcc, libgcc/crtstuff.c; glibc, csu.
  private var startFiles: [String] { ["crtstuff.c", "elf-init.c"] }

  private var isReturnAddress: Bool { grammar.traits.addressKind == .returnAddress }

  /// What Apple's libraries print behind the address.
  private func readContent(
    _ whole: Range<Int>, imageName: String?, hasAddress: Bool, _ values: inout FrameValues,
    _ place: inout UInt64?
  ) {
    var range = whole
    var content = FrameContentReader(source: source, range: range).read()
    if content == .unparsed, hasAddress,
      let shorter = FrameContentReader(source: source, range: range).beforeProse(),
      case let read = shorter.read(), read.symbol != nil || read == .unparsed
    {
      (range, content) = (shorter.start..<shorter.end, read)
    }
    switch content {
    // A page that knows the UUID of the image, and no name.
    case .symbolicated(let symbol) where symbol.name.isUuid:
      place = symbol.offset.flatMap { UInt64(exactly: $0) }
    case .symbolicated(let symbol), .atos(let symbol, _):
      // Without a symbol it is the distance from the start of the image.
      if symbol.name == imageName, symbol.file == nil, let offset = symbol.offset {
        place = UInt64(exactly: offset)
      } else if symbol.offset != 0 || symbol.file != nil || !isReturnAddress {
        // Behind a call that never returns may be the next function: it is not the caller.
        values.symbol = symbol
        values.isInlined = symbol.isInlined
      }
    case .unsymbolicated(let stated): values.imageRelativeAddress = stated
    case .sideBySide(let stated, let symbol):
      values.imageRelativeAddress = stated
      values.symbol = symbol
    case .unknown: break
    case .unparsed:
      let reader = FrameContentReader(source: source, range: range)
      guard !reader.isCut else {
        values.symbol = reader.cutName()
        values.cutName = values.symbol == nil ? reader.cutText : nil
        return
      }
      var text = source.string(range)
      if let (name, offset) = text.symbolAndHexadecimalOffset {
        values.symbol = FrameSymbol(name: name, offset: offset)
        return
      }
      if text.hasPrefix("[inlined] ") {
        text.removeFirst("[inlined] ".utf8.count)
        values.isInlined = true
      }
      // Crashlytics, of managed code.
      if text.hasSuffix(" (<unknown>)") { text.removeLast(" (<unknown>)".utf8.count) }
      // Of Flutter's plug-in, if the function is in no class.
      if text.hasPrefix("(null).") { text.removeFirst("(null).".utf8.count) }
      // Some pages repeat the image behind the name.
      if let imageName, text.hasSuffix(" (\(imageName))") {
        text.removeLast(imageName.count + 3)
      }
      // Markdown makes stars of the two underscores that begin many names of C.
      if text.hasPrefix("**"), text.dropFirst(2).first?.isLetter == true,
        !text.dropFirst(2).contains("*")
      {
        text = "__" + text.dropFirst(2)
      }
      if let placed = text.methodWithPlace ?? text.functionBehindPlace {
        values.symbol = placed
      } else if !text.hasPrefix("(") || text.hasPrefix("(anonymous "), !text.isEmpty {
        values.symbol = FrameSymbol(name: text)
      }
    }
  }
}

extension String {
  /// `panic` and 236 of `panic + 0xec`, as tables of the kernel's frames have it.
  var symbolAndHexadecimalOffset: (name: String, offset: Int64)? {
    guard let plus = firstRange(of: " + 0x"), plus.lowerBound > startIndex,
      let offset = Int64(self[plus.upperBound...], radix: 16)
    else { return nil }
    return (String(self[..<plus.lowerBound]), offset)
  }

  /// `-[Board turn]` with its place, which old pages of Crashlytics write right behind the bracket:
  /// `-[Board turn](Board.m:12)`.
  fileprivate var methodWithPlace: FrameSymbol? {
    guard hasPrefix("-[") || hasPrefix("+["), hasSuffix(")"), let end = firstRange(of: "]("),
      let colon = lastIndex(of: ":"), colon > end.upperBound,
      let line = Int(self[index(after: colon)...].dropLast())
    else { return nil }
    let file = String(self[end.upperBound..<colon])
    return FrameSymbol(
      name: String(self[...end.lowerBound]), file: file, line: line > 0 ? line : nil)
  }

  /// A function right behind its place, which copied tables of Crashlytics' pages have in one cell:
  /// `Board.swift line 12specialized Board.turn(_:)`. Nil for other texts.
  ///
  /// Source: github.com/zhangao0086/DKImagePickerController, issue 565.
  fileprivate var functionBehindPlace: FrameSymbol? {
    guard utf8.count < 2048, let mark = firstRange(of: " line "), mark.lowerBound > startIndex
    else { return nil }
    let file = self[..<mark.lowerBound]
    let digits = self[mark.upperBound...].prefix(while: \.isNumber)
    let name = self[digits.endIndex...].drop { $0 == " " }
    guard Self.sourceFiles.contains(where: { file.hasSuffix($0) }), !file.contains("("),
      !digits.isEmpty, let line = Int(digits), name.utf8.count > 3
    else { return nil }
    let isKnown = line > 0 && !file.hasPrefix("<")
    return FrameSymbol(
      name: String(name), file: isKnown ? String(file) : nil, line: isKnown ? line : nil)
  }

  private static let sourceFiles = [
    ".swift", ".m", ".mm", ".c", ".cpp", ".cc", ".h", ".kt", "<compiler-generated>",
  ]

  /// Whether it is an identifier such as `7A70D5D4-0550-38DC-AB33-71B72AFF1F5F`.
  fileprivate var isUuid: Bool {
    utf8.count == 36
      && utf8.enumerated().allSatisfy { index, byte in
        [8, 13, 18, 23].contains(index)
          ? byte == UInt8(ascii: "-") : hexadecimalDigitValue(byte) != nil
      }
  }

  /// `Page.load` of `Book.open [inlined] Page.load(self=0x1, "a"=2)`, in which lldb writes the
  /// values of arguments.
  fileprivate var withoutValues: String {
    var name = Substring(self)
    if let mark = name.firstRange(of: " [inlined] ") { name = name[mark.upperBound...] }
    guard name.contains("=") else { return String(name) }
    if name.hasPrefix("-[") || name.hasPrefix("+[") {
      return String(name.firstRange(of: "](").map { name[...$0.lowerBound] } ?? name)
    }
    var open = name.startIndex
    while let next = name[open...].firstIndex(of: "(") {
      let rest = name[name.index(after: next)...]
      let word = rest.prefix { $0.isLetter || $0.isNumber || $0 == "_" || $0 == "\"" || $0 == ":" }
      if !word.isEmpty, rest[word.endIndex...].first == "=" {
        // A method of Swift without arguments.
        let isOnlySelf = word == "self" && !rest.contains(",") && !name.contains("::")
        // Names of Swift 1 and 2 have a space there.
        let end = name[..<next].lastIndex { $0 != " " }.map { name.index(after: $0) } ?? next
        return name[..<end] + (isOnlySelf ? "()" : "")
      }
      open = name.index(after: next)
    }
    return String(name)
  }

  /// `quit()` of `::quit()`, as lldb writes a function of no namespace.
  ///
  /// Source: llvm-project, lldb/source/Symbol/Function.cpp.
  fileprivate var inGlobalNamespace: String {
    hasPrefix("::") && utf8.count > 2 ? String(dropFirst(2)) : self
  }

  /// `libapp.so` of `/data/app/base.apk!libapp.so` and `/usr/lib/libapp.so`.
  var traceImageName: String {
    let text = withoutMarkdownLink
    let inside =
      text.split(separator: "!", omittingEmptySubsequences: true).last.map(String.init) ?? text
    let name = inside.lastPathComponent
    // Of a table that lost the blank behind a bar.
    return name.utf8.first == UInt8(ascii: "|") ? String(name.drop { $0 == "|" }) : name
  }

  /// The name of a library of Apple's systems whose end Sentry's pages leave out, as do people.
  ///
  /// Source: github.com/getsentry/sentry, static/app/components/events/interfaces/frame/utils.tsx
  /// (`trimPackage`).
  fileprivate var withEndOfLibrary: String {
    let starts = [
      "libsystem_", "libobjc.A", "libdispatch", "libc++", "libswift", "libdyld", "libxpc",
    ]
    return starts.contains { hasPrefix($0) } && !hasSuffix(".dylib") ? self + ".dylib" : self
  }

  /// Functions that say something about the end of a process, with the underscore that symbol
  /// tables put in front, and Bugly leaves there. Others have such a name of their own.
  ///
  /// Source: apple-oss-distributions/objc4, runtime/objc-runtime-new.mm; Libc, stdlib/FreeBSD.
  fileprivate static let namesInTables = [
    "_objc_msgSend", "_objc_msgSendSuper2", "_objc_retain", "_objc_release", "_abort", "_free",
    "_swift_retain", "_swift_release", "___pthread_kill", "_pthread_kill", "___assert_rtn",
    "_raise", "___cxa_throw", "_memmove", "_strlen", "_main",
  ]

  /// Whether it stands for all code that Dart compiled ahead of time.
  fileprivate var isDartSnapshot: Bool { hasPrefix("_kDart") }

  /// The name of a function; nil if it stands for none.
  fileprivate func traceSymbolName(_ format: ReportFormat) -> String? {
    // Go calls it so in traces.
    if format == .goTrace, self == "panic" { return "runtime.gopanic" }
    // Markdown makes a list of the signs in front of methods. Most are of instances.
    if format == .bareNames, hasPrefix("[") { return "-\(self)" }
    // Here, too, C's names may have the underscore of object files.
    if format == .bareNames, hasPrefix("_"), !contains("("), !hasPrefix("_$") {
      return String(dropFirst())
    }
    let isNone =
      isEmpty
      || [
        "n/a", "??", "???", "(unknown)", "(null)", "<unknown>", "<redacted>", "<unavailable>",
        "Unknown", "missing", "UnknownFunction", "<unresolved>", "Unknown symbol",
      ].contains(self)
      // Of the crate `backtrace`, maybe with the address behind it.
      || hasPrefix("<no info>")
      || hasPrefix("___lldb_unnamed_symbol")
      // Xcode, of an address in no image: `0x0000000000000000 in 0x00000000 ()`.
      || hasPrefix("0x") && dropFirst(2).allSatisfy(\.isHexDigit)
    return isNone ? nil : self
  }
}
