package import SymbolicationModel

extension ImageResolver {
  /// What one image will be asked.
  package struct Announcement {
    package let resolver: ImageResolver
    package var addresses: [LinkAddress]

    package init(resolver: ImageResolver, addresses: [LinkAddress]) {
      self.resolver = resolver
      self.addresses = addresses
    }
  }

  /// Images that are asked about more addresses than this have work for all threads by themselves.
  private static let fewAddresses = 8

  /// `prepare` for several images, each of which may occur more than once. Images with many addresses go
  /// one after the other, their units shared out; those with few are shared out whole.
  package static func prepare(_ announcements: [Announcement], jobs: Int) {
    var merged: [Announcement] = []
    var places: [ObjectIdentifier: Int] = [:]
    for announcement in announcements {
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

  /// A resolver on loan to a thread. Sound because no resolver occurs twice, and whoever owns them waits
  /// until all are given back.
  private struct Lent: @unchecked Sendable {
    let announcement: Announcement
  }
}
