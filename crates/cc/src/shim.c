/* A request through the macro of Valgrind's own header. */

#include <stddef.h>
#include <valgrind/valgrind.h>

size_t iai_callgrind_cc_request(size_t default_result, const size_t *words)
{
    return VALGRIND_DO_CLIENT_REQUEST_EXPR(default_result, words[0], words[1],
                                           words[2], words[3], words[4],
                                           words[5]);
}
