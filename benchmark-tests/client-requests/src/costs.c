// What `costs.rs` does, with the macros of Valgrind's headers. Built with `cc -O2`.

#include <stddef.h>
#include <string.h>

#include <valgrind/callgrind.h>
#include <valgrind/dhat.h>
#include <valgrind/drd.h>
#include <valgrind/helgrind.h>
#include <valgrind/memcheck.h>
#include <valgrind/valgrind.h>

#define TEN(x) x x x x x x x x x x
#define MEASURED(type) __attribute__((noinline)) type

MEASURED(size_t) cost_running_on_valgrind(void) {
    size_t sum = 0;
    TEN(sum += RUNNING_ON_VALGRIND;)
    return sum;
}

MEASURED(size_t) cost_count_errors(void) {
    size_t sum = 0;
    TEN(sum += VALGRIND_COUNT_ERRORS;)
    return sum;
}

MEASURED(void) cost_start_instrumentation(void) {
    TEN(CALLGRIND_START_INSTRUMENTATION;)
}

MEASURED(void) cost_disable_error_reporting(void) {
    TEN(VALGRIND_DISABLE_ERROR_REPORTING;)
}

MEASURED(void) cost_do_leak_check(void) {
    TEN(VALGRIND_DO_LEAK_CHECK;)
}

MEASURED(void) cost_ad_hoc_event(size_t weight) {
    TEN(DHAT_AD_HOC_EVENT(weight);)
}

MEASURED(void) cost_happens_before(void *object) {
    TEN(ANNOTATE_HAPPENS_BEFORE(object);)
}

MEASURED(size_t) cost_make_mem_defined(void *start, size_t length) {
    size_t sum = 0;
    TEN(sum += VALGRIND_MAKE_MEM_DEFINED(start, length);)
    return sum;
}

MEASURED(void) cost_mempool_alloc(void *pool, void *start, size_t length) {
    TEN(VALGRIND_MEMPOOL_ALLOC(pool, start, length);)
}

MEASURED(void) cost_malloclike_block(void *start, size_t length, size_t redzone, int zeroed) {
    TEN(VALGRIND_MALLOCLIKE_BLOCK(start, length, redzone, zeroed);)
}

MEASURED(size_t) cost_stack_register(void *start, void *end) {
    size_t sum = 0;
    TEN(sum += VALGRIND_STACK_REGISTER(start, end);)
    return sum;
}

MEASURED(void) toggle_pair(void) {
    CALLGRIND_TOGGLE_COLLECT;
    CALLGRIND_TOGGLE_COLLECT;
}

MEASURED(void) toggle_pairs(void) {
    CALLGRIND_TOGGLE_COLLECT;
    CALLGRIND_TOGGLE_COLLECT;
    CALLGRIND_TOGGLE_COLLECT;
    CALLGRIND_TOGGLE_COLLECT;
    CALLGRIND_TOGGLE_COLLECT;
    CALLGRIND_TOGGLE_COLLECT;
    CALLGRIND_TOGGLE_COLLECT;
    CALLGRIND_TOGGLE_COLLECT;
    CALLGRIND_TOGGLE_COLLECT;
    CALLGRIND_TOGGLE_COLLECT;
}

int main(int count, char **words) {
    static char memory[64];
    if (count > 1 && strcmp(words[1], "pair") == 0) {
        toggle_pair();
    } else if (count > 1 && strcmp(words[1], "pairs") == 0) {
        toggle_pairs();
    } else {
        cost_start_instrumentation();
        cost_running_on_valgrind();
        cost_count_errors();
        cost_disable_error_reporting();
        cost_do_leak_check();
        cost_ad_hoc_event(count);
        cost_happens_before(memory);
        cost_make_mem_defined(memory, 64);
        cost_mempool_alloc(memory, memory, 64);
        cost_malloclike_block(memory, 64, 0, count);
        cost_stack_register(memory, memory + 64);
    }
    return 0;
}
