import ObjectFiles
package import SymbolicationModel

extension ImageResolver {
  /// The addresses that one image will be asked about.
  package struct Announcement {
    package let resolver: ImageResolver
    package var addresses: [LinkAddress]

    package init(resolver: ImageResolver, addresses: [LinkAddress]) {
      self.resolver = resolver
      self.addresses = addresses
    }
  }

  /// An image that is asked about more addresses than this has work for all threads.
  private static let fewAddresses = 8

  /// Prepares several images on up to `jobs` threads. An image may occur more than once.
  /// Images with many addresses are prepared one after the other, each on all threads; those with
  /// few are prepared at the same time, each on one thread.
  package static func prepare(_ announcements: [Announcement], jobs: Int) {
    var merged: [Announcement] = []
    var places: [ObjectIdentifier: Int] = [:]
    for announcement in announcements where announcement.resolver.needsPreparation {
      let key = ObjectIdentifier(announcement.resolver)
      if let place = places[key] {
        merged[place].addresses += announcement.addresses
      } else {
        places[key] = merged.count
        merged.append(announcement)
      }
    }
    for announcement in merged where announcement.addresses.count > fewAddresses {
      announcement.resolver.prepare(for: announcement.addresses, jobs: jobs)
    }
    let lent = merged.filter { $0.addresses.count <= fewAddresses }.map { Lent(announcement: $0) }
    ParallelWork.perform(count: lent.count, jobs: jobs) { index in
      let announcement = lent[index].announcement
      announcement.resolver.prepare(for: announcement.addresses, jobs: 1)
    }
  }

  /// Whether there is anything to decode: indexes and what was learnt are only mapped.
  private var needsPreparation: Bool { ![.gsym, .learnt].contains(objectFile.format) }

  /// A resolver on loan to a thread.
  ///
  /// Soundness: no resolver occurs twice, and their owner waits until all threads are done.
  private struct Lent: @unchecked Sendable {
    let announcement: Announcement
  }
}

extension ImageResolver {
  /// The signal trampoline that begins at `address`; nil if none does.
  ///
  /// Linux makes the trampoline the return address of the handler without a call: the address is
  /// its first byte, and the byte before it is padding or another function. (Apple's trampoline
  /// calls the handler like any function.) So this is asked about return addresses if the call is
  /// not certain.
  package func signalTrampoline(beginningAt address: LinkAddress) -> ResolvedAddress? {
    guard objectFile.format != .machO, let resolved = resolve(address),
      resolved.inlinedFrames.isEmpty, resolved.function.rangeStart == address,
      SignalTrampoline.isName(resolved.function.name)
    else { return nil }
    return resolved
  }
}
