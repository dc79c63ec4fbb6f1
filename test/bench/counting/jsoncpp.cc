#include "text.h"
#include "json/json.h"

#include <cstdio>
#include <sstream>
#include <string>

int main() {
  std::string text = "[";
  while (text.size() < 150000)
    text += "{\"id\": " + std::to_string(text_random(100000)) + ", \"" + text_word() +
            "\": [1.5, true, null, \"" + text_word() + "\\n\"], \"" + text_word() +
            "\": {\"deep\": [" + std::to_string(text_random(9)) + "]}},\n";
  text += "{}]";
  for (char &c : text)
    if (static_cast<unsigned char>(c) < ' ' && c != '\n')
      c = '1';
  Json::Value value;
  std::string errors;
  std::istringstream stream(text);
  bool right = Json::parseFromStream(Json::CharReaderBuilder(), stream, &value, &errors);
  std::string out = Json::writeString(Json::StreamWriterBuilder(), value);
  long caught = 0;
  for (int i = 0; i < 200; ++i)
    try {
      caught += value[0u]["id"].asString().size() > 100;
      value[0u].asInt();
    } catch (const Json::LogicError &) {
      ++caught;
    }
  std::printf("%d %zu %ld\n", right, out.size(), caught);
  return 0;
}
