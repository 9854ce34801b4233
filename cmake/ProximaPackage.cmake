# A Debian package and a tarball by CPack, from what `cmake --install` installs. What a package wants
# otherwise than an installation is done to the staged files by packaging/stage.cmake.
option(PROXIMA_DBGSYM "Also make a package of the debug symbols" OFF)

set(CPACK_PACKAGE_NAME proxima)
set(CPACK_PACKAGE_VERSION ${PROJECT_VERSION})
set(CPACK_PACKAGE_VENDOR "the Proxima authors")
set(CPACK_PACKAGE_CONTACT "the Proxima authors <proxima@localhost>")
set(CPACK_PACKAGE_DESCRIPTION_SUMMARY "topology aware routing for Kubernetes services")
set(CPACK_PACKAGE_DESCRIPTION
    "Proxima keeps the traffic of Kubernetes services close to where it
starts, without overloading anyone, and says why. It shows what a cluster
does and what another policy would do, makes EndpointSlices with hints and
zone splits in the place of Kubernetes' own controller, and routes by them
in the place of kube-proxy.
.
One program holds everything: plan, explain, compare and migrate, the
controller, the node proxy, and a Kubernetes API server for one machine. It is
also a plug-in of kubectl.")
set(CPACK_GENERATOR "DEB;TGZ")
set(CPACK_PACKAGE_DIRECTORY ${CMAKE_BINARY_DIR}/packages)
set(CPACK_VERBATIM_VARIABLES ON)
set(CPACK_MONOLITHIC_INSTALL ON)
set(CPACK_THREADS 0)
set(CPACK_PRE_BUILD_SCRIPTS ${CMAKE_SOURCE_DIR}/packaging/stage.cmake)
set(CPACK_PROXIMA_SOURCE_DIR ${CMAKE_SOURCE_DIR})
set(CPACK_PROXIMA_BINARY_DIR ${CMAKE_BINARY_DIR})
# Symbols go into a package of their own or nowhere: with them the program is eight times as large.
if(PROXIMA_DBGSYM)
  set(CPACK_DEBIAN_DEBUGINFO_PACKAGE ON)
else()
  set(CPACK_STRIP_FILES ON)
endif()

set(CPACK_DEBIAN_FILE_NAME DEB-DEFAULT)
set(CPACK_DEBIAN_PACKAGE_SECTION net)
set(CPACK_DEBIAN_PACKAGE_PRIORITY optional)
set(CPACK_DEBIAN_PACKAGE_SHLIBDEPS ON)
set(CPACK_DEBIAN_PACKAGE_RECOMMENDS ca-certificates)
set(CPACK_DEBIAN_PACKAGE_SUGGESTS "kubernetes-client, nftables")
set(CPACK_DEBIAN_COMPRESSION_TYPE xz)
set(debian ${CMAKE_SOURCE_DIR}/packaging/debian)
set(CPACK_DEBIAN_PACKAGE_CONTROL_EXTRA
    "${debian}/postinst;${debian}/prerm;${debian}/postrm;${CMAKE_BINARY_DIR}/generated/conffiles")
set(CPACK_DEBIAN_PACKAGE_CONTROL_STRICT_PERMISSION ON)
file(WRITE ${CMAKE_BINARY_DIR}/generated/conffiles
     "/etc/default/proxima-apiserver\n/etc/default/proxima-controller\n/etc/default/proxima-proxy\n")

string(TOLOWER "${CMAKE_SYSTEM_NAME}-${CMAKE_SYSTEM_PROCESSOR}" platform)
set(CPACK_ARCHIVE_FILE_NAME "proxima-${PROJECT_VERSION}-${platform}")
set(CPACK_PACKAGE_FILE_NAME ${CPACK_ARCHIVE_FILE_NAME})
include(CPack)
