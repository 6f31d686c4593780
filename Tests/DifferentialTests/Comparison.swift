/// The answers of two voices, address by address.
struct Comparison {
  private(set) var addressCount = 0
  private(set) var agreements = 0
  private(set) var explained: [Difference: Int] = [:]
  private(set) var unexplainedCount = 0
  /// A description of the first difference.
  private(set) var unexplained: [String] = []

  mutating func add(
    _ address: UInt64, _ first: Answer, _ second: Answer, explanation: () -> Difference?
  ) {
    addressCount += 1
    if Self.agree(first, second) {
      agreements += 1
    } else if let difference = explanation() {
      explained[difference, default: 0] += 1
    } else {
      unexplainedCount += 1
      if unexplained.count < 20 {
        unexplained.append("0x\(String(address, radix: 16)): \(first)\n    and \(second)")
      }
    }
  }

  /// Whether the two agree in everything that both state.
  static func agree(_ first: Answer, _ second: Answer) -> Bool {
    first.frames.count == second.frames.count
      && zip(first.frames, second.frames).allSatisfy { agree($0, $1) }
  }

  static func agree(_ first: Answer.Frame, _ second: Answer.Frame) -> Bool {
    agreeOnLocation(first, second) && agreeOnName(first.function, second.function)
      && (first.start == nil || second.start == nil || first.start == second.start)
  }

  static func agreeOnLocation(_ first: Answer.Frame, _ second: Answer.Frame) -> Bool {
    first.line == second.line && normalised(first.file) == normalised(second.file)
      && (first.column == nil || second.column == nil || first.column == second.column)
  }

  /// llvm strips one underscore from some names, as Mach-O symbol tables require.
  private static func agreeOnName(_ first: String, _ second: String) -> Bool {
    first == second || first == "_" + second || second == "_" + first
  }

  /// Treats `a/./b` as `a/b`, and `./a` as `a`.
  private static func normalised(_ path: String) -> String {
    guard path.utf8.contains(UInt8(ascii: ".")) else { return path }
    var path = path.replacing("/./", with: "/")
    while path.hasPrefix("./") { path.removeFirst(2) }
    return path
  }
}
