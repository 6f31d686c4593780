import FuzzExercises
import Platform
import SystemPackage

// The program that `make fuzz` runs, for one target at a time:
//
//     symbolicate-fuzz TARGET [libFuzzer's options and folders of inputs]
//     symbolicate-fuzz sweep TARGET STEP FILE…
//     symbolicate-fuzz seeds TARGET FOLDER OBJECT-FILE[:OTHER-FILE]…
//     symbolicate-fuzz mutate TARGET FIRST COUNT FILE…
//
// The second form tries each file truncated at every STEPth byte, and with that byte replaced by a
// few others. The third makes inputs for dwarf-tables and dwarf-reader from object files, and from
// the files that these refer to. The fourth runs the mutants of ELF files with the numbers FIRST to
// FIRST + COUNT - 1, each made from its number alone.
//
// libFuzzer's archive also has a `main`, which would treat the name of the target as a folder of
// inputs. The build system selects this program's `main`.

@_silgen_name("LLVMFuzzerRunDriver")
private func runFuzzer(
  _ count: UnsafeMutablePointer<CInt>,
  _ arguments: UnsafeMutablePointer<UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>>,
  _ callback: @convention(c) (UnsafePointer<UInt8>?, Int) -> CInt
) -> CInt

/// Set once, before libFuzzer is started.
nonisolated(unsafe) private var exercise = Exercise.crashText

@main
struct SymbolicateFuzz {
  static func main() {
    let texts = CommandLine.arguments.dropFirst()
    if texts.first == "seeds", texts.count > 2, let target = Exercise(rawValue: texts[2]) {
      exit(makeSeeds(for: target, in: texts[3], of: Array(texts[4...])))
    }
    if texts.first == "sweep", texts.count > 3, let target = Exercise(rawValue: texts[2]),
      let step = Int(texts[3]), step > 0
    {
      exit(sweep(target, step: step, Array(texts[4...])))
    }
    if texts.first == "mutate", texts.count > 4, let target = Exercise(rawValue: texts[2]),
      let first = UInt64(texts[3]), let count = UInt64(texts[4])
    {
      exit(mutate(target, first..<(first + count), Array(texts[5...])))
    }
    guard let name = texts.first, let chosen = Exercise(rawValue: name) else {
      let names = Exercise.allCases.map(\.rawValue).joined(separator: "|")
      say("usage: symbolicate-fuzz \(names) [options] [folders]")
      exit(64)
    }
    unsafe exercise = chosen
    // libFuzzer sees the name of the program, followed by its own arguments.
    var arguments = unsafe CommandLine.unsafeArgv + 1
    unsafe arguments[0] = unsafe CommandLine.unsafeArgv[0]
    var count = CommandLine.argc - 1
    exit(
      unsafe runFuzzer(&count, &arguments) { start, size in
        let bytes = unsafe Array(UnsafeBufferPointer(start: start, count: size))
        do {
          try unsafe exercise.run(bytes)
        } catch {
          say("VIOLATION \(error)")
          abort()
        }
        return 0
      })
  }
}

private func say(_ text: String) {
  _ = try? FileDescriptor.standardError.writeAll("\(text)\n".utf8)
}

/// Tries systematic inputs that libFuzzer would only find late: every offset is changed.
private func sweep(_ target: Exercise, step: Int, _ paths: [String]) -> CInt {
  var count = 0
  for path in paths {
    guard let whole = try? bytes(of: path) else { return 74 }
    for offset in stride(from: 0, to: whole.count, by: step) {
      var inputs = [Array(whole[..<offset])]
      for byte in [0x00, 0x01, 0x7f, 0x80, 0xff, whole[offset] &+ 1] where byte != whole[offset] {
        inputs.append(whole)
        inputs[inputs.count - 1][offset] = byte
      }
      for (number, input) in inputs.enumerated() {
        count += 1
        do {
          try target.run(input)
        } catch {
          say("VIOLATION \(error)\n\(path), byte \(offset), number \(number)")
          return 1
        }
      }
    }
  }
  say("\(count) inputs")
  return 0
}

/// Runs mutants of ELF files. The number of one that fails is on standard error; a crash is found
/// by running a part of the numbers.
private func mutate(_ target: Exercise, _ numbers: Range<UInt64>, _ paths: [String]) -> CInt {
  let seeds = paths.compactMap { path in (try? bytes(of: path)).flatMap { ElfMutant(of: $0) } }
  guard !seeds.isEmpty else { return 66 }
  for number in numbers {
    var random = SplitMix(state: number &* 0x9e37_79b9_7f4a_7c15)
    let mutant = seeds[Int(number % UInt64(seeds.count))].bytes(&random)
    do {
      try target.run(mutant)
    } catch {
      say("VIOLATION \(error)\nnumber \(number)")
      return 1
    }
  }
  return 0
}

/// The same random numbers in each run.
private struct SplitMix: RandomNumberGenerator {
  var state: UInt64

  mutating func next() -> UInt64 {
    state &+= 0x9e37_79b9_7f4a_7c15
    var mixed = state
    mixed = (mixed ^ (mixed >> 30)) &* 0xbf58_476d_1ce4_e5b9
    mixed = (mixed ^ (mixed >> 27)) &* 0x94d0_49bb_1331_11eb
    return mixed ^ (mixed >> 31)
  }
}

private func makeSeeds(for target: Exercise, in folder: String, of paths: [String]) -> CInt {
  do {
    for (index, pair) in paths.enumerated() {
      let files = try pair.split(separator: ":").map { try bytes(of: String($0)) }
      guard let file = files.first else { continue }
      let inputs =
        target == .dwarfTables
        ? DwarfTablesInput.inputs(fromObjectFile: file)
        : DwarfReaderInput.inputs(fromObjectFile: file, other: files.dropFirst().first)
      for (slice, input) in inputs.enumerated() {
        let file = try FileDescriptor.open(
          FilePath("\(folder)/\(index)-\(slice)"), .writeOnly, options: [.create, .truncate],
          permissions: .ownerReadWrite)
        try file.closeAfter { _ = try file.writeAll(input) }
      }
    }
    return 0
  } catch {
    say("\(error)")
    return 74
  }
}

private func bytes(of path: String) throws -> [UInt8] {
  let file = try FileDescriptor.open(FilePath(path), .readOnly)
  return try file.closeAfter {
    let size = Int(try file.seek(offset: 0, from: .end))
    try file.seek(offset: 0, from: .start)
    return try unsafe [UInt8](unsafeUninitializedCapacity: size) { buffer, count in
      count = try unsafe file.read(into: UnsafeMutableRawBufferPointer(buffer))
    }
  }
}
