import ReportSymbolication
import SymbolicationModel
import SymbolTools
import Wording

/// The command line of `atos`, in Apple's grammar: long options take one dash or two, and options
/// and addresses come in any order.
struct AtosArguments {
  var options = AtosOptions(symbolFiles: [])
  var addressFile: String?
  var addresses: [String] = []

  enum Outcome {
    case run(AtosArguments)
    case help
    case shortHelp
    case version
  }

  enum UsageError: Error, Equatable {
    case noSymbolFile
    case severalAddressings
    case unknownOption(String)
    case missingValue(option: String)
    case unknownDwarfReader(String)
    case notANumberOfJobs(String)
    case notAnAddress(option: String, value: String)
    case unreadableLimits(ResourceLimits.Unreadable)
    case noLiveProcesses(option: String)
  }

  // Comparisons, not sets: building a set of strings costs more than reading the arguments.
  private static func takesValue(_ name: String) -> Bool {
    switch name {
    case "o", "p", "f", "s", "l", "textExecAddress", "arch", "d", "delimiter", "dwarf-reader",
      "index-dir", "jobs":
      true
    default: false
    }
  }

  private static func isFlag(_ name: String) -> Bool {
    switch name {
    case "offset", "fullPath", "i", "inlineFrames", "dedup", "printHeader", "h", "help",
      "help-all", "no-index", "V", "version":
      true
    default: false
    }
  }

  static func parse(_ words: [String]) throws(UsageError) -> Outcome {
    var result = AtosArguments()
    result.options.indexUse = .cached(directory: nil)
    var addressings: [AtosOptions.Addressing] = []
    var rest = words[...]
    while let word = rest.popFirst() {
      guard word.hasPrefix("-"), word != "-" else {
        result.addresses.append(word)
        continue
      }
      if word == "--" {
        result.addresses += rest
        break
      }
      var (name, attachedValue) = split(word)
      var value = ""
      if takesValue(name) {
        guard let next = attachedValue ?? rest.popFirst() else {
          throw .missingValue(option: word)
        }
        value = next
        attachedValue = nil
      }
      guard attachedValue == nil else { throw .unknownOption(word) }
      switch name {
      case "o": result.options.symbolFiles.append(value)
      case "arch": result.options.architecture = Architecture(name: value)
      case "l": addressings.append(.loaded(at: LoadAddress(try address(value, of: name))))
      case "textExecAddress":
        addressings.append(.textExecLoaded(at: LoadAddress(try address(value, of: name))))
      case "s": addressings.append(.slid(by: try address(value, of: name)))
      case "offset": addressings.append(.offset)
      case "fullPath": result.options.showsFullPath = true
      case "i", "inlineFrames": result.options.showsInlinedFrames = true
      case "d", "delimiter": result.options.inlineDelimiter = value
      case "dwarf-reader":
        guard let reader = DwarfReaderChoice(rawValue: value) else {
          throw .unknownDwarfReader(value)
        }
        result.options.dwarfReader = reader
      case "index-dir":
        // -no-index wins, whatever the order.
        if result.options.indexUse != .never { result.options.indexUse = .cached(directory: value) }
      case "no-index": result.options.indexUse = .never
      case "jobs":
        guard let jobs = Int(value), jobs > 0 else { throw .notANumberOfJobs(value) }
        result.options.jobs = jobs
      case "f": result.addressFile = value
      case "dedup": break  // Symbol files do not tell folded functions apart.
      case "p", "printHeader": throw .noLiveProcesses(option: word)
      case "h": return .shortHelp
      case "help", "help-all": return .help
      case "V", "version": return .version
      default: throw .unknownOption(word)
      }
    }
    guard addressings.count <= 1 else { throw .severalAddressings }
    guard !result.options.symbolFiles.isEmpty else { throw .noSymbolFile }
    result.options.addressing = addressings.first ?? .linked
    do throws(ResourceLimits.Unreadable) {
      result.options.limits = try ResourceLimits.stated()
    } catch {
      throw .unreadableLimits(error)
    }
    return .run(result)
  }

  /// The option's name without dashes, and the value attached to it: `--arch=arm64`, `-l0x1000`.
  private static func split(_ word: String) -> (name: String, value: String?) {
    let body = word.hasPrefix("--") ? word.dropFirst(2) : word.dropFirst()
    let name = String(body.prefix { $0 != "=" })
    let value = name.count < body.count ? String(body.dropFirst(name.count + 1)) : nil
    // As in getopt_long_only(3), a word that is a long option is not a letter with its value.
    guard !takesValue(name), !isFlag(name), !word.hasPrefix("--"),
      let letter = body.first.map(String.init), takesValue(letter)
    else { return (name, value) }
    return (letter, String(body.dropFirst()))
  }

  private static func address(
    _ value: String, of option: String
  ) throws(UsageError) -> UInt64 {
    // A negative slide: the image was moved down.
    if option == "s", value.hasPrefix("-"),
      let distance = AtosAddressToken.value(of: value.dropFirst())
    {
      return 0 &- distance
    }
    guard let address = AtosAddressToken.value(of: value[...]) else {
      throw .notAnAddress(option: "-" + option, value: value)
    }
    return address
  }
}
