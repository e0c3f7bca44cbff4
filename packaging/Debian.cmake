# Run by cpack before it packs: Debian's zsh looks for completions in a folder of its own, and each package says what its licence is.
set(share ${CPACK_TEMPORARY_INSTALL_DIRECTORY}${CPACK_PACKAGING_INSTALL_PREFIX}/share)
file(RENAME ${share}/zsh/site-functions ${share}/zsh/vendor-completions)
file(MAKE_DIRECTORY ${share}/doc/cupel)
file(COPY_FILE ${CPACK_RESOURCE_FILE_LICENSE} ${share}/doc/cupel/copyright)
