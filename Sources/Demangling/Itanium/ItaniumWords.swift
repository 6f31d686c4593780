/// Words that names are written with.
enum ItaniumWord: String {
  case void
  case wideCharacter = "wchar_t"
  case bool
  case char
  case signedChar = "signed char"
  case unsignedChar = "unsigned char"
  case short
  case unsignedShort = "unsigned short"
  case int
  case unsignedInt = "unsigned int"
  case long
  case unsignedLong = "unsigned long"
  case longLong = "long long"
  case unsignedLongLong = "unsigned long long"
  case int128 = "__int128"
  case unsignedInt128 = "unsigned __int128"
  case float
  case double
  case longDouble = "long double"
  case float128 = "__float128"
  case ellipsis = "..."
  case decimal64
  case decimal128
  case decimal32
  case half
  case bfloat16 = "std::bfloat16_t"
  case char32 = "char32_t"
  case char16 = "char16_t"
  case char8 = "char8_t"
  case auto
  case decltypeAuto = "decltype(auto)"
  case nullptrType = "std::nullptr_t"

  case std
  case anonymousNamespace = "(anonymous namespace)"
  case stringLiteral = "string literal"
  case blockLiteral = "'block-literal'"
  case `struct`
  case union
  case `enum`
  case complex
  case imaginary
  case noexcept

  case this
  case `throw`
  case `true`
  case `false`
  case nullptr
  case decltype
  case noexceptOperator = "noexcept "
  case sizeofPack = "sizeof... "
}

/// The names of the standard library that have abbreviations.
enum StandardName: String {
  case allocator
  case basicString = "basic_string"
  case string
  case istream
  case ostream
  case iostream

  init?(code: Unicode.Scalar) {
    switch code {
    case "a": self = .allocator
    case "b": self = .basicString
    case "s": self = .string
    case "i": self = .istream
    case "o": self = .ostream
    case "d": self = .iostream
    default: return nil
    }
  }

  /// The name of the class template.
  var template: String {
    switch self {
    case .allocator, .basicString: rawValue
    case .string: "basic_string"
    case .istream: "basic_istream"
    case .ostream: "basic_ostream"
    case .iostream: "basic_iostream"
    }
  }

  /// The arguments of the class template, if the abbreviation is of an instance.
  var arguments: String {
    switch self {
    case .allocator, .basicString: ""
    case .string: "<char, std::char_traits<char>, std::allocator<char>>"
    case .istream, .ostream, .iostream: "<char, std::char_traits<char>>"
    }
  }
}

/// What compilers make for an entity. The raw value precedes the entity's name.
enum SpecialName: String {
  case vtable = "vtable for "
  case vtt = "VTT for "
  case typeInfo = "typeinfo for "
  case typeInfoName = "typeinfo name for "
  case covariantThunk = "covariant return thunk to "
  case virtualThunk = "virtual thunk to "
  case nonVirtualThunk = "non-virtual thunk to "
  case threadLocalWrapper = "thread-local wrapper routine for "
  case threadLocalInitializer = "thread-local initialization routine for "
  case templateParameterObject = "template parameter object for "
  case guardVariable = "guard variable for "
  case referenceTemporary = "reference temporary for "
  case moduleInitializer = "initializer for module "
  case transactionClone = "transaction clone for "
  case nonTransactionClone = "non-transaction clone for "
  case block = "invocation function for block in "
}

/// The suffix of an integer literal, if its type has one; `int` has an empty one.
enum IntegerSuffix: String {
  case none = ""
  case unsigned = "u"
  case long = "l"
  case unsignedLong = "ul"
  case longLong = "ll"
  case unsignedLongLong = "ull"
}
