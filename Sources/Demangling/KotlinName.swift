import SymbolicationModel

/// Names of Kotlin/Native, as Kotlin's own stack traces have them in its other implementations:
///
/// ```text
/// kfun:app.Page#load(kotlin.Int;kotlin.String?){}kotlin.String
/// app.Page.load(Int, String?): String
/// ```
///
/// The parts are the class or package, the function, the types of its parameters, its type
/// parameters, and what it returns. Source: Kotlin, the binary interface of its compiler
/// (`BinaryInterface.kt`).
enum KotlinName {
  /// - Parameter showsPackages: whether types have their packages.
  static func demangled(
    _ name: String, showsPackages: Bool
  ) throws(DemanglingFailure) -> String {
    let prefix = "kfun:"
    guard name.hasPrefix(prefix) else { throw .malformed }
    let whole = name.dropFirst(prefix.count)
    guard let hash = whole.firstIndex(of: "#") else { throw .malformed }
    let owner = whole[..<hash]
    let function = whole[whole.index(after: hash)...]
    // A function that the compiler made for a lambda.
    if function == "internal", !owner.isEmpty { return String(owner) }
    guard let open = function.firstIndex(of: "("), open > function.startIndex,
      let close = function[open...].firstIndex(of: ")"),
      let end = function[close...].lastIndex(of: "}"),
      function[function.index(after: close)...].first == "{"
    else { throw .malformed }
    // The receiver of an extension follows the name.
    let own = function[..<open].prefix { $0 != "@" }
    let parameters = function[function.index(after: open)..<close].split(separator: ";")
    // Who shows a name may have put words behind it.
    let behind = function[function.index(after: end)...]
    let result = behind[..<endOfType(behind)]
    let rest = behind[result.endIndex...]
    func shown(_ type: Substring) -> String {
      showsPackages ? String(type) : withoutPackages(type)
    }
    let list = parameters.map(shown).joined(separator: ", ")
    let path = owner.isEmpty ? String(own) : "\(owner).\(own)"
    let type = result.isEmpty ? "" : ": \(shown(result))"
    return "\(path)(\(list))\(type)\(rest)"
  }

  /// Where a type ends: at the first blank that is not in its angle brackets.
  private static func endOfType(_ text: Substring) -> Substring.Index {
    var depth = 0
    return text.indices.first { index in
      if text[index] == "<" { depth += 1 }
      if text[index] == ">" { depth -= 1 }
      return text[index] == " " && depth <= 0
    } ?? text.endIndex
  }

  /// `Array<String?>` of `kotlin.Array<kotlin.String?>`.
  private static func withoutPackages(_ type: Substring) -> String {
    var text = ""
    var word = ""
    for character in type {
      if character == "." {
        word = ""
      } else if character.isLetter || character.isNumber || character == "_" {
        word.append(character)
      } else {
        text += word
        text.append(character)
        word = ""
      }
    }
    return text + word
  }
}
