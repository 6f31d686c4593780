internal import ReportSymbolication
public import SymbolicationModel

/// A frame: what the report says, combined with what was found out.
public struct SymbolicatedFrame: Sendable {
  /// The number in the backtrace, counting inlined calls.
  public let index: Int
  /// The address in the process, as the report gives it; nil if it does not.
  public let address: LoadAddress?
  /// The name of the image, as the report writes it; `???` if it is unknown.
  public let imageName: String
  /// The UUID or build-id of the image; nil if the report does not state it.
  public let imageIdentity: ImageIdentity?
  /// Bytes from the start of the image to the address.
  public let imageOffset: UInt64?
  /// The function, demangled as the options say. Nil if nothing is known about the frame:
  /// ``isInlined`` is then false, and all other properties below except ``problem`` are nil.
  public let function: String?
  /// The function's name as the symbol file spells it.
  public let rawName: String?
  /// Bytes from the start of the function, or of the inlined body, to the address.
  public let offset: UInt64?
  /// The name of the source file.
  public let file: String?
  /// The source file with its folders, if they are known.
  public let path: String?
  /// The line in the source file, counted from 1; 0 for code without a line, nil if it is unknown.
  public let line: Int?
  /// The column in the line, counted from 1; nil if it is not known.
  public let column: Int?
  /// Whether the frame is a call inlined into the next one.
  public let isInlined: Bool
  /// What the function, and its line, are based on.
  public let origin: AnswerOrigin?
  /// Why the frame has no function, in a few words. Nil if it has one, or if the options do not ask
  /// for explanations.
  public let problem: String?

  public typealias Origin = AnswerOrigin

  init(_ frame: ShownFrame) {
    index = frame.index
    address = frame.address
    imageName = frame.imageName
    imageIdentity = frame.image?.identity
    imageOffset = frame.imageOffset
    function = frame.function
    rawName = frame.rawName
    offset = frame.offset
    file = frame.file
    path = frame.path
    line = frame.line
    column = frame.column
    isInlined = frame.isInlined
    origin = frame.origin
    problem = frame.problem
  }
}
