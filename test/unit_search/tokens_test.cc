#include "fuzzer/tokens.h"

#include "sample_functions.h"

#include <cstdio>
#include <gtest/gtest.h>
#include <set>
#include <string>
#include <unistd.h>

namespace perfidy {
namespace {

std::set<std::string> all(const TokenPool &pool) {
  std::set<std::string> texts;
  Random random(1);
  for (int i = 0; i < 20000 && pool.size(); ++i) {
    const Part *token = pool.any(random);
    texts.insert({reinterpret_cast<const char *>(token->bytes), token->length});
  }
  return texts;
}

class Dictionary {
public:
  explicit Dictionary(const std::string &text) {
    int file = mkstemp(path);
    EXPECT_EQ(write(file, text.data(), text.size()), ssize_t(text.size()));
    close(file);
  }
  ~Dictionary() { std::remove(path); }
  char path[32] = "/tmp/tokens_test.XXXXXX";
};

void learn(TokenPool &pool, const std::string &before, const std::string &after) {
  pool.learnDifference(reinterpret_cast<const uint8_t *>(before.data()),
                       before.size(),
                       reinterpret_cast<const uint8_t *>(after.data()),
                       after.size());
}

TEST(TokenPool, ReadsDictionaries) {
  Dictionary file("# comment \"no\"\nkw1=\"<!--\"\n\"a\\x0a\\\\\\\"b\"\n\nbad line\nlast=\"z\"");
  TokenPool pool;
  pool.readDictionary(file.path);
  EXPECT_EQ(all(pool), (std::set<std::string>{"<!--", "a\n\\\"b", "z"}));
}

TEST(TokenPool, ReadsDictionariesLongerThanItsBuffer) {
  std::string text;
  for (int i = 0; i < 400; ++i)
    text += "# " + std::string(400, 'c') + "\n\"t" + std::to_string(i) + "\"\n";
  TokenPool pool;
  pool.readDictionary(Dictionary(text).path);
  EXPECT_EQ(pool.size(), 400u);
}

TEST(TokenPool, MissingFilesAreTheEnginesBusiness) {
  TokenPool pool;
  pool.readDictionary("/nonexistent");
  Random random(1);
  EXPECT_EQ(pool.any(random), nullptr);
}

TEST(TokenPool, LearnsWhatWasInsertedOrReplaced) {
  TokenPool pool;
  learn(pool, "abcd", "ab<?xmlcd");
  learn(pool, "aaaa", "aXYa");
  learn(pool, "same", "same");
  learn(pool, "abcd", "abd");
  learn(pool, "a", "a" + std::string(33, 'z'));
  EXPECT_EQ(all(pool), (std::set<std::string>{"<?xml", "XY"}));
}

TEST(TokenPool, LearnedTokensGiveWayAndTheUsersStay) {
  Dictionary file("\"user\"\n");
  TokenPool pool;
  pool.readDictionary(file.path);
  for (int i = 0; i < 5000; ++i)
    learn(pool, "", "t" + std::to_string(i));
  EXPECT_EQ(pool.size(), TokenPool::kMost);
  const std::set<std::string> kept = all(pool);
  EXPECT_TRUE(kept.count("user"));
  EXPECT_TRUE(kept.count("t4999"));
  EXPECT_FALSE(kept.count("t10"));
}

} // namespace
} // namespace perfidy
