# What `cmake --install` puts where.
install(TARGETS fairfs fairfs-stat RUNTIME DESTINATION bin)
# mount(8) looks in /sbin only, which is /usr/sbin: with another prefix it finds mount.fuse(8), which runs fairfs, too.
foreach(helper mount.fairfs mount.fuse.fairfs)
  install(CODE "set(root \"\$ENV{DESTDIR}\${CMAKE_INSTALL_PREFIX}\")
    file(MAKE_DIRECTORY \"\${root}/sbin\" \"\${root}/share/man/man8\")
    file(CREATE_LINK ../bin/fairfs \"\${root}/sbin/${helper}\" SYMBOLIC)
    file(CREATE_LINK fairfs.8.gz \"\${root}/share/man/man8/${helper}.8.gz\" SYMBOLIC)")
endforeach()

# Units name programs by their path, which is known when they are installed.
install(CODE "set(BINDIR \"\${CMAKE_INSTALL_PREFIX}/bin\")
  configure_file(\"${CMAKE_CURRENT_SOURCE_DIR}/package/fairfs@.service.in\"
    \"\$ENV{DESTDIR}\${CMAKE_INSTALL_PREFIX}/lib/systemd/system/fairfs@.service\" @ONLY)")

install(FILES fairfs-stat.schema.json DESTINATION share/fairfs)

# Compressed as distributions want it: without a time or a name, so that two builds are equal.
find_program(GZIP gzip REQUIRED)
set(packed_files "")
function(install_packed file destination)
  cmake_path(GET file FILENAME name)
  set(packed ${CMAKE_CURRENT_BINARY_DIR}/${name}.gz)
  add_custom_command(OUTPUT ${packed} COMMAND ${GZIP} -9nc ${file} > ${packed} DEPENDS ${file} VERBATIM)
  install(FILES ${packed} DESTINATION ${destination})
  set(packed_files ${packed_files} ${packed} PARENT_SCOPE)
endfunction()
foreach(section 1 5 8)
  file(GLOB pages CONFIGURE_DEPENDS ${CMAKE_CURRENT_SOURCE_DIR}/manual/*.${section})
  foreach(page ${pages})
    install_packed(${page} share/man/man${section})
  endforeach()
endforeach()
install_packed(${CMAKE_CURRENT_SOURCE_DIR}/package/changelog share/doc/fairfs)
add_custom_target(papers ALL DEPENDS ${packed_files})
install(FILES package/copyright DESTINATION share/doc/fairfs)

install(FILES completion/fairfs.bash DESTINATION share/bash-completion/completions RENAME fairfs)
install(FILES completion/fairfs.bash DESTINATION share/bash-completion/completions RENAME fairfs-stat)
# Debian's zsh looks for what packages bring in a folder of its own.
install(CODE "set(folder site-functions)
  if(CMAKE_INSTALL_PREFIX STREQUAL \"/usr\" AND EXISTS /etc/debian_version)
    set(folder vendor-completions)
  endif()
  file(INSTALL \"${CMAKE_CURRENT_SOURCE_DIR}/completion/_fairfs\"
    \"${CMAKE_CURRENT_SOURCE_DIR}/completion/_fairfs-stat\" DESTINATION \"\${CMAKE_INSTALL_PREFIX}/share/zsh/\${folder}\")")

install(DIRECTORY ${PROJECT_SOURCE_DIR}/examples/ DESTINATION share/doc/fairfs/examples
  FILES_MATCHING PATTERN "*.toml" PATTERN "*.mount")
