import Foundation
import TestSupport

/// The answers of `llvm-symbolizer --inlines`.
struct LlvmSymbolizer {
  let tools: LlvmTools
  let slice: SymbolFile.Slice
  /// The file is alone in this folder, except for its split units and separate debug files:
  /// llvm-symbolizer would also read a dSYM beside it, which is not under test here.
  private let folder: TemporaryDirectory
  private let path: String

  /// - Parameter hidingSymbols: whether to use a copy without symbols, so that all answers come
  /// from DWARF.
  init(_ tools: LlvmTools, _ slice: SymbolFile.Slice, hidingSymbols: Bool = false) throws {
    self.tools = tools
    self.slice = slice
    self.folder = try TemporaryDirectory()
    let original = URL(fileURLWithPath: slice.file.path)
    let name = original.lastPathComponent
    self.path = folder.path(name)
    if hidingSymbols {
      var bytes = try Fixtures.bytes(of: slice.file.path)
      hideSymbolTables(in: &bytes)
      try folder.write(bytes, to: name)
    } else {
      try folder.link(name, to: slice.file.path)
    }
    for debugFile in slice.file.debugFiles {
      try folder.link(URL(fileURLWithPath: debugFile).lastPathComponent, to: debugFile)
    }
    for package in slice.file.splitFiles where package.hasSuffix(".dwp") {
      try folder.link(name + ".dwp", to: package)
    }
  }

  private struct Reply: Decodable {
    var Symbol: [Function]?
    var Error: Message?

    struct Message: Decodable { var Message: String }

    struct Function: Decodable {
      var FunctionName: String
      var FileName: String
      var Line: UInt32
      var Column: UInt32?
      var StartAddress: String?
    }
  }

  /// The answers, in the order of the addresses. Throws if it cannot read the file.
  func answers(for addresses: [UInt64]) async throws -> [Answer] {
    guard !addresses.isEmpty else { return [] }
    let arguments =
      [
        "--output-style=JSON", "--inlines", "--no-demangle", "--functions=linkage", "--obj=\(path)",
      ] + (slice.architecture.map { ["--default-arch=\($0)"] } ?? [])
    let input = addresses.map { "0x" + String($0, radix: 16) + "\n" }.joined()
    try await packSplitFiles()
    let questions = try folder.write(input.utf8, to: "questions")
    let result = try await Program.run(tools.symbolizer, arguments, inputPath: questions)
    let lines = result.standardOutput.split(separator: UInt8(ascii: "\n"))
    guard lines.count == addresses.count else {
      throw LlvmTools.Failure(
        slice.description,
        "\(lines.count) answers to \(addresses.count) questions; \(result.standardError.prefix(500))"
      )
    }
    let decoder = JSONDecoder()
    return try lines.map { line in
      // Depending on the version, a line is one answer or an array of them.
      let data = Data(line)
      let reply =
        line.first == UInt8(ascii: "[")
        ? try decoder.decode([Reply].self, from: data).first
        : try decoder.decode(Reply.self, from: data)
      if let error = reply?.Error { throw LlvmTools.Failure(slice.description, error.Message) }
      return answer(reply?.Symbol ?? [])
    }
  }

  /// Split units are in the directory of their compilation, which does not exist here; a package is
  /// found beside the file.
  private func packSplitFiles() async throws {
    let files = slice.file.splitFiles.filter { $0.hasSuffix(".dwo") }
    guard !files.isEmpty else { return }
    let result = try await Program.run(tools.packager, files + ["-o", path + ".dwp"])
    guard result.status == 0 else {
      throw LlvmTools.Failure(slice.description, result.standardError)
    }
  }

  private func answer(_ functions: [Reply.Function]) -> Answer {
    // If it knows nothing, it prints one frame that says so.
    if functions.count == 1, functions[0].FunctionName.isEmpty, functions[0].FileName.isEmpty {
      return Answer()
    }
    return Answer(
      frames: functions.map {
        Answer.Frame(
          function: $0.FunctionName, file: $0.FileName, line: $0.Line, column: $0.Column,
          start: $0.StartAddress.flatMap { UInt64($0.dropFirst(2), radix: 16) })
      })
  }
}
