#include <malloc.h>
#include <sys/resource.h>
