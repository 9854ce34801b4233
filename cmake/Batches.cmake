# Compiles several sources of a folder as one unit. Three quarters of the time that a compiler needs
# for one of our sources goes into headers, which a batch reads once.
#
#   proxima_batches(UNITS SOURCE...)
#
# sets UNITS to what a target compiles: without PROXIMA_BATCHES the sources themselves, with it
# generated files that include some of them each. Both forms must compile: batches need unique names
# in the unnamed namespaces of a folder, single sources must include what they use.
#
# CMake's own UNITY_BUILD names the sources by absolute paths, so that clones of the project could
# not share what a compiler cache holds.
include_guard()
option(PROXIMA_BATCHES "Compile the sources of a folder in batches" OFF)
set(PROXIMA_BATCH_BYTES 150000 CACHE STRING "Size of the sources in one batch")

function(proxima_batches result)
  if(NOT PROXIMA_BATCHES)
    set(${result} ${ARGN} PARENT_SCOPE)
    return()
  endif()
  set(units "")
  set(batch "")
  set(bytes 0)
  foreach(source IN LISTS ARGN)
    get_filename_component(path ${source} ABSOLUTE)
    # As in UNITY_BUILD, a source with definitions of its own stays a unit, and one that asks for it.
    get_source_file_property(definitions ${source} COMPILE_DEFINITIONS)
    get_source_file_property(alone ${source} SKIP_UNITY_BUILD_INCLUSION)
    if(definitions OR alone)
      list(APPEND units ${source})
      continue()
    endif()
    file(SIZE ${path} size)
    math(EXPR bytes "${bytes} + ${size}")
    if(batch AND bytes GREATER PROXIMA_BATCH_BYTES)
      proxima_add_batch(units "${batch}")
      set(batch "")
      set(bytes ${size})
    endif()
    list(APPEND batch ${path})
  endforeach()
  proxima_add_batch(units "${batch}")
  set(${result} ${units} PARENT_SCOPE)
endfunction()

# Appends to the list LIST_NAME a file that includes the sources of BATCH, named after the first of them,
# so that a source that is added or removed renames few files.
function(proxima_add_batch list_name batch)
  if(NOT batch)
    return()
  endif()
  set(includes "")
  foreach(path IN LISTS batch)
    file(RELATIVE_PATH name ${CMAKE_SOURCE_DIR} ${path})
    string(APPEND includes "#include \"${name}\"\n")
  endforeach()
  list(GET batch 0 first)
  get_filename_component(first ${first} NAME_WE)
  set(file ${CMAKE_CURRENT_BINARY_DIR}/batches/${first}_and_more.cc)
  file(CONFIGURE OUTPUT ${file} CONTENT "${includes}" @ONLY)
  set(${list_name} ${${list_name}} ${file} PARENT_SCOPE)
endfunction()
