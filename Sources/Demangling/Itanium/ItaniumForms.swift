/// The name of an entity, or a part of it.
enum NameForm {
  case source(NameText)
  case word(ItaniumWord)
  case standard(StandardName)
  /// A name of the standard library, written in full: `std::basic_string<char, …>`.
  case expandedStandard(StandardName)
  case nested(in: NodeID, NodeID)
  /// A friend that a class template defines, and that belongs to an instance of it.
  case friend(in: NodeID, NodeID)
  case local(in: NodeID, NodeID)
  case instance(of: NodeID, arguments: NodeID)
  case tagged(NodeID, tag: NameText)
  case inModule(NodeID, module: NodeID)
  /// The parent is `none` for the first part of a module's name.
  case module(parent: NodeID, name: NodeID, isPartition: Bool)
  case constructor(of: NodeID)
  case destructor(of: NodeID)
  /// A destructor in a template, whose class is stated behind it.
  case unresolvedDestructor(of: NodeID)
  case structuredBinding(NodeList)
  case unnamedType(number: NameText)
  case closure(Int32)
  case `operator`(ItaniumOperator)
  case conversion(to: NodeID)
  case literalOperator(NodeID)
  case global(NodeID)
}

/// A lambda's type.
struct Closure {
  let templateParameters: NodeList
  /// The constraint that follows the template parameters, or `none`.
  let constraint: NodeID
  let parameters: NodeList
  /// The constraint that follows the parameters, or `none`.
  let trailingConstraint: NodeID
  let number: NameText
}

enum TypeForm {
  case qualified(NodeID, Qualifiers)
  case vendorQualified(NodeID, by: NameText, arguments: NodeID)
  case pointer(to: NodeID)
  case reference(to: NodeID, isRvalue: Bool)
  case memberPointer(of: NodeID, to: NodeID)
  case array(of: NodeID, dimension: NodeID)
  case function(FunctionID)
  case vector(of: NodeID, dimension: NodeID)
  case pixelVector(dimension: NodeID)
  /// A type and a word behind it, as `double complex`.
  case followed(NodeID, by: ItaniumWord)
  case elaborated(ItaniumWord, NodeID)
  case objectiveCProtocol(NodeID, NameText)
  /// A type that a compiler's operator makes of another one: `__remove_const(int)`.
  case transformed(by: NodeID, NodeID)
  case binaryFloat(bits: NameText)
  case bitInteger(size: NodeID, isSigned: Bool)
  case noexcept(NodeID)
  case dynamicThrow(NodeList)
  case explicitObject(NodeID)
}

/// The `const`, `volatile` and `restrict` of a type or a member function.
struct Qualifiers: OptionSet {
  let rawValue: UInt8

  static let constant = Qualifiers(rawValue: 1)
  static let volatile = Qualifiers(rawValue: 2)
  static let restrict = Qualifiers(rawValue: 4)
}

enum ReferenceQualifier {
  case none
  case lvalue
  case rvalue
}

/// A function, or the type of one.
struct Function {
  /// `none` if the name does not state it.
  var result = NodeID.none
  /// `none` for a type.
  var name = NodeID.none
  var parameters = NodeList.empty
  var qualifiers: Qualifiers = []
  var reference = ReferenceQualifier.none
  var exceptions = NodeID.none
  /// The conditions of `enable_if`.
  var attributes = NodeID.none
  var constraint = NodeID.none
}

/// Template arguments, and what stands for them.
enum TemplateForm {
  case arguments(NodeList)
  case argumentPack(NodeList)
  /// A template parameter that stands for several arguments: the one that its expansion is at.
  case parameterPack(NodeList)
  case expansion(NodeID)
  /// A template parameter whose argument follows later in the name.
  case forwardReference(target: NodeID)
  /// An argument whose parameter is stated because it is not the natural one.
  case declaredArgument(NodeID)
  /// A parameter of a lambda, which has no name of its own: `$T`, `$N0`.
  case invented(InventedKind, number: Int32)
  case typeParameter(name: NodeID)
  case constrainedParameter(NodeID, name: NodeID)
  case valueParameter(type: NodeID, name: NodeID)
  case templateParameter(NodeList, name: NodeID, constraint: NodeID)
  case packParameter(NodeID)
}

enum InventedKind {
  case type
  case value
  case template
}

enum ExpressionForm {
  case binary(NodeID, ItaniumOperator, NodeID)
  case prefix(ItaniumOperator, NodeID)
  case postfix(NodeID, ItaniumOperator)
  case member(NodeID, ItaniumOperator, NodeID)
  case element(NodeID, NodeID)
  case conditional(NodeID, NodeID, NodeID)
  case call(NodeID, NodeList, inParentheses: Bool)
  case conversion(NodeID, NodeList)
  case cast(ItaniumOperator, NodeID, NodeID)
  /// A word and the operand in parentheses behind it: `sizeof (int)`.
  case enclosed(ItaniumWord, NodeID)
  /// `sizeof (int)` and others that are operators.
  case measured(ItaniumOperator, NodeID)
  case sizeOfPack(NodeID)
  case new(placement: NodeID, NodeID, initializers: NodeID, Allocation)
  case delete(NodeID, Allocation)
  case `throw`(NodeID)
  case fold(ItaniumOperator, pack: NodeID, initial: NodeID, isLeft: Bool)
  case initializers(type: NodeID, NodeList)
  case designated(NodeID, NodeID, isIndex: Bool)
  case designatedRange(NodeID, NodeID, NodeID)
  case functionParameter(number: NameText)
  case subobject(type: NodeID, NodeID, offset: NameText)
  case memberConversion(type: NodeID, NodeID, offset: NameText)
  case lambda(NodeID)
  case list(NodeList)
  case number(NameText)
  case integer(IntegerSuffix, NameText)
  /// An enumerator, or an integer whose type has no suffix: `(short)5`.
  case castNumber(NodeID, NameText)
  case float(FloatFormat, NameText)
  case string(NodeID)
  case requires(NodeList, requirements: NodeList)
  case validRequirement(NodeID, isNoexcept: Bool, type: NodeID)
  case typeRequirement(NodeID)
  case nestedRequirement(NodeID)
}

/// How `new` and `delete` are written.
struct Allocation: OptionSet {
  let rawValue: UInt8

  static let global = Allocation(rawValue: 1)
  static let array = Allocation(rawValue: 2)
}

/// Functions and data with a name.
enum EncodingForm {
  case function(FunctionID)
  /// What the compiler makes for an entity, as `vtable for`.
  case special(SpecialName, NodeID)
  case constructionVtable(of: NodeID, in: NodeID)
  case conditions(NodeList)
  case suffixed(NodeID, NameText)
}
