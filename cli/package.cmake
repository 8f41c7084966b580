# The .deb: `cmake --build build --target package`. It has what `cmake --install` puts into /usr.
set(CPACK_GENERATOR DEB)
set(CPACK_PACKAGE_DIRECTORY ${PROJECT_BINARY_DIR})
set(CPACK_PACKAGE_NAME fairfs)
set(CPACK_PACKAGE_VERSION ${PROJECT_VERSION})
set(CPACK_PACKAGE_CONTACT "fairfs maintainers <maintainers@users.noreply.a-seed-2399f500.example>")
set(CPACK_PACKAGING_INSTALL_PREFIX /usr)
set(CPACK_STRIP_FILES ON)
set(CPACK_INSTALL_DEFAULT_DIRECTORY_PERMISSIONS
  OWNER_READ OWNER_WRITE OWNER_EXECUTE GROUP_READ GROUP_EXECUTE WORLD_READ WORLD_EXECUTE)
set(CPACK_DEBIAN_FILE_NAME DEB-DEFAULT)
set(CPACK_DEBIAN_PACKAGE_SECTION admin)
set(CPACK_DEBIAN_PACKAGE_PRIORITY optional)
set(CPACK_DEBIAN_PACKAGE_SHLIBDEPS ON)
# fusermount3, by which an ordinary user mounts.
set(CPACK_DEBIAN_PACKAGE_RECOMMENDS fuse3)
set(CPACK_DEBIAN_PACKAGE_DESCRIPTION "share a disk fairly between the programs that use it
fairfs mirrors a directory as a FUSE filesystem. Each process and each cgroup
that works under the mountpoint has a queue of its own, and the queues get
device time by weight, whatever the sizes and depths of their requests, the
filesystem below and its scheduler. A share that nobody uses goes to those who
want it.

fairfs-stat shows who gets what, in a live view or for scripts, and changes
weights while it runs.")
set(CPACK_DEBIAN_PACKAGE_CONTROL_STRICT_PERMISSION ON)
set(CPACK_DEBIAN_PACKAGE_CONTROL_EXTRA ${CMAKE_CURRENT_SOURCE_DIR}/package/postrm)
include(CPack)
