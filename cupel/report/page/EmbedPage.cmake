# cmake -DSTYLE=page.css -DWIDTHS=widths.css -DSCRIPT=page.js -DOUTPUT=page_texts.cpp -P EmbedPage.cmake
# Makes the source file that holds the styles and the script of the page as text.
file(READ ${STYLE} style)
file(READ ${WIDTHS} widths)
file(READ ${SCRIPT} script)
file(WRITE ${OUTPUT} "#include \"cupel/report/page/html_page.hpp\"

namespace cupel::report::html {

std::string_view style_text() { return R\"PageText(${style})PageText\"; }

std::string_view widths_text() { return R\"PageText(${widths})PageText\"; }

std::string_view script_text() { return R\"PageText(${script})PageText\"; }

}  // namespace cupel::report::html
")
