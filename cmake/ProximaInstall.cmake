# The program, and what it says about itself: man page and completions are printed by the program
# that is being installed, so they always fit it. kubectl finds its plug-in by name.
include(GNUInstallDirs)
install(TARGETS proxima RUNTIME DESTINATION ${CMAKE_INSTALL_BINDIR})

# proxima_install_output(FOLDER FILE ARGUMENT…) installs what `proxima ARGUMENT…` prints.
function(proxima_install_output folder file)
  set(output ${CMAKE_BINARY_DIR}/generated/${file})
  install(CODE "
    file(MAKE_DIRECTORY ${CMAKE_BINARY_DIR}/generated)
    execute_process(COMMAND $<TARGET_FILE:proxima> ${ARGN} OUTPUT_FILE ${output}
                    COMMAND_ERROR_IS_FATAL ANY)")
  install(FILES ${output} DESTINATION ${folder})
endfunction()

# proxima_install_link(FOLDER TARGET NAME…) installs NAMEs that lead to TARGET beside them.
function(proxima_install_link folder target)
  foreach(name ${ARGN})
    set(link ${CMAKE_BINARY_DIR}/generated/links/${name})
    file(CREATE_LINK ${target} ${link} SYMBOLIC)
    install(FILES ${link} DESTINATION ${folder})
  endforeach()
endfunction()
file(MAKE_DIRECTORY ${CMAKE_BINARY_DIR}/generated/links)

proxima_install_link(${CMAKE_INSTALL_BINDIR} proxima kubectl-proxima kubectl_complete-proxima)
proxima_install_output(${CMAKE_INSTALL_MANDIR}/man1 proxima.1 man)
proxima_install_link(${CMAKE_INSTALL_MANDIR}/man1 proxima.1 kubectl-proxima.1 kubectl_complete-proxima.1)
proxima_install_output(${CMAKE_INSTALL_DATADIR}/bash-completion/completions proxima completion bash)
proxima_install_output(${CMAKE_INSTALL_DATADIR}/zsh/vendor-completions _proxima completion zsh)
proxima_install_output(${CMAKE_INSTALL_DATADIR}/fish/vendor_completions.d proxima.fish completion fish)

set(units ${CMAKE_SOURCE_DIR}/packaging/systemd)
foreach(name controller proxy apiserver)
  install(FILES ${units}/proxima-${name}.service DESTINATION lib/systemd/system)
  install(FILES ${units}/proxima-${name}.default DESTINATION etc/default RENAME proxima-${name})
endforeach()
install(FILES LICENSE README.md CHANGELOG.md DESTINATION ${CMAKE_INSTALL_DOCDIR})
install(FILES examples/three-zones.yaml DESTINATION ${CMAKE_INSTALL_DOCDIR}/examples)
install(DIRECTORY deploy/kubernetes deploy/proxy deploy/helm
        DESTINATION ${CMAKE_INSTALL_DOCDIR}/examples)
