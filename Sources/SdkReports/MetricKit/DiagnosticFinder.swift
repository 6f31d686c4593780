import JsonReading
import ReportModel

/// A diagnostic in a JSON document: what holds one or more trees of call stacks.
struct MetricKitDiagnostic {
  /// The object with the tree; for a tree that stands alone, the tree itself.
  let object: JsonValue
  /// Objects with `callStacks` or the like. App Store Connect may have several.
  let trees: [JsonValue]
  let context: Context

  /// Whether there is nothing but the tree.
  var isBare: Bool { trees.first?.position == object.position }

  /// What stands around a diagnostic.
  struct Context {
    /// What the key says under which it stands: `hangDiagnostics`, or the case of an enumeration.
    var event: ReportEvent?
    /// `timeStampBegin` and `timeStampEnd`.
    var period: (begin: String?, end: String?)?
    /// What iOS 27 says about device and app, beside the diagnostics: the first value of each key.
    /// Every diagnostic asks for it, and there may be much of either.
    var environment: [String: JsonValue] = [:]
  }
}

/// Finds the diagnostics in a JSON document, at any depth: in payloads, in arrays of these, and in
/// whatever a server or a tool puts around them.
enum DiagnosticFinder {
  /// In the order of the document.
  ///
  /// Cost: in proportion to the document without the trees.
  static func diagnostics(in root: JsonValue) -> [MetricKitDiagnostic] {
    var found: [MetricKitDiagnostic] = []
    // The document decides how deep it is, so there is no recursion.
    var open: [Level] = []
    func enter(_ value: JsonValue, _ context: MetricKitDiagnostic.Context) {
      switch value.kind {
      case .array: open.append(.array(value.elements, context))
      case .object:
        let trees = trees(of: value)
        if trees.isEmpty {
          var context = context
          context.take(value)
          open.append(.object(value.members, context))
        } else {
          found.append(MetricKitDiagnostic(object: value, trees: trees, context: context))
        }
      default: break
      }
    }
    enter(root, MetricKitDiagnostic.Context())
    while let level = open.popLast() {
      switch level {
      case .array(var elements, let context):
        guard let element = elements.next() else { continue }
        open.append(.array(elements, context))
        enter(element, context)
      case .object(var members, let context):
        guard let member = members.next() else { continue }
        open.append(.object(members, context))
        var inner = context
        inner.event = ReportEvent(of: member) ?? context.event
        enter(member.value, inner)
      }
    }
    return found
  }

  private enum Level {
    case array(JsonElements, MetricKitDiagnostic.Context)
    case object(JsonMembers, MetricKitDiagnostic.Context)
  }

  /// The trees that an object holds or is; empty if it is no diagnostic.
  private static func trees(of object: JsonValue) -> [JsonValue] {
    if let value = object["callStackTree"] {
      let trees = value.kind == .array ? Array(value.elements) : [value]
      return trees.filter { $0.kind == .object }.map { $0["callStackTree"] ?? $0 }
    }
    return isTree(object) ? [object] : []
  }

  private static func isTree(_ object: JsonValue) -> Bool {
    CallStackReader.stackKeys.contains { object[$0]?.kind == .array }
  }
}

extension MetricKitDiagnostic.Context {
  /// Takes what an object says about the diagnostics in it.
  fileprivate mutating func take(_ object: JsonValue) {
    let (begin, end) = (object["timeStampBegin"], object["timeStampEnd"])
    if begin != nil || end != nil { period = (begin?.string, end?.string) }
    guard let value = object["environment"], value.kind == .object else { return }
    environment = Dictionary(value.members.map { ($0.key, $0.value) }) { first, _ in first }
  }
}

extension ReportEvent {
  /// What a member says by its key about the diagnostics in it; nil if it says nothing.
  fileprivate init?(of member: JsonMember) {
    if let (_, event) = Self.listKeys.first(where: { member.hasKey($0.key) }) {
      self = event
      return
    }
    // A case of Swift's enumerations: `{"crash":{"_0":{…}}}`.
    guard let (_, event) = Self.caseKeys.first(where: { member.hasKey($0.key) }),
      member.value["_0"] != nil || member.value["callStackTree"] != nil
    else { return nil }
    self = event
  }

  private static let listKeys: [(key: String, event: ReportEvent)] = [
    ("crashDiagnostics", .crash), ("hangDiagnostics", .hang),
    ("cpuExceptionDiagnostics", .cpuUsage), ("diskWriteExceptionDiagnostics", .diskWrites),
    ("appLaunchDiagnostics", .launch), ("memoryExceptionDiagnostics", .memory),
  ]
  private static let caseKeys: [(key: String, event: ReportEvent)] = [
    ("crash", .crash), ("hang", .hang), ("cpuException", .cpuUsage),
    ("diskWriteException", .diskWrites), ("appLaunch", .launch), ("memoryException", .memory),
  ]
}
