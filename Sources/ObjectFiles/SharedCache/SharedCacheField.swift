/// The fields of a header of a dyld shared cache that are read here (`dyld_cache_header` of dyld's
/// `dyld_cache_format.h`), from macOS 11 and iOS 14 on.
///
/// The header grew with every system. A file has the fields that begin before `mappingOffset`,
/// because the mappings follow the header. Numbers are little-endian.
///
///     offset  bytes  field                      since
///     0x000   16     magic: `dyld_v1` and the architecture
///     0x010   4      mappingOffset
///     0x014   4      mappingCount
///     0x018   4      imagesOffsetOld            until macOS 12, iOS 15; 0 later
///     0x01c   4      imagesCountOld
///     0x038   8      slideInfoOffset            until macOS 10.15, iOS 13
///     0x048   8      localSymbolsOffset
///     0x050   8      localSymbolsSize
///     0x058   16     uuid
///     0x088   8      imagesTextOffset
///     0x090   8      imagesTextCount
///     0x0e0   8      sharedRegionStart
///     0x138   4      mappingWithSlideOffset     macOS 11, iOS 14
///     0x13c   4      mappingWithSlideCount
///     0x188   4      subCacheArrayOffset        macOS 12, iOS 15
///     0x18c   4      subCacheArrayCount
///     0x190   16     symbolFileUUID
///     0x1c0   4      imagesOffset
///     0x1c4   4      imagesCount
///     0x1c8   4      cacheSubType               macOS 13, iOS 16
///     0x1d0   8      objcOptsOffset
///
/// What the offsets lead to, with the offsets of its own fields:
///
///     dyld_cache_mapping_info            32   0 address, 8 size, 16 fileOffset
///     dyld_cache_mapping_and_slide_info  56   the same, 24 slideInfoFileOffset,
///                                             32 slideInfoFileSize
///     dyld_cache_image_info              32   0 address, 24 pathFileOffset
///     dyld_cache_image_text_info         32   0 uuid, 16 loadAddress, 24 textSegmentSize,
///                                             28 pathOffset
///     dyld_subcache_entry_v1             24   0 uuid, 16 cacheVMOffset
///     dyld_subcache_entry                56   the same, 24 fileSuffix: with `cacheSubType`
///     dyld_cache_local_symbols_info      24   0 nlistOffset, 4 nlistCount, 8 stringsOffset,
///                                             12 stringsSize, 16 entriesOffset, 20 entriesCount
///     dyld_cache_local_symbols_entry     12   0 dylibOffset, 4 nlistStartIndex, 8 nlistCount
///     dyld_cache_local_symbols_entry_64  16   0 dylibOffset, 8 nlistStartIndex, 12 nlistCount:
///                                             with `symbolFileUUID`
enum SharedCacheField: String, CaseIterable {
  case mappingOffset, mappingCount, imagesOffsetOld, imagesCountOld, slideInfoOffset
  case localSymbolsOffset, localSymbolsSize, uuid, imagesTextOffset, imagesTextCount
  case sharedRegionStart, mappingWithSlideOffset, mappingWithSlideCount
  case subCacheArrayOffset, subCacheArrayCount, symbolFileUUID, imagesOffset, imagesCount
  case cacheSubType, objcOptsOffset

  /// From the start of the file.
  var offset: UInt64 {
    switch self {
    case .mappingOffset: 0x10
    case .mappingCount: 0x14
    case .imagesOffsetOld: 0x18
    case .imagesCountOld: 0x1c
    case .slideInfoOffset: 0x38
    case .localSymbolsOffset: 0x48
    case .localSymbolsSize: 0x50
    case .uuid: 0x58
    case .imagesTextOffset: 0x88
    case .imagesTextCount: 0x90
    case .sharedRegionStart: 0xe0
    case .mappingWithSlideOffset: 0x138
    case .mappingWithSlideCount: 0x13c
    case .subCacheArrayOffset: 0x188
    case .subCacheArrayCount: 0x18c
    case .symbolFileUUID: 0x190
    case .imagesOffset: 0x1c0
    case .imagesCount: 0x1c4
    case .cacheSubType: 0x1c8
    case .objcOptsOffset: 0x1d0
    }
  }

  /// In bytes. A UUID is no number, and has 16.
  var size: Int {
    switch self {
    case .localSymbolsOffset, .localSymbolsSize, .imagesTextOffset, .imagesTextCount,
      .sharedRegionStart, .slideInfoOffset, .objcOptsOffset:
      8
    case .uuid, .symbolFileUUID: 16
    default: 4
    }
  }

  /// What messages call it.
  var term: String { "\(rawValue) in the header of the shared cache" }
}
