/// An operator, as a place in the table of them.
struct ItaniumOperator: Equatable {
  private let index: UInt8

  /// The operator with the given code of two letters, as `pl` for `+`.
  init?(code first: UInt8, _ second: UInt8) {
    let code = UInt16(first) << 8 | UInt16(second)
    var low = 0
    var high = Self.table.count
    while low < high {
      let middle = (low + high) / 2
      if Self.table[middle].code < code { low = middle + 1 } else { high = middle }
    }
    guard low < Self.table.count, Self.table[low].code == code else { return nil }
    index = UInt8(low)
  }

  var kind: Kind { Self.table[Int(index)].kind }
  var precedence: Precedence { Self.table[Int(index)].precedence }
  var symbol: String { Self.table[Int(index)].symbol }

  /// Whether a space precedes the symbol in the name of a function: `operator new`.
  var isWord: Bool {
    switch kind {
    case .new, .newArray, .delete, .deleteArray, .nameOnly: true
    default: false
    }
  }

  /// What the operator is in an expression.
  enum Kind {
    case prefix
    case postfix
    case binary
    case element
    /// `.` and `->`, which no function can be named after.
    case member
    /// `.*` and `->*`; only the second can be a function's name.
    case memberPointer
    case arrow
    case new
    case newArray
    case delete
    case deleteArray
    case call
    case parenthesizedCall
    case conversion
    case conditional
    case nameOnly
    case cast
    case ofType
    case ofExpression
  }

  /// From the operators that bind tightest to those that bind least.
  enum Precedence: Int {
    case primary, postfix, unary, cast, memberPointer, multiplicative, additive, shift, spaceship
    case relational, equality, and, exclusiveOr, or, logicalAnd, logicalOr, conditional, assignment
    case comma, lowest
  }

  /// Whether a function can be named after the operator: `operator+`.
  var isNameable: Bool {
    switch kind {
    case .cast, .ofType, .ofExpression, .member, .conversion: false
    case .memberPointer: symbol == "->*"
    default: true
    }
  }

  /// Whether a fold expression can apply the operator.
  var isFoldable: Bool { kind == .binary || kind == .memberPointer }

  private typealias Entry = (code: UInt16, kind: Kind, precedence: Precedence, symbol: String)

  private static func entry(
    _ code: StaticString, _ kind: Kind, _ precedence: Precedence, _ symbol: String
  ) -> Entry {
    var number: UInt16 = 0
    for byte in code.description.utf8 { number = number << 8 | UInt16(byte) }
    return (number, kind, precedence, symbol)
  }

  /// Sorted by code. The precedence of `/` is the one that LLVM's demangler has for it.
  private static let table: [Entry] = [
    entry("aN", .binary, .assignment, "&="), entry("aS", .binary, .assignment, "="),
    entry("aa", .binary, .logicalAnd, "&&"), entry("ad", .prefix, .unary, "&"),
    entry("an", .binary, .and, "&"), entry("at", .ofType, .unary, "alignof "),
    entry("aw", .nameOnly, .primary, "co_await"), entry("az", .ofExpression, .unary, "alignof "),
    entry("cc", .cast, .postfix, "const_cast"), entry("cl", .call, .postfix, "()"),
    entry("cm", .binary, .comma, ","), entry("co", .prefix, .unary, "~"),
    entry("cp", .parenthesizedCall, .postfix, "()"), entry("cv", .conversion, .cast, ""),
    entry("dV", .binary, .assignment, "/="), entry("da", .deleteArray, .unary, "delete[]"),
    entry("dc", .cast, .postfix, "dynamic_cast"), entry("de", .prefix, .unary, "*"),
    entry("dl", .delete, .unary, "delete"), entry("ds", .memberPointer, .memberPointer, ".*"),
    entry("dt", .member, .postfix, "."), entry("dv", .binary, .assignment, "/"),
    entry("eO", .binary, .assignment, "^="), entry("eo", .binary, .exclusiveOr, "^"),
    entry("eq", .binary, .equality, "=="), entry("ge", .binary, .relational, ">="),
    entry("gt", .binary, .relational, ">"), entry("ix", .element, .postfix, "[]"),
    entry("lS", .binary, .assignment, "<<="), entry("le", .binary, .relational, "<="),
    entry("ls", .binary, .shift, "<<"), entry("lt", .binary, .relational, "<"),
    entry("mI", .binary, .assignment, "-="), entry("mL", .binary, .assignment, "*="),
    entry("mi", .binary, .additive, "-"), entry("ml", .binary, .multiplicative, "*"),
    entry("mm", .postfix, .postfix, "--"), entry("na", .newArray, .unary, "new[]"),
    entry("ne", .binary, .equality, "!="), entry("ng", .prefix, .unary, "-"),
    entry("nt", .prefix, .unary, "!"), entry("nw", .new, .unary, "new"),
    entry("oR", .binary, .assignment, "|="), entry("oo", .binary, .logicalOr, "||"),
    entry("or", .binary, .or, "|"), entry("pL", .binary, .assignment, "+="),
    entry("pl", .binary, .additive, "+"), entry("pm", .memberPointer, .memberPointer, "->*"),
    entry("pp", .postfix, .postfix, "++"), entry("ps", .prefix, .unary, "+"),
    entry("pt", .arrow, .postfix, "->"), entry("qu", .conditional, .conditional, "?"),
    entry("rM", .binary, .assignment, "%="), entry("rS", .binary, .assignment, ">>="),
    entry("rc", .cast, .postfix, "reinterpret_cast"),
    entry("rm", .binary, .multiplicative, "%"), entry("rs", .binary, .shift, ">>"),
    entry("sc", .cast, .postfix, "static_cast"), entry("ss", .binary, .spaceship, "<=>"),
    entry("st", .ofType, .unary, "sizeof "), entry("sz", .ofExpression, .unary, "sizeof "),
    entry("te", .ofExpression, .postfix, "typeid "), entry("ti", .ofType, .postfix, "typeid "),
  ]
}
