#include "tinyxml2.h"
#include "text.h"

#include <cstdio>
#include <string>

int main() {
  std::string text = "<root>";
  while (text.size() < 150000)
    text += std::string("<item id='") + std::to_string(text_random(1000)) + "'>" + text_word() +
            " &lt; " + text_word() + "<sub/><!-- " + text_word() + " --></item>\n";
  text += "</root>";
  tinyxml2::XMLDocument document;
  bool wrong = document.Parse(text.c_str(), text.size()) != tinyxml2::XML_SUCCESS;
  tinyxml2::XMLPrinter printer;
  document.Print(&printer);
  std::printf("%d %d\n", wrong, printer.CStrSize());
  return 0;
}
