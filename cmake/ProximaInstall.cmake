# The program, and what it says about itself: man page and completions are printed by the program
# that is being installed, so they always fit it.
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

proxima_install_output(${CMAKE_INSTALL_MANDIR}/man1 proxima.1 man)
proxima_install_output(${CMAKE_INSTALL_DATADIR}/bash-completion/completions proxima completion bash)
proxima_install_output(${CMAKE_INSTALL_DATADIR}/zsh/vendor-completions _proxima completion zsh)
proxima_install_output(${CMAKE_INSTALL_DATADIR}/fish/vendor_completions.d proxima.fish completion fish)
