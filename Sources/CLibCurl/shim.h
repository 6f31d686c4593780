/* libcurl's types and constants. The library is not linked: `symbolicate-fetch` opens the system's
   at run time, so no build of the program demands one that a machine does not have.

   Swift cannot call functions with variable arguments. These call the one at `function`. */
#define CURL_DISABLE_TYPECHECK
#include <curl/curl.h>

#define SYMBOLICATE_SETOPT(name, type)                                                            \
  static inline CURLcode name(void *function, CURL *handle, CURLoption option, type value) {      \
    return ((CURLcode(*)(CURL *, CURLoption, ...))function)(handle, option, value);               \
  }

SYMBOLICATE_SETOPT(symbolicate_setopt_long, long)
SYMBOLICATE_SETOPT(symbolicate_setopt_offset, curl_off_t)
SYMBOLICATE_SETOPT(symbolicate_setopt_text, const char *)
SYMBOLICATE_SETOPT(symbolicate_setopt_pointer, void *)
SYMBOLICATE_SETOPT(symbolicate_setopt_write, curl_write_callback)
SYMBOLICATE_SETOPT(symbolicate_setopt_progress, curl_xferinfo_callback)

static inline CURLcode symbolicate_getinfo_long(
    void *function, CURL *handle, CURLINFO info, long *value) {
  return ((CURLcode(*)(CURL *, CURLINFO, ...))function)(handle, info, value);
}

static const long symbolicate_protocol_http = CURLPROTO_HTTP;
static const long symbolicate_protocol_https = CURLPROTO_HTTPS;
