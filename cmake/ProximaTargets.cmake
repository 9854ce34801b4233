# One target a folder: proxima_library(core_policy DEPS core_model) makes proxima::core_policy out of
# the *.cc of the current folder and, from its *_test.cc, a test program core_policy_test.
include_guard()
include(Batches)
find_package(PkgConfig REQUIRED)
find_package(Threads REQUIRED)
if(PROXIMA_BUILD_TESTS)
  find_package(GTest REQUIRED)
endif()

add_library(proxima_flags INTERFACE)
target_include_directories(proxima_flags INTERFACE ${CMAKE_SOURCE_DIR}/src)
if(PROXIMA_BATCHES)
  # Batches name sources from the top. In a batch, g++ takes a source for a header and warns of its
  # unnamed namespace.
  target_include_directories(proxima_flags INTERFACE ${CMAKE_SOURCE_DIR})
  target_compile_options(proxima_flags INTERFACE $<$<CXX_COMPILER_ID:GNU>:-Wno-subobject-linkage>)
endif()
target_compile_options(proxima_flags INTERFACE
  -Wall -Wextra -Werror -Wshadow -Wnon-virtual-dtor -Wold-style-cast -Wcast-qual -Wconversion
  -Wno-sign-conversion -Wimplicit-fallthrough -Wmissing-declarations
  # Designated initialisers leave the rest at its default on purpose.
  -Wno-missing-field-initializers
  # g++ 12 sees overlaps that cannot be in "literal" + std::string (GCC bug 105651).
  $<$<CXX_COMPILER_ID:GNU>:-Wno-restrict>
  # The hint arithmetic must round exactly as upstream's does: no fused multiply-add.
  -ffp-contract=off)

function(proxima_library name)
  cmake_parse_arguments(ARG "" "" "DEPS;PRIVATE_DEPS" ${ARGN})
  file(GLOB sources CONFIGURE_DEPENDS *.cc)
  set(tests ${sources})
  list(FILTER sources EXCLUDE REGEX "_test\\.cc$")
  list(FILTER tests INCLUDE REGEX "_test\\.cc$")
  if(sources)
    proxima_batches(units ${sources})
    add_library(proxima_${name} STATIC ${units})
    target_link_libraries(proxima_${name} PUBLIC proxima_flags ${ARG_DEPS} PRIVATE ${ARG_PRIVATE_DEPS})
  else()
    add_library(proxima_${name} INTERFACE)
    target_link_libraries(proxima_${name} INTERFACE proxima_flags ${ARG_DEPS})
  endif()
  add_library(proxima::${name} ALIAS proxima_${name})
  if(PROXIMA_BUILD_TESTS AND tests)
    proxima_test(${name}_test SOURCES ${tests} DEPS proxima::${name} ${ARG_PRIVATE_DEPS})
  endif()
endfunction()

# A googletest program, run as one ctest entry: it is the table in the file that reads as rows.
function(proxima_test name)
  cmake_parse_arguments(ARG "" "" "SOURCES;DEPS" ${ARGN})
  proxima_batches(units ${ARG_SOURCES})
  add_executable(${name} ${units})
  target_link_libraries(${name} PRIVATE proxima_flags ${ARG_DEPS} test_support GTest::gtest GTest::gtest_main)
  target_include_directories(${name} PRIVATE ${CMAKE_SOURCE_DIR}/tests)
  # A table of rows is run once: what optimising it takes is never made up for, and with sanitizers
  # it doubles the time that the compiler needs.
  target_compile_options(${name} PRIVATE -O0)
  add_test(NAME ${name} COMMAND ${name})
endfunction()

# A program that is a test as it stands. It exits with 77 when this machine lacks what it needs,
# and prints the reason; ctest then counts it as skipped.
function(proxima_script_test name)
  add_test(NAME ${name} COMMAND ${ARGN} WORKING_DIRECTORY ${CMAKE_SOURCE_DIR})
  set_tests_properties(${name} PROPERTIES SKIP_RETURN_CODE 77)
endfunction()
