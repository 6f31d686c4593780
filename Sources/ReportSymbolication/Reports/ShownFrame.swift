package import CrashLogParser
package import FunctionNames
package import SymbolicationModel
import Wording

/// A frame as JSON and summaries show it: what the report says, combined with what was found out.
/// An inlined call is a frame of its own, before the function that it is inlined into; in a call
/// tree after it.
///
/// Rules pass frames on again and again, so a copy is a reference.
package final class ShownFrame: Sendable {
  /// The number in the backtrace, counting inlined calls. Numbers that the report leaves out are
  /// missing, as are those of frames that the options leave out.
  package let index: Int
  private let frame: SymbolicatedFrame
  private let content: Content
  /// What the report shows, if function or line come from there.
  private let stated: StatedSymbol?
  private let showsFullPath: Bool
  /// Nil if nothing is known about the frame; the rest is nil then too.
  package let function: String?
  /// The function's name as the symbol file spells it.
  package let rawName: String?
  /// Whether other frames of the backtrace show that the name is that of the nearest symbol.
  private let isNamedAfterNeighbour: Bool
  /// Whether other frames of the backtrace show that its offset counts from somewhere else than
  /// its function.
  private let countsFromElsewhere: Bool
  /// Whether the frame before has the same address.
  private let repeatsAddress: Bool
  /// Nil if they are found out each time they are asked for.
  private let keptTraits: FunctionTraits?

  /// Where function and line come from.
  private enum Content {
    /// The report states them, or there are none.
    case stated
    case answered
    /// The report states the function, and the answer has the line.
    case lineAnswered
    /// The call with this index in the answer.
    case inlined(Int)
  }

  /// A place in a source file. All are nil if it is not known.
  package struct Location: Sendable {
    /// The name of the file, without its folders.
    package private(set) var file: String?
    /// The file with its folders, if they are known.
    package private(set) var path: String?
    /// What text shows of the file: its name, or the whole path.
    package private(set) var shownFile: String?
    /// Counted from 1; 0 for code without a line.
    package private(set) var line: Int?
    /// Counted from 1; nil for code without a line.
    package private(set) var column: Int?
    /// The lines around it in the source file, if they are wanted and found.
    package private(set) var source: SourceExcerpt?

    /// Whether all are nil, except the lines around it.
    package var isUnknown: Bool { file == nil && path == nil && line == nil && column == nil }

    /// Of no place.
    package init() {}

    package init(_ answer: FrameAnswer.FrameText) {
      self.init(
        answer.location, file: answer.fileName, shownFile: answer.shownFile, answer.source)
    }

    /// What an answer says, in parts: an answer is dear to copy.
    fileprivate init(
      _ location: SymbolicationModel.SourceLocation?, file: String?, shownFile: String?,
      _ source: SourceExcerpt?
    ) {
      guard let location else { return }
      self.file = file
      self.shownFile = shownFile
      self.source = source
      path = location.path
      line = Int(location.line)
      column = location.line == 0 || location.column == 0 ? nil : Int(location.column)
    }

    /// What a report states. Most writers leave out the folders.
    package init(_ stated: FrameSymbol?, showsFullPath: Bool) {
      guard let written = stated?.file else { return }
      file = SymbolicationModel.SourceLocation(path: written, line: 0).fileName
      path = written.utf8.contains(UInt8(ascii: "/")) ? written : nil
      shownFile = showsFullPath ? written : file
      line = stated?.line.flatMap { $0 < 0 ? nil : $0 }
      column = line == 0 ? nil : stated?.column
    }
  }

  /// - Parameters:
  ///   - inlined: the index of the call in the answer, for an inlined call.
  ///   - isNamedAfterNeighbour: whether other frames show that it is not in the function that the
  ///     report names.
  ///   - countsFromElsewhere: whether they show that its offset is none from the function.
  ///   - repeatsAddress: whether the frame before has the same address.
  ///   - keepsTraits: whether ``traits`` will be asked for often.
  init(
    _ frame: SymbolicatedFrame, _ index: Int, inlined: Int?, showsFullPath: Bool,
    isNamedAfterNeighbour: Bool, countsFromElsewhere: Bool, repeatsAddress: Bool,
    keepsTraits: Bool
  ) {
    self.index = index
    self.isNamedAfterNeighbour = isNamedAfterNeighbour
    self.countsFromElsewhere = countsFromElsewhere
    self.repeatsAddress = repeatsAddress
    self.showsFullPath = showsFullPath
    if let inlined {
      content = .inlined(inlined)
      stated = nil
      function = frame.answer?.inlined[inlined].name
      rawName = frame.answer?.inlined[inlined].rawName
    } else if let answer = frame.answer {
      let keepsName = answer.keepsStatedName && frame.statement.isNamed
      content = keepsName ? .lineAnswered : .answered
      stated = keepsName ? frame.statedSymbol : nil
      function = keepsName ? stated?.symbol.name : answer.function.name
      rawName = answer.function.rawName
    } else {
      content = .stated
      stated = frame.statedSymbol
      function = stated?.symbol.name
      rawName = nil
    }
    keptTraits = keepsTraits ? Self.traits(function, rawName) : nil
    // The last use of a frame needs no copy.
    self.frame = frame
  }
}

extension ShownFrame {
  package var address: LoadAddress? { frame.address }
  /// Whether it is in code that Dart compiled ahead of time, and nobody knows the function.
  package var isOfDartSnapshot: Bool { function == nil && frame.source.isOfDartSnapshot }
  package var image: ReportImage? { frame.image }
  /// In a call tree: how many callers of the report's own the frame has. A call that was found
  /// inlined has the depth of the function that it is inlined into.
  package var depth: Int? { frame.source.depth }
  /// In how many samples the frame was seen; nil if the report does not count them.
  package var sampleCount: Int? { frame.source.sampleCount }
  /// As the report writes it.
  package var imageName: String { frame.imageName }
  package var explanation: FrameExplanation? { frame.explanation }

  /// Where the report has the frame: a half-open range of offsets in the input. Nil for an address
  /// in a list.
  package var byteRange: Range<Int>? { frame.source.byteRange }

  /// Bytes from the start of the image; nil for an address before that.
  package var imageOffset: UInt64? { frame.imageOffset }

  /// The distance from the start of the image, as the report writes it if it does: with the bit
  /// that marks Thumb code, so that people find the number in their text.
  package var shownImageOffset: UInt64? {
    guard let offset = imageOffset, offset < .max,
      frame.source.line != nil, let stated = frame.source.imageRelativeAddress,
      stated.offset == offset | 1,
      image.map({ $0.loadAddress == stated.base }) ?? false
    else { return imageOffset }
    return stated.offset
  }

  /// Reports of macOS 11 and earlier show bundle identifiers; the file name is in the path, or the
  /// last part of the identifier.
  package var imageFileName: String {
    if let name = image?.fileName { return name }
    let (name, apple) = (imageName, "com.apple.")
    return name.hasPrefixBytes(apple) ? String(name.dropFirst(apple.utf8.count)) : name
  }

  package var isInlined: Bool {
    if case .inlined = content { true } else { stated?.symbol.isInlined ?? false }
  }

  /// ``function``, demangled if the report has it mangled.
  package var readableFunction: String? { function.map { ReadableName.readable($0) } }

  /// What the name of the function says about it. Kept from report to report.
  package var traits: FunctionTraits? { keptTraits ?? Self.traits(function, rawName) }

  /// Rules are about the name of a function in Kotlin as its compiler writes it.
  private static func traits(_ function: String?, _ rawName: String?) -> FunctionTraits? {
    if let rawName {
      if rawName.hasPrefixBytes("kfun:") { return FunctionTraits.of(rawName) }
      if rawName.hasPrefixBytes("_kfun:") { return FunctionTraits.of(String(rawName.dropFirst())) }
    }
    return function.map { FunctionTraits.of($0) }
  }

  /// Bytes from the start of the function, or of the inlined body, to the address.
  package var offset: UInt64? {
    switch content {
    case .stated, .lineAnswered: stated?.symbol.offset.flatMap { UInt64(exactly: $0) }
    case .answered: frame.answer?.function.offset
    case .inlined(let index): frame.answer?.inlined[index].offset
    }
  }

  /// What the function and its line are based on.
  package var origin: AnswerOrigin? {
    switch content {
    case .stated: stated == nil ? nil : .report
    case .lineAnswered: .reportAndLineTable
    case .answered, .inlined: frame.answer?.origin
    }
  }

  /// Whether the report names the function after the one that made the call: a call that does not
  /// return may be the last instruction of its function, and then its return address is the start
  /// of the next one.
  package var isNamedAfterNextFunction: Bool {
    guard origin == .report, !isInlined, offset == 0, frame.addressKind == .returnAddress else {
      return false
    }
    // Of calls inlined at one address, most have the offset 0, and writers do not always mark them.
    // They are known from debug information, which has their lines.
    if repeatsAddress, file != nil { return false }
    // Parts of asynchronous functions begin where a call comes back to.
    return readableFunction?.hasBytes(of: " resume partial function for ") == false
  }

  /// Whether the name is that of the nearest exported function, and the address lies in another one
  /// without a name: functions written by people are shorter.
  package var isFarFromNamedFunction: Bool {
    if isNamedAfterNeighbour { return true }
    if countsFromElsewhere { return false }
    // Old versions of symbolicatecrash count from the start of the image.
    guard let offset, offset > longestFunction, offset != imageOffset, !isInlined else {
      return false
    }
    // A larger one is no distance between two addresses of a process, and says nothing.
    return file == nil && offset < 1 << 47
  }

  /// Whether the report had a name for the function, and its text ends within it.
  package var isCutInName: Bool { function == nil && frame.source.line?.isCut == true }

  /// Whether the name is one that somebody looked up beside the report.
  package var isLookedUp: Bool { frame.source.lookedUpSymbol != nil }

  /// How many frames of the stack a line of the report stands for.
  var repetitions: Int { frame.source.repetitions }

  /// What the report has of that name, with `…` behind it.
  package var cutName: String? {
    function == nil ? frame.source.cutName.map { "\($0.withoutControlCharacters)…" } : nil
  }

  /// Put together anew on each call.
  package var location: Location {
    switch content {
    case .answered, .lineAnswered:
      return Location(
        frame.answer?.function.location, file: frame.answer?.function.fileName,
        shownFile: frame.answer?.function.shownFile, frame.answer?.function.source)
    case .inlined(let index):
      return Location(
        frame.answer?.inlined[index].location, file: frame.answer?.inlined[index].fileName,
        shownFile: frame.answer?.inlined[index].shownFile, frame.answer?.inlined[index].source)
    case .stated:
      // Most frames of the system have none.
      guard let stated, stated.symbol.file != nil else { return Location() }
      return Location(stated.symbol, showsFullPath: showsFullPath)
    }
  }

  package var file: String? { location.file }
  package var path: String? {
    switch content {
    case .stated: location.path
    case .answered, .lineAnswered: frame.answer?.function.location?.path
    case .inlined(let index): frame.answer?.inlined[index].location?.path
    }
  }
  package var shownFile: String? { location.shownFile }
  package var line: Int? { location.line }
  package var column: Int? { location.column }
  /// Reports state none.
  package var source: SourceExcerpt? {
    switch content {
    case .stated: nil
    case .answered, .lineAnswered: frame.answer?.function.source
    case .inlined(let index): frame.answer?.inlined[index].source
    }
  }
}

extension ShownFrame.Location {
  package var lineKnowledge: ShownFrame.LineKnowledge {
    guard let file else { return .unknown }
    // `<compiler-generated>`, `/<compiler-generated>`, `<stdin>` and `<unknown>` are not files.
    let isFile = !file.isEmpty && !file.hasPrefixBytes("<") && !file.hasPrefixBytes("/<")
    guard isFile else { return .none }
    if isStandardHeader(file) { return .unknown }
    return line.map { $0 > 0 ? .line : .zero } ?? .unknown
  }

  /// Whether it is a header of C++'s library (`memory:3425`, `string:1459`): the line is that of a
  /// function of the library, compiled into the one that the frame names. Only writers that know
  /// nothing of inlined calls have it there, and they leave the folders out.
  ///
  /// Source: ISO C++, [headers]: their names have no ending.
  private func isStandardHeader(_ file: String) -> Bool {
    path == nil
      && file.utf8.allSatisfy { byte in
        UInt8(ascii: "a")...UInt8(ascii: "z") ~= byte || byte == UInt8(ascii: "_")
      }
  }
}

extension ShownFrame {
  /// What is known about the line.
  package enum LineKnowledge {
    /// A line of source code.
    case line
    /// The compiler merged the code of several lines of a file that somebody wrote (line 0).
    case zero
    /// The compiler generated the code.
    case none
    /// Unknown, because there is no debug information.
    case unknown
  }

  package var lineKnowledge: LineKnowledge { location.lineKnowledge }

  package var authorship: FunctionTraits.Authorship {
    guard let traits else { return .user }
    // Swift's runtime, whose functions begin like that, is written in C++.
    if traits.readable.hasPrefixBytes("_swift_"), file?.hasSuffix(".c") == true { return .user }
    if traits.authorship != .user { return traits.authorship }
    return isInStandardHeader || isOfFlutter ? .toolchain : .user
  }

  /// Whether it is of Dart's libraries or of Flutter's framework, whose files are named by package.
  private var isOfFlutter: Bool {
    guard let path else { return false }
    return path.hasPrefixBytes("dart:") || path.hasPrefixBytes("package:flutter/")
  }

  /// Judges by the name, which may follow a return type, or by the folder of its headers.
  package func isOfStandardLibrary(_ function: String) -> Bool {
    isInStandardHeader || FunctionTraits.isNameOfStandardLibrary(function)
  }

  private var isInStandardHeader: Bool {
    guard let path else { return false }
    return path.hasBytes(of: "/c++/")
      && (path.hasBytes(of: "/c++/v1/") || path.hasBytes(of: "/include/c++/"))
  }
}
