/// The schemas of the documents that subcommands print, checked with Python's `jsonschema`.
public enum DocumentSchema {
  public static var isInstalled: Bool {
    get async {
      guard let python = Program.path(of: "python3") else { return false }
      return (try? await Program.run(python, ["-c", "import jsonschema"]))?.status == 0
    }
  }

  /// What is wrong with `document`, one line each; empty if nothing is. Keys that the schema does
  /// not have are wrong.
  public static func complaints(_ document: [UInt8], _ schema: String) async throws -> String {
    guard let python = Program.path(of: "python3") else { return "no python3" }
    let result = try await Program.run(
      python, ["-c", script, "\(Fixtures.packageDirectory)/docs/\(schema)"], input: document)
    return result.status == 0 ? result.outputText : result.standardError
  }

  private static let script = """
    import json, sys
    from jsonschema import Draft7Validator
    schema = json.load(open(sys.argv[1]))
    Draft7Validator.check_schema(schema)
    def forbid_others(node):
        if isinstance(node, list):
            for item in node: forbid_others(item)
        elif isinstance(node, dict):
            if isinstance(node.get("properties"), dict):
                assert node["required"] == list(node["properties"]), node["required"]
                node["additionalProperties"] = False
            for item in node.values(): forbid_others(item)
    forbid_others(schema)
    for error in Draft7Validator(schema).iter_errors(json.load(sys.stdin)):
        print(list(error.absolute_path), error.message[:200])
    """
}
