import AddressResolver
import CrashLogParser
import Symbolication
import SymbolicationModel

// The examples of docs/library.md, compiled. `ExampleTests` runs them, and checks that the document
// has the same lines.

func symbolicateOneReport(_ bytes: [UInt8], dsym: String) throws -> [String] {
  var lines: [String] = []
  func print(_ text: String) { lines.append(text) }

  // EXAMPLE report
  var symbolicator = Symbolicator(symbolPaths: [dsym])
  let input = try symbolicator.symbolicate(bytes)
  for report in input.reports {
    for frame in report.crashedThread?.frames ?? [] {
      print("\(frame.index) \(frame.imageName) \(frame.function ?? frame.problem ?? "?")")
      if let file = frame.file, let line = frame.line { print("  \(file):\(line)") }
    }
  }
  // END
  return lines
}

func renderReport(_ bytes: [UInt8], dsym: String) throws -> (bytes: [UInt8], notes: [String]) {
  // EXAMPLE rendering
  var options = SymbolicatorOptions()
  options.outputFormat = .jsonLines
  options.showsInlinedCalls = false
  options.pathMappings = [.init(from: "/Users/ci/build", to: "Sources")]
  var symbolicator = Symbolicator(symbolPaths: [dsym], options: options)
  let input = try symbolicator.symbolicate(bytes, name: "letter-shuffle.crash")
  let output = input.bytes  // the report in the format asked for
  let notes = input.problems + input.notes  // sentences for people
  // END
  return (output, notes)
}

func parseReport(_ bytes: [UInt8]) throws -> [String] {
  var lines: [String] = []
  func print(_ text: String) { lines.append(text) }

  // EXAMPLE parsing
  for report in try CrashLogParser.parse(bytes) {
    print("\(report.facts.process.name ?? "?") on \(report.facts.system.name ?? "?")")
    for image in report.images.prefix(1) {
      print("\(image.name ?? "?") \(image.identity?.description ?? "without UUID")")
    }
    for frame in report.crashedThread?.frames.prefix(1) ?? [] {
      print("\(frame.imageName ?? "?") + \(frame.imageRelativeAddress?.offset ?? 0)")
    }
  }
  // END
  return lines
}

func resolveAddress(dsym: String) throws -> [String] {
  var lines: [String] = []
  func print(_ text: String) { lines.append(text) }

  // EXAMPLE address
  let image = try ImageResolver(symbolFile: dsym, architecture: .arm64)
  let answer = image.resolve(
    LoadAddress(0x1_0024_53f4), loadAddress: LoadAddress(0x1_0022_8000), kind: .returnAddress)
  for frame in answer?.frames ?? [] {
    print("\(frame.name) \(frame.location?.fileName ?? "?"):\(frame.location?.line ?? 0)")
  }
  // END
  return lines
}
