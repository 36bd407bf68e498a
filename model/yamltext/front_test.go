package yamltext

import (
	"strings"
	"testing"
)

func TestFrontMatter(t *testing.T) {
	long := "---\n" + strings.Repeat("x", MaxSize-8)
	for _, c := range []struct {
		name, data, front string
		ok                bool
	}{
		{"nothing", "", "", false},
		{"no fence", "a: 1\n---\n", "", false},
		{"one fence", "---\na: 1\n", "", false},
		{"two", "---\na: 1\n---\nb\n", "---\na: 1\n", true},
		{"nothing between", "---\n---", "---\n", true},
		{"a mark, blanks and carriage returns", "\ufeff--- \t\r\na: 1\r\n---\r\n", "--- \t\r\na: 1\r\n", true},
		{"an indented fence is none", "---\n ---\n", "", false},
		{"an empty line at the top", "\n---\n---\n", "", false},
		{"as large as is looked at", long + "\n---", long + "\n", true},
		{"larger", long + "x\n---", "", false},
	} {
		if front, ok := FrontMatter([]byte(c.data)); string(front) != c.front || ok != c.ok {
			t.Errorf("%s: %.40q, %v", c.name, front, ok)
		}
	}
}
