#include "sqlite3.h"

#include "text.h"

#include <stdio.h>

static int rows;

static int on_row(void *unused, int columns, char **values, char **names) {
  (void)unused, (void)columns, (void)values, (void)names;
  ++rows;
  return 0;
}

static int run(sqlite3 *db, const char *sql) {
  int code = sqlite3_exec(db, sql, on_row, 0, 0);
  if (code)
    fprintf(stderr, "%s: %s\n", sql, sqlite3_errmsg(db));
  return code;
}

int main(void) {
  sqlite3 *db;
  sqlite3_open(":memory:", &db);
  int wrong = run(db, "create table t(a integer primary key, b int, c text)");
  wrong |= run(db, "create index i on t(b)") | run(db, "begin");
  for (int i = 0; i < 1500; ++i) {
    char sql[200];
    snprintf(sql,
             sizeof sql,
             "insert into t(b, c) values(%u, '%s %s')",
             text_random(500),
             text_word(),
             text_word());
    wrong |= run(db, sql);
  }
  wrong |= run(db, "commit");
  wrong |= run(db, "select count(*), sum(a), c from t where b < 300 group by c order by 2");
  wrong |= run(db, "select x.a, y.a from t x join t y on x.b = y.b where x.c like '%tree%'");
  wrong |= run(db, "update t set c = upper(c) where b % 3 = 1");
  wrong |= run(db, "delete from t where c like 'THE%'");
  wrong |= run(db, "syntax error here") != SQLITE_ERROR;
  sqlite3_close(db);
  printf("%d\n", rows);
  return wrong;
}
