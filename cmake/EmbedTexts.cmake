# A script (cmake -P): writes OUTPUT, a source file with a function that returns the text files of FOLDER, in the order of
# their names. Called by cupel_embed_texts.
#   cmake -DFOLDER=docs/explain -DPATTERN=*.md -DFUNCTION=cupel::cli::explain_texts -DHEADER=cli/explain_texts.hpp -DOUTPUT=... -P ...
file(GLOB files ${FOLDER}/${PATTERN})
list(SORT files)
string(REGEX MATCH "^(.*)::([^:]+)$" parts ${FUNCTION})
set(namespace ${CMAKE_MATCH_1})
set(name ${CMAKE_MATCH_2})

set(source "#include \"${HEADER}\"\n\nnamespace ${namespace} {\n\n")
string(APPEND source "const std::vector<std::string_view>& ${name}() {\n")
string(APPEND source "  static const std::vector<std::string_view> texts{\n")
foreach(file IN LISTS files)
  file(READ ${file} text)
  string(APPEND source "      R\"text(${text})text\",\n")
endforeach()
string(APPEND source "  };\n  return texts;\n}\n\n}  // namespace ${namespace}\n")
file(WRITE ${OUTPUT} "${source}")
