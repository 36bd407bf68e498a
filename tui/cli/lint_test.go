package cli

import (
	"strings"
	"testing"

	"caliper/engine/lint"
)

// --code is offered in the words of the screen, and takes them and the codes of JSON.
func TestLintCodeWords(t *testing.T) {
	t.Parallel()
	for _, text := range []string{"unfindable_tool", "unfindable tool", "dark_tool"} {
		l := &linting{}
		if err := l.code(text); err != nil || len(l.codes) != 1 || l.codes[0] != lint.DarkTool {
			t.Errorf("%s: %v, %v", text, l.codes, err)
		}
	}
	offered, _ := completeCodes(nil, nil, "")
	err := new(linting).code("nothing")
	if all := strings.Join(offered, "\n") + err.Error(); strings.Contains(all, "dark_tool") || !strings.Contains(all, "unfindable_tool") {
		t.Error(all)
	}
}
