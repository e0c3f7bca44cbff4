# Writes OUTPUT, a source file that holds the text files of FOLDER, in the order of their names.
#   cmake -DFOLDER=... -DOUTPUT=... -P EmbedCatalogue.cmake
file(GLOB files ${FOLDER}/*.md)
list(SORT files)

set(source "// Made by cupel/compare/EmbedCatalogue.cmake from docs/advice/*.md.\n")
string(APPEND source "#include \"cupel/compare/catalogue.hpp\"\n\nnamespace cupel::compare {\n\n")
string(APPEND source "const std::vector<std::string_view>& catalogue_texts() {\n")
string(APPEND source "  static const std::vector<std::string_view> texts{\n")
foreach(file IN LISTS files)
  file(READ ${file} text)
  string(APPEND source "      R\"markdown(${text})markdown\",\n")
endforeach()
string(APPEND source "  };\n  return texts;\n}\n\n}  // namespace cupel::compare\n")
file(WRITE ${OUTPUT} "${source}")
