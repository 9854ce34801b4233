# One target a folder: proxima_library(core_policy DEPS core_model) makes proxima::core_policy out of
# the *.cc of the current folder and, from its *_test.cc, a test program core_policy_test.
include_guard()
include(Batches)
include(Hardening)
find_package(PkgConfig REQUIRED)
find_package(Threads REQUIRED)
if(PROXIMA_BUILD_TESTS)
  find_package(GTest REQUIRED)
  find_package(Python3 REQUIRED COMPONENTS Interpreter)
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

# Libraries whose code runs in several threads. Their tests have the label `threads`: they are what
# `make tsan` runs.
set(PROXIMA_THREADED agents apiserver cli controller dataplane kube lab net proxy reports telemetry traffic web)
add_custom_target(threads_tests)

# Libraries that fuzzers look into. What libFuzzer has to see of them takes the compiler a third of its
# time, so others and tests are spared it.
set(PROXIMA_FUZZED apiserver archive base cli core_audit core_model core_plan core_policy core_route dataplane kube
    manifest net proxy reports sysdump web wire)

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
    proxima_harden(proxima_${name})
    if(PROXIMA_BUILD_FUZZ AND name IN_LIST PROXIMA_FUZZED)
      target_compile_options(proxima_${name} PRIVATE -fsanitize=fuzzer-no-link)
    endif()
  else()
    add_library(proxima_${name} INTERFACE)
    target_link_libraries(proxima_${name} INTERFACE proxima_flags ${ARG_DEPS})
  endif()
  add_library(proxima::${name} ALIAS proxima_${name})
  if(PROXIMA_BUILD_TESTS AND tests)
    set(labels)
    if(name IN_LIST PROXIMA_THREADED)
      set(labels threads)
    endif()
    proxima_test(${name}_test SOURCES ${tests} DEPS proxima::${name} ${ARG_PRIVATE_DEPS}
                 LABELS ${labels})
  endif()
endfunction()

# The labels of a test, by which `make test L=…` and the presets choose: that of its room (the folder
# below tests/, else `unit`) and those that are given. tests/README.md says what they mean. Scripts
# find their packages by PYTHONPATH, which is set here and, for runs without ctest, in the Makefile.
function(proxima_test_properties name)
  cmake_path(RELATIVE_PATH CMAKE_CURRENT_SOURCE_DIR BASE_DIRECTORY ${CMAKE_SOURCE_DIR}/tests
             OUTPUT_VARIABLE room)
  string(REGEX REPLACE "/.*" "" room "${room}")
  if(room STREQUAL "..")
    set(room unit)
  endif()
  set(labels ${room} ${ARGN})
  set(python ${CMAKE_SOURCE_DIR}/tests/support/py:${CMAKE_SOURCE_DIR}/tools/py)
  set_tests_properties(${name} PROPERTIES
    LABELS "${labels}" SKIP_RETURN_CODE 77
    ENVIRONMENT_MODIFICATION "PYTHONPATH=set:${python};PYTHONDONTWRITEBYTECODE=set:1")
endfunction()

# A googletest program, run as one ctest entry: it is the table in the file that reads as rows.
function(proxima_test name)
  cmake_parse_arguments(ARG "" "" "SOURCES;DEPS;LABELS" ${ARGN})
  proxima_batches(units ${ARG_SOURCES})
  add_executable(${name} ${units})
  target_link_libraries(${name} PRIVATE proxima_flags ${ARG_DEPS} test_support GTest::gtest GTest::gtest_main)
  target_include_directories(${name} PRIVATE ${CMAKE_SOURCE_DIR}/tests)
  # A table of rows is run once: what optimising it takes is never made up for, and with sanitizers
  # it doubles the time that the compiler needs.
  target_compile_options(${name} PRIVATE -O0)
  add_test(NAME ${name} COMMAND ${name})
  proxima_test_properties(${name} ${ARG_LABELS})
  if("threads" IN_LIST ARG_LABELS)
    add_dependencies(threads_tests ${name})
  endif()
endfunction()

# A program that is a test as it stands: proxima_script_test(FILE [VARIANT WORD] [ARGS …] [LABELS …]
# [ONCE_FOR PATH…] [PROPERTIES …]). It is called as its file is, without the ending, with _WORD where
# one file makes several tests. It exits with 77 when this machine lacks what it needs, and prints the
# reason; ctest then counts it as skipped. ONCE_FOR: the test uses nothing that is built, so it runs
# once for each content of its folder and these paths (tools/remember_pass).
function(proxima_script_test file)
  cmake_parse_arguments(ARG "" "VARIANT" "ARGS;LABELS;ONCE_FOR;PROPERTIES" ${ARGN})
  cmake_path(ABSOLUTE_PATH file BASE_DIRECTORY ${CMAKE_CURRENT_SOURCE_DIR})
  cmake_path(GET file STEM name)
  cmake_path(GET file EXTENSION ending)
  if(ARG_VARIANT)
    string(APPEND name _${ARG_VARIANT})
  endif()
  set(interpreter)
  if(ending STREQUAL ".py")
    set(interpreter ${Python3_EXECUTABLE} -B)
  elseif(ending STREQUAL ".mjs")
    set(interpreter ${PROXIMA_NODE})
  endif()
  if(ARG_ONCE_FOR)
    list(PREPEND interpreter ${Python3_EXECUTABLE} ${CMAKE_SOURCE_DIR}/tools/remember_pass
         ${CMAKE_CURRENT_SOURCE_DIR} ${ARG_ONCE_FOR} --)
  endif()
  add_test(NAME ${name} COMMAND ${interpreter} ${file} ${ARG_ARGS}
           WORKING_DIRECTORY ${CMAKE_SOURCE_DIR})
  proxima_test_properties(${name} ${ARG_LABELS})
  if(ARG_PROPERTIES)
    set_tests_properties(${name} PROPERTIES ${ARG_PROPERTIES})
  endif()
endfunction()
