import Foundation
import TestSupport

/// Debian's llvm tools, which the answers of this program are compared with.
struct Referee {
  let symbolizer: String
  let dwarfDump: String

  /// Nil where the tools are not on PATH. A version may be named in the environment
  /// (`SYMBOLICATE_LLVM_SUFFIX=-19`); llvm 14 of Debian 12 is the oldest that is known to serve.
  static let installed: Referee? = {
    let suffixes =
      [ProcessInfo.processInfo.environment["SYMBOLICATE_LLVM_SUFFIX"]].compactMap(\.self)
      + ["-19", "-18", ""]
    for suffix in suffixes {
      if let symbolizer = Program.path(of: "llvm-symbolizer\(suffix)"),
        let dwarfDump = Program.path(of: "llvm-dwarfdump\(suffix)")
      {
        return Referee(symbolizer: symbolizer, dwarfDump: dwarfDump)
      }
    }
    return nil
  }()

  /// One function of an answer, innermost first.
  struct Frame: Hashable, CustomStringConvertible {
    var function: String
    var file: String
    var line: UInt32

    var description: String { "\(function) \(file):\(line)" }
  }

  struct Silence: Error, CustomStringConvertible {
    let path: String
    let description: String

    init(_ path: String, _ what: String) {
      self.path = path
      self.description = "the referee says nothing of \(path): \(what)"
    }
  }

  /// The addresses of all rows of the line tables that begin a range, ascending, each once.
  /// Throws where there are none: an empty comparison proves nothing.
  func rowAddresses(of path: String, architecture: String?) async throws -> [UInt64] {
    let arguments = ["--debug-line"] + (architecture.map { ["--arch=\($0)"] } ?? []) + [path]
    let dump = try await Program.run(dwarfDump, arguments)
    var addresses: Set<UInt64> = []
    for line in dump.outputText.split(separator: "\n")
    where line.hasPrefix("0x") && !line.hasSuffix("end_sequence") {
      // Address, line, column, file, …; nothing else of the dump begins like that.
      let columns = line.split(separator: " ")
      if columns.count > 4, let address = UInt64(columns[0].dropFirst(2), radix: 16) {
        addresses.insert(address)
      }
    }
    guard !addresses.isEmpty else { throw Silence(path, "no line rows; \(dump.standardError)") }
    return addresses.sorted()
  }

  private struct Answer: Decodable {
    var Address: String
    var Symbol: [Symbol]?

    struct Symbol: Decodable {
      var FunctionName: String
      var FileName: String
      var Line: UInt32
    }
  }

  /// The answers, in the order of the addresses: frames innermost first, empty where it knows nothing.
  /// Throws where there are fewer answers than addresses, or not one frame in all.
  func answers(
    for addresses: [UInt64], in path: String, architecture: String?
  ) async throws -> [[Frame]] {
    let arguments =
      [
        "--output-style=JSON", "--inlines", "--no-demangle", "--functions=linkage",
        "--obj=\(path)",
      ] + (architecture.map { ["--default-arch=\($0)"] } ?? [])
    let input = addresses.map { "0x" + String($0, radix: 16) + "\n" }.joined()
    let result = try await Program.run(symbolizer, arguments, input: Array(input.utf8))
    let lines = result.outputText.split(separator: "\n")
    guard lines.count == addresses.count else {
      throw Silence(path, "\(lines.count) answers to \(addresses.count) questions")
    }
    let decoder = JSONDecoder()
    let answers = try lines.map { line in
      // A line is one answer, or an array of them, by the version.
      let data = Data(line.utf8)
      let answer =
        line.first == "["
        ? try decoder.decode([Answer].self, from: data).first
        : try decoder.decode(Answer.self, from: data)
      return (answer?.Symbol ?? []).map {
        Frame(function: $0.FunctionName, file: $0.FileName, line: $0.Line)
      }.filter { !$0.function.isEmpty || !$0.file.isEmpty }
    }
    guard answers.contains(where: { !$0.isEmpty }) else {
      throw Silence(path, "not one function at \(addresses.count) addresses")
    }
    return answers
  }
}
