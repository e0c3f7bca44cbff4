# Writes OUTPUT, a source file that holds the text files of FOLDER, in the order of their names.
#   cmake -DFOLDER=... -DOUTPUT=... -P EmbedTexts.cmake
file(GLOB files ${FOLDER}/*.md)
list(SORT files)

set(source "// Made by cli/EmbedTexts.cmake from docs/explain/*.md.\n#include \"cli/explain_texts.hpp\"\n\n")
string(APPEND source "namespace cupel::cli {\n\nconst std::vector<std::string_view>& explain_texts() {\n")
string(APPEND source "  static const std::vector<std::string_view> texts{\n")
foreach(file IN LISTS files)
  file(READ ${file} text)
  string(APPEND source "      R\"markdown(${text})markdown\",\n")
endforeach()
string(APPEND source "  };\n  return texts;\n}\n\n}  // namespace cupel::cli\n")
file(WRITE ${OUTPUT} "${source}")
