/// The parts of a C++ name.
///
/// A substitution (`S0_`) is the same part once more, so the tree takes memory in proportion to the
/// name, even if its text would be exponentially long.
struct ItaniumTree {
  private(set) var nodes: [Node] = []
  /// The elements of all lists.
  private(set) var elements: [NodeID] = []
  private(set) var functions: [Function] = []
  private(set) var closures: [Closure] = []

  /// Empties the tree and keeps its memory.
  mutating func removeAll() {
    nodes.removeAll(keepingCapacity: true)
    elements.removeAll(keepingCapacity: true)
    functions.removeAll(keepingCapacity: true)
    if !closures.isEmpty { closures.removeAll(keepingCapacity: true) }
  }

  /// A part of a name, and what is asked about it often.
  struct Node {
    var form: Form
    let shape: Shape
  }

  enum Form {
    case name(NameForm)
    case type(TypeForm)
    case expression(ExpressionForm)
    case template(TemplateForm)
    case encoding(EncodingForm)
  }

  mutating func add(_ form: Form) -> NodeID {
    let id = NodeID(index: Int32(truncatingIfNeeded: nodes.count))
    nodes.append(Node(form: form, shape: shape(of: form)))
    return id
  }

  mutating func add(_ form: NameForm) -> NodeID { add(.name(form)) }
  mutating func add(_ form: TypeForm) -> NodeID { add(.type(form)) }
  mutating func add(_ form: ExpressionForm) -> NodeID { add(.expression(form)) }
  mutating func add(_ form: TemplateForm) -> NodeID { add(.template(form)) }
  mutating func add(_ form: EncodingForm) -> NodeID { add(.encoding(form)) }

  mutating func add(_ function: Function) -> FunctionID {
    functions.append(function)
    return FunctionID(index: Int32(truncatingIfNeeded: functions.count - 1))
  }

  mutating func add(_ closure: Closure) -> NodeID {
    closures.append(closure)
    return add(NameForm.closure(Int32(truncatingIfNeeded: closures.count - 1)))
  }

  /// Makes a list of the last elements of `pending`, from `start` on, and removes them there.
  mutating func addList(movedFrom pending: inout [NodeID], start: Int) -> NodeList {
    guard start < pending.count else { return .empty }
    let list = NodeList(
      start: Int32(truncatingIfNeeded: elements.count),
      count: Int32(truncatingIfNeeded: pending.count - start))
    for index in start..<pending.count { elements.append(pending[index]) }
    pending.removeLast(pending.count - start)
    return list
  }

  mutating func setTarget(ofForwardReference id: NodeID, to target: NodeID) {
    nodes[Int(id.index)].form = .template(.forwardReference(target: target))
  }

  subscript(_ id: NodeID) -> Form { nodes[Int(id.index)].form }

  /// Where the elements of a list are in `elements`.
  func indices(of list: NodeList) -> Range<Int> {
    Int(list.start)..<Int(list.start) + Int(list.count)
  }

  subscript(_ id: FunctionID) -> Function { functions[Int(id.index)] }

  func shape(of id: NodeID) -> Shape { nodes[Int(id.index)].shape }
}

/// Where a part is in a tree.
struct NodeID: Equatable {
  let index: Int32

  /// No part, where one is optional.
  static let none = NodeID(index: -1)
}

struct FunctionID {
  let index: Int32
}

/// A range of `ItaniumTree.elements`.
struct NodeList {
  let start: Int32
  let count: Int32

  static let empty = NodeList(start: 0, count: 0)

  var isEmpty: Bool { count == 0 }
}

/// A range of the bytes of the mangled name.
struct NameText {
  let start: Int32
  let count: Int32

  init(start: Int, end: Int) {
    self.start = Int32(truncatingIfNeeded: start)
    self.count = Int32(truncatingIfNeeded: end - start)
  }

  static let empty = NameText(start: 0, end: 0)

  var isEmpty: Bool { count == 0 }
  var range: Range<Int> { Int(start)..<Int(start) + Int(count) }
}

/// What the declarator around a type needs to know about the type: `int (*)[2]` needs parentheses,
/// because its inner type is an array.
struct Shape {
  /// Whether a part is written behind the name that would be declared: `[2]` in `int x[2]`.
  var hasRightSide = Answer.no
  var isArray = Answer.no
  var isFunction = Answer.no

  enum Answer {
    case no
    case yes
    /// The part is a pack or a template argument that is known later.
    case dependsOnContext
  }

  enum Question {
    case hasRightSide
    case isArray
    case isFunction
  }

  func answer(_ question: Question) -> Answer {
    switch question {
    case .hasRightSide: hasRightSide
    case .isArray: isArray
    case .isFunction: isFunction
    }
  }
}

extension ItaniumTree {
  private func shape(of form: Form) -> Shape {
    switch form {
    case .name(.tagged(let name, _)): shape(of: name)
    case .type(.qualified(let type, _)): shape(of: type)
    case .type(.pointer(let type)), .type(.reference(let type, isRvalue: _)),
      .type(.memberPointer(_, let type)):
      Shape(hasRightSide: shape(of: type).hasRightSide)
    case .type(.array): Shape(hasRightSide: .yes, isArray: .yes)
    case .type(.function), .encoding(.function): Shape(hasRightSide: .yes, isFunction: .yes)
    case .template(.parameterPack(let list)): shape(ofPack: list)
    case .template(.forwardReference):
      Shape(
        hasRightSide: .dependsOnContext, isArray: .dependsOnContext, isFunction: .dependsOnContext)
    case .template(.typeParameter), .template(.constrainedParameter), .template(.valueParameter),
      .template(.templateParameter), .template(.packParameter):
      Shape(hasRightSide: .yes)
    default: Shape()
    }
  }

  private func shape(ofPack list: NodeList) -> Shape {
    var shape = Shape()
    for index in indices(of: list) {
      let other = self.shape(of: elements[index])
      if other.hasRightSide != .no { shape.hasRightSide = .dependsOnContext }
      if other.isArray != .no { shape.isArray = .dependsOnContext }
      if other.isFunction != .no { shape.isFunction = .dependsOnContext }
    }
    return shape
  }
}
