#include "lua.h"
#include "lauxlib.h"
#include "lualib.h"

#include <stdio.h>

/* Errors are raised and caught, so functions are left by longjmp all the time. */
static const char script[] =
    "local function fib(n) if n < 2 then return n end return fib(n-1) + fib(n-2) end\n"
    "local t = {}\n"
    "for i = 1, 20000 do t[i] = (i * 7919) % 10007 end\n"
    "table.sort(t)\n"
    "local s = 0\n"
    "for i = 1, 300 do\n"
    "  local ok = pcall(function() for j = 1, i do if j == 50 then error('x' .. j) end end end)\n"
    "  if not ok then s = s + 1 end\n"
    "end\n"
    "local words = {}\n"
    "for w in string.gmatch(string.rep('the quick brown fox ', 500), '%a+') do\n"
    "  words[w] = (words[w] or 0) + #w\n"
    "end\n"
    "local co = coroutine.wrap(function() for i = 1, 2000 do coroutine.yield(i) end end)\n"
    "for i = 1, 2000 do s = s + co() end\n"
    "return fib(19) + s + #t\n";

int main(void) {
  lua_State *L = luaL_newstate();
  luaL_openlibs(L);
  int wrong = luaL_dostring(L, script);
  if (!wrong)
    printf("%lld\n", (long long)lua_tointeger(L, -1));
  lua_close(L);
  return wrong;
}
