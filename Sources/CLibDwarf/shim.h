// libdwarf as Swift sees it, with what differs between the two kinds in use hidden behind one name.
//
// 20210528 (Debian 12, Ubuntu 24.04) numbers its versions by date and does not define
// DW_LIBDWARF_VERSION; 0.11.1 (Debian 13) does. The second kind has other names for the structures
// through which sections are handed over, and fewer arguments here and there.
#ifndef SYMBOLICATE_CLIBDWARF_SHIM_H
#define SYMBOLICATE_CLIBDWARF_SHIM_H

#include <libdwarf/dwarf.h>
#include <libdwarf/libdwarf.h>

// The types of the object-access interface.
#ifdef DW_LIBDWARF_VERSION
typedef Dwarf_Obj_Access_Interface_a ClibDwarfInterface;
typedef Dwarf_Obj_Access_Methods_a ClibDwarfMethods;
typedef Dwarf_Obj_Access_Section_a ClibDwarfSection;
typedef Dwarf_Unsigned ClibDwarfSectionIndex;
typedef Dwarf_Small ClibDwarfByteOrder;
static const int clibdwarf_version_is_date = 0;
#else
typedef Dwarf_Obj_Access_Interface ClibDwarfInterface;
typedef Dwarf_Obj_Access_Methods ClibDwarfMethods;
typedef Dwarf_Obj_Access_Section ClibDwarfSection;
typedef Dwarf_Half ClibDwarfSectionIndex;
typedef Dwarf_Endianness ClibDwarfByteOrder;
static const int clibdwarf_version_is_date = 1;
#endif

typedef int (*ClibDwarfGetSection)(
    void *object, ClibDwarfSectionIndex index, ClibDwarfSection *section, int *error);
typedef ClibDwarfByteOrder (*ClibDwarfGetByteOrder)(void *object);
typedef Dwarf_Small (*ClibDwarfGetSmall)(void *object);
typedef Dwarf_Unsigned (*ClibDwarfGetUnsigned)(void *object);
typedef int (*ClibDwarfLoadSection)(
    void *object, ClibDwarfSectionIndex index, Dwarf_Small **bytes, int *error);

static inline ClibDwarfByteOrder clibdwarf_byte_order(int is_little_endian) {
#ifdef DW_LIBDWARF_VERSION
  return is_little_endian ? DW_END_little : DW_END_big;
#else
  return is_little_endian ? DW_OBJECT_LSB : DW_OBJECT_MSB;
#endif
}

static inline ClibDwarfMethods clibdwarf_methods(
    ClibDwarfGetSection get_section, ClibDwarfGetByteOrder get_byte_order,
    ClibDwarfGetSmall get_length_size, ClibDwarfGetSmall get_pointer_size,
    ClibDwarfGetUnsigned get_file_size, ClibDwarfGetUnsigned get_section_count,
    ClibDwarfLoadSection load_section) {
  ClibDwarfMethods methods = {0};
#ifdef DW_LIBDWARF_VERSION
  methods.om_get_section_info = get_section;
  methods.om_get_byte_order = get_byte_order;
  methods.om_get_length_size = get_length_size;
  methods.om_get_pointer_size = get_pointer_size;
  methods.om_get_filesize = get_file_size;
  methods.om_get_section_count = get_section_count;
  methods.om_load_section = load_section;
#else
  (void)get_file_size;
  methods.get_section_info = get_section;
  methods.get_byte_order = get_byte_order;
  methods.get_length_size = get_length_size;
  methods.get_pointer_size = get_pointer_size;
  methods.get_section_count = get_section_count;
  methods.load_section = load_section;
#endif
  return methods;
}

static inline ClibDwarfInterface clibdwarf_interface(
    void *object, const ClibDwarfMethods *methods) {
  ClibDwarfInterface interface = {0};
#ifdef DW_LIBDWARF_VERSION
  interface.ai_object = object;
  interface.ai_methods = methods;
#else
  interface.object = object;
  interface.methods = methods;
#endif
  return interface;
}

// What is known of a section: all else is zero, as for bytes that no file holds.
static inline ClibDwarfSection clibdwarf_section(const char *name, Dwarf_Unsigned size) {
  ClibDwarfSection section = {0};
#ifdef DW_LIBDWARF_VERSION
  section.as_name = name;
  section.as_size = size;
  section.as_type = 1;
#else
  section.name = name;
  section.size = size;
  section.type = 1;
#endif
  return section;
}

static inline void clibdwarf_object_finish(Dwarf_Debug debug) {
#ifdef DW_LIBDWARF_VERSION
  dwarf_object_finish(debug);
#else
  Dwarf_Error error = 0;
  dwarf_object_finish(debug, &error);
#endif
}

static inline void clibdwarf_dealloc_ranges(
    Dwarf_Debug debug, Dwarf_Ranges *ranges, Dwarf_Signed count) {
#ifdef DW_LIBDWARF_VERSION
  dwarf_dealloc_ranges(debug, ranges, count);
#else
  dwarf_ranges_dealloc(debug, ranges, count);
#endif
}

static inline void clibdwarf_dealloc_rnglists_head(Dwarf_Rnglists_Head head) {
  dwarf_dealloc_rnglists_head(head);
}

#endif
