import Core

public enum Tile: Weighted {
  case blank
  case letter(UInt8)
  case joker(times: Int, of: Int)

  public var weight: Int {
    switch self {
    case .blank: return 0
    case .letter(let byte): return clamp(Int(byte), to: 200)
    case .joker(let times, let of): return mix(times, of)
    }
  }

  @inline(never) public mutating func turn(_ by: Int) -> Int {
    switch self {
    case .blank: self = .joker(times: by, of: 3)
    case .letter(let byte): self = Int(byte) > by ? .blank : .letter(byte &+ 1)
    case .joker(let times, let of): self = .joker(times: clamp(times, to: by), of: of)
    }
    return weight
  }
}

public struct Counter: Weighted {
  public var count: Int
  public init(count: Int) { self.count = count }
  public var weight: Int { mix(count, count) }
}

@inline(never) public func total<Item: Weighted>(of items: [Item]) -> Int {
  fold(items, 0) { sum, item in
    mix(sum, item.weight)
  }
}
