# Hardens the libraries and the program of a release against what the code cannot rule out by itself.
#
#   proxima_harden(TARGET)   adds the flags to TARGET, in a Release build by GCC.
#
# Tests are left alone: they are compiled without optimisation, which FORTIFY_SOURCE needs.
include_guard()
option(PROXIMA_HARDENED "Stack protector, FORTIFY_SOURCE and checks of the standard library in releases" ON)

set(PROXIMA_HARDENING_COMPILE
  # Functions with arrays or addresses of locals check on return that nobody wrote past them.
  -fstack-protector-strong
  # A large frame touches each page of the stack, so that it cannot jump over the guard page.
  -fstack-clash-protection
  # Some distributions define it already.
  -U_FORTIFY_SOURCE -D_FORTIFY_SOURCE=3
  -fPIE)
if(CMAKE_SYSTEM_PROCESSOR STREQUAL "x86_64")
  list(APPEND PROXIMA_HARDENING_COMPILE -fcf-protection)
endif()
# Addresses of functions are resolved at the start and read-only from then on.
set(PROXIMA_HARDENING_LINK -pie -Wl,-z,relro,-z,now,-z,noexecstack)

# An index out of range, an empty optional or an empty container aborts. Not in these two: their loops
# over endpoints would take up to half as long again. They have no I/O and no state, and are tested and
# fuzzed with the checks on (preset asan).
set(PROXIMA_HARDENING_ASSERTIONS -D_GLIBCXX_ASSERTIONS)
set(PROXIMA_WITHOUT_ASSERTIONS proxima_core_plan proxima_core_policy)

function(proxima_harden target)
  if(NOT PROXIMA_HARDENED OR NOT CMAKE_BUILD_TYPE STREQUAL "Release" OR NOT CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
    return()
  endif()
  target_compile_options(${target} PRIVATE ${PROXIMA_HARDENING_COMPILE})
  if(NOT target IN_LIST PROXIMA_WITHOUT_ASSERTIONS)
    target_compile_options(${target} PRIVATE ${PROXIMA_HARDENING_ASSERTIONS})
  endif()
  get_target_property(type ${target} TYPE)
  if(type STREQUAL "EXECUTABLE")
    target_link_options(${target} PRIVATE ${PROXIMA_HARDENING_LINK})
  endif()
endfunction()
