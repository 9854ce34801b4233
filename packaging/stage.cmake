# SPDX-License-Identifier: Apache-2.0
# Run by CPack when files are staged and before a package is made of them: puts them where the kind
# of package has them, compresses what Debian compresses, and gives all of them one time, so that
# equal sources make equal packages.
set(root ${CPACK_TEMPORARY_INSTALL_DIRECTORY})

function(run)
  execute_process(COMMAND ${ARGV} COMMAND_ERROR_IS_FATAL ANY)
endfunction()

# Of the program as it is packed, without its symbols.
file(GLOB program ${root}/bin/proxima ${root}/*/bin/proxima)
file(GLOB documents ${root}/share/doc/proxima ${root}/*/share/doc/proxima)
execute_process(COMMAND ${CPACK_PROXIMA_SOURCE_DIR}/packaging/sbom program ${CPACK_PROXIMA_BINARY_DIR} ${program}
                OUTPUT_FILE ${documents}/sbom.spdx.json COMMAND_ERROR_IS_FATAL ANY)

if(CPACK_GENERATOR STREQUAL "DEB")
  file(MAKE_DIRECTORY ${root}/lib)
  file(RENAME ${root}/usr/etc ${root}/etc)
  file(RENAME ${root}/usr/lib/systemd ${root}/lib/systemd)
  file(REMOVE_RECURSE ${root}/usr/lib)
  set(doc ${root}/usr/share/doc/proxima)
  file(REMOVE ${doc}/LICENSE)  # copyright names the one that every Debian system has
  file(COPY ${CPACK_PROXIMA_SOURCE_DIR}/packaging/debian/copyright DESTINATION ${doc})
  file(MAKE_DIRECTORY ${root}/usr/share/lintian/overrides)
  file(COPY_FILE ${CPACK_PROXIMA_SOURCE_DIR}/packaging/debian/lintian-overrides
       ${root}/usr/share/lintian/overrides/proxima)
  # Debian's form of a changelog names the version and the time; the text is CHANGELOG.md's.
  string(TIMESTAMP time "%a, %d %b %Y %H:%M:%S +0000" UTC)  # heeds SOURCE_DATE_EPOCH
  file(WRITE ${doc}/changelog "proxima (${CPACK_PACKAGE_VERSION}) unstable; urgency=medium

  * What changed is told in CHANGELOG.md in this folder.

 -- ${CPACK_PACKAGE_CONTACT}  ${time}
")
  run(gzip -9n ${doc}/changelog ${doc}/CHANGELOG.md)
  file(GLOB pages ${root}/usr/share/man/man1/*.1)
  foreach(page ${pages})
    if(IS_SYMLINK ${page})
      file(READ_SYMLINK ${page} target)
      file(REMOVE ${page})
      file(CREATE_LINK ${target}.gz ${page}.gz SYMBOLIC)
    else()
      run(gzip -9n ${page})
    endif()
  endforeach()
endif()

# Whoever builds it, folders are 755, and files 644 but for the program.
run(find ${root} -type d -exec chmod 755 {} +)
if(DEFINED ENV{SOURCE_DATE_EPOCH})
  run(find ${root} -exec touch --no-dereference --date=@$ENV{SOURCE_DATE_EPOCH} {} +)
endif()
