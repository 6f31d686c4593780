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
    let rest = name.dropFirst(prefix.count)
    guard let hash = rest.firstIndex(of: "#") else { throw .malformed }
    let owner = rest[..<hash]
    let function = rest[rest.index(after: hash)...]
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
    let result = function[function.index(after: end)...]
    func shown(_ type: Substring) -> String {
      showsPackages ? String(type) : withoutPackages(type)
    }
    let list = parameters.map(shown).joined(separator: ", ")
    let path = owner.isEmpty ? String(own) : "\(owner).\(own)"
    return result.isEmpty ? "\(path)(\(list))" : "\(path)(\(list)): \(shown(result))"
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
