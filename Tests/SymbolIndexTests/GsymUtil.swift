import TestSupport

/// LLVM's own reader and writer of the format.
enum GsymUtil {
  static let path = Program.path(of: "llvm-gsymutil-19")
  static let need = "needs llvm-gsymutil-19 (Debian's package llvm-19)"

  static func run(_ arguments: [String], input: String = "") async throws -> ProgramResult {
    try await Program.run(path ?? "", arguments, input: Array(input.utf8))
  }

  /// What it prints for each address of a file: one line for each frame, without the address; a
  /// line that begins with `error` if it finds nothing.
  static func answers(of file: String, at addresses: [UInt64]) async throws -> [[String]] {
    let input = addresses.map { "0x\(String($0, radix: 16)) \(file)\n" }.joined()
    let output = try await run(["--addresses-from-stdin"], input: input).outputText
    var answers: [[String]] = []
    for line in output.split(separator: "\n") {
      if line.hasPrefix("0x") {
        answers.append([])
      }
      // An address of 18 characters, a colon and a space, or as many spaces.
      // For a file in the root directory, it prints two slashes.
      let answer = line.dropFirst(20).replacing(" @ //", with: " @ /")
      answers[answers.count - 1].append(String(answer))
    }
    return answers
  }
}
