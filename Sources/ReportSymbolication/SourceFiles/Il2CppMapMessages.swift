extension Il2CppMapError {
  /// One sentence.
  package func message(path: String) -> String {
    let found =
      switch self {
      case .malformed(let offset): "it is not a JSON object from byte \(offset) on"
      case .noFiles: "it names no C++ file"
      }
    return
      "\(path) is not a map of il2cpp lines: \(found); expected LineNumberMappings.json from the folder il2cppOutput/Symbols"
  }
}
