/* Not compiled: the build script expands this and reads the last lines. */

#include <valgrind/valgrind.h>

valgrind_version __VALGRIND_MAJOR__ __VALGRIND_MINOR__
#ifdef NVALGRIND
valgrind_supports_target false
#else
valgrind_supports_target true
#endif
