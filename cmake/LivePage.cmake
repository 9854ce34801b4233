# The live page (ui/live) as files of the build, and as symbols of the program.
#
#   proxima_live_page()               makes the target live_page: ${PROXIMA_LIVE_PAGE}/index.html,
#                                     app.js, app.css, icon.svg, names.txt and bundled.json, the
#                                     npm packages in them. Called by ui/live.
#   proxima_embed_live_page(TARGET)   adds them to TARGET as std::string_views of proxima::embedded:
#                                     kLiveIndexHtml, kLiveAppJs, kLiveAppCss, kLiveIconSvg, and
#                                     kLivePageNames, the names by which index.html asks for the
#                                     other three below /assets/: lines "app.js app-1A2B3C4D.js".
#
# npm fetches the libraries of ui/live/package-lock.json once, into ui/live/node_modules, which all
# builds of a clone share; after that, no network is needed. The lower half of this file is that
# step, run in script mode.
if(NOT CMAKE_SCRIPT_MODE_FILE)
  include_guard()
  include(EmbedFile)
  set(PROXIMA_LIVE_PAGE ${CMAKE_BINARY_DIR}/ui/live)
  set(PROXIMA_LIVE_PAGE_SCRIPT ${CMAKE_CURRENT_LIST_FILE})

  # Node and npm, or an end with what to do: a program without its page would be found out too late.
  macro(proxima_find_node)
    find_program(PROXIMA_NODE NAMES node nodejs)
    find_program(PROXIMA_NPM npm)
    if(NOT PROXIMA_NODE OR NOT PROXIMA_NPM)
      message(FATAL_ERROR "The live page is built with Node 18 or later and npm, and they are not "
                          "here. Run tools/setup ui, or install nodejs and npm, and configure again.")
    endif()
    execute_process(COMMAND ${PROXIMA_NODE} --version OUTPUT_VARIABLE node_version
                    OUTPUT_STRIP_TRAILING_WHITESPACE)
    string(REGEX REPLACE "^v" "" node_version "${node_version}")
    if(node_version VERSION_LESS 18)
      message(FATAL_ERROR "The live page is built with Node 18 or later; ${PROXIMA_NODE} is "
                          "\"${node_version}\". Install a later one, or name it: -DPROXIMA_NODE=…")
    endif()
  endmacro()

  function(proxima_live_page)
    proxima_find_node()
    set(here ${CMAKE_CURRENT_SOURCE_DIR})
    file(GLOB sources CONFIGURE_DEPENDS ${here}/src/*.ts ${here}/src/*.tsx ${here}/src/*.css)
    set(outputs index.html app.js app.css icon.svg names.txt bundled.json)
    list(TRANSFORM outputs PREPEND ${PROXIMA_LIVE_PAGE}/)
    set(installed ${PROXIMA_LIVE_PAGE}/installed)
    add_custom_command(
      OUTPUT ${installed}
      COMMAND ${CMAKE_COMMAND} -DFOLDER=${here} -DNPM=${PROXIMA_NPM} -DSTAMP=${installed}
              -P ${PROXIMA_LIVE_PAGE_SCRIPT}
      DEPENDS ${here}/package.json ${here}/package-lock.json ${here}/.npmrc
      COMMENT "Fetching the libraries of the live page"
      VERBATIM)
    add_custom_command(
      OUTPUT ${outputs}
      COMMAND ${PROXIMA_NODE} ${here}/build.mjs ${PROXIMA_LIVE_PAGE}
      DEPENDS ${installed} ${here}/build.mjs ${here}/index.html ${here}/icon.svg ${sources}
      COMMENT "Bundling the live page"
      VERBATIM)
    add_custom_target(live_page DEPENDS ${outputs})
  endfunction()

  function(proxima_embed_live_page target)
    proxima_embed(${target} kLiveIndexHtml ${PROXIMA_LIVE_PAGE}/index.html)
    proxima_embed(${target} kLiveAppJs ${PROXIMA_LIVE_PAGE}/app.js)
    proxima_embed(${target} kLiveAppCss ${PROXIMA_LIVE_PAGE}/app.css)
    proxima_embed(${target} kLiveIconSvg ${PROXIMA_LIVE_PAGE}/icon.svg)
    proxima_embed(${target} kLivePageNames ${PROXIMA_LIVE_PAGE}/names.txt)
    add_dependencies(${target} live_page)
  endfunction()
  return()
endif()

# Two builds of one clone may come here at the same time, and npm begins by emptying the folder.
file(LOCK ${FOLDER}/.install.lock GUARD PROCESS TIMEOUT 300)
file(SHA256 ${FOLDER}/package-lock.json wanted)
set(mark ${FOLDER}/node_modules/.installed)
set(present "")
if(EXISTS ${mark})
  file(READ ${mark} present)
endif()
if(NOT present STREQUAL wanted)
  execute_process(COMMAND ${NPM} ci --prefer-offline --loglevel=error WORKING_DIRECTORY ${FOLDER}
                  OUTPUT_QUIET RESULT_VARIABLE failed)
  if(failed)
    message(FATAL_ERROR "npm could not fetch the libraries of the live page (its words are above). "
                        "They are needed once; with ui/live/node_modules in place, no network is.")
  endif()
  file(WRITE ${mark} ${wanted})
endif()
file(TOUCH ${STAMP})
