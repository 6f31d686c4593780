public protocol Weighted {
  var weight: Int { get }
}

@inline(__always) public func mix(_ a: Int, _ b: Int) -> Int {
  let c = (a &* 31) ^ (b &+ 17)
  return c &+ (c >> 3)
}

@inline(__always) public func clamp(_ value: Int, to limit: Int) -> Int {
  if value > limit { return limit }
  return mix(value, limit)
}

@inline(__always) public func fold<Item, Result>(
  _ items: [Item], _ start: Result, _ next: (Result, Item) -> Result
) -> Result {
  var result = start
  for item in items {
    result = next(result, item)
  }
  return result
}

public struct Stack<Element> {
  public var items: [Element] = []
  public init() {}

  @inline(__always) public mutating func push(_ element: Element) {
    items.append(element)
  }

  @inline(never) public func map<Other>(_ change: (Element) -> Other) -> Stack<Other> {
    var other = Stack<Other>()
    for item in items {
      other.push(change(item))
    }
    return other
  }
}
