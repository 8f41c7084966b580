# What `cmake --install` puts where.
install(TARGETS fairfs fairfs-stat RUNTIME DESTINATION bin)
# mount(8) looks in /sbin only, which is /usr/sbin: with another prefix it finds mount.fuse(8), which runs fairfs, too.
foreach(helper mount.fairfs mount.fuse.fairfs)
  install(CODE "file(MAKE_DIRECTORY \"\$ENV{DESTDIR}\${CMAKE_INSTALL_PREFIX}/sbin\")
    file(CREATE_LINK ../bin/fairfs \"\$ENV{DESTDIR}\${CMAKE_INSTALL_PREFIX}/sbin/${helper}\" SYMBOLIC)")
endforeach()

# Units name programs by their path, which is known when they are installed.
install(CODE "set(BINDIR \"\${CMAKE_INSTALL_PREFIX}/bin\")
  configure_file(\"${CMAKE_CURRENT_SOURCE_DIR}/package/fairfs@.service.in\"
    \"\$ENV{DESTDIR}\${CMAKE_INSTALL_PREFIX}/lib/systemd/system/fairfs@.service\" @ONLY)")

install(DIRECTORY ${PROJECT_SOURCE_DIR}/examples/ DESTINATION share/doc/fairfs/examples
  FILES_MATCHING PATTERN "*.toml" PATTERN "*.mount")
