package live

import (
	"fmt"
	"strings"
	"testing"
)

func TestLastWords(t *testing.T) {
	var many strings.Builder
	for i := range 9 {
		fmt.Fprintf(&many, "error %d\n", i)
	}
	for name, c := range map[string]struct{ text, want string }{
		"node": {"node:internal/modules/cjs/loader:1228\n  throw err;\n  ^\n\nError: Cannot find module '/x.js'\n    at Module._resolveFilename (node:internal/x:1:2)\n    at y {\n  code: 'MODULE_NOT_FOUND',\n  requireStack: []\n}\n\nNode.js v20.20.2\n",
			"Error: Cannot find module '/x.js'"},
		"python":   {"Traceback (most recent call last):\n  File \"x.py\", line 1, in <module>\n    import nothing\nModuleNotFoundError: No module named 'nothing'\n", "ModuleNotFoundError: No module named 'nothing'"},
		"a reason": {"boom line one\nerror: cannot find module foo\n    at x:1\n\nNode.js v20\n", "error: cannot find module foo"},
		"npm":      {"npm error code E404\nnpm error 404 Not Found - GET https://r/x\nnpm error A complete log of this run can be found in: /x.log\n", "npm error code E404 / npm error 404 Not Found - GET https://r/x"},
		"usage":    {"starting\nusage: server PATH\nbye\n", "usage: server PATH / bye"},
		"no error": {"one\ntwo\nthree\nfour\n\n", "two / three / four"},
		"repeated": {"error a\nerror a\nerror a\n", "error a"},
		"only it":  {"Node.js v20.20.2\n", "Node.js v20.20.2"},
		"nothing":  {"\n \n", ""},
		"many":     {many.String(), "error 0 / error 1 / … / error 7 / error 8"},
		"long":     {"error " + strings.Repeat("x", 5000), "error " + strings.Repeat("x", 234) + "…"},
	} {
		if got := lastWords(c.text); got != c.want {
			t.Errorf("%s: %q, want %q", name, got, c.want)
		}
	}
}
