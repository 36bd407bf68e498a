package words

import (
	"strings"
	"testing"
)

func FuzzGlob(f *testing.F) {
	for _, seed := range [][2]string{{"[!r]*", "read"}, {"{a,b*}", "bc"}, {`\`, ""}, {"[]-a]", "_"}, {"{[,}],\xff}", "\xff"}} {
		f.Add(seed[0], seed[1])
	}
	f.Fuzz(func(t *testing.T, text, name string) {
		g, err := CompileGlob(text)
		if (g == nil) != (err != nil) {
			t.Fatalf("%q: %v, %v", text, g, err)
		}
		if err != nil {
			return
		}
		matches := g.Match(name)
		if !strings.ContainsAny(text, `*?[]{}\`) && matches != (text == name) {
			t.Fatalf("%q matches %q: %v", text, name, matches)
		}
		// A glob in braces, beside one that has nothing, is the same glob.
		if len(text) < longest-8 {
			if braces, err := CompileGlob("{" + strings.Join([]string{"x[!a-b]y", text}, ",") + "}"); err == nil && matches && !braces.Match(name) && !strings.Contains(text, ",") {
				t.Fatalf("{%q} does not match %q", text, name)
			}
			if all, err := CompileGlob("*" + text + "*"); err != nil || matches && !all.Match("x"+name+"/") {
				t.Fatalf("*%q* does not match %q: %v", text, name, err)
			}
		}
		// A name that is written as a glob matches itself alone.
		var quoted strings.Builder
		for i := range len(name) {
			if name[i] < 0x80 {
				quoted.WriteByte('\\')
			}
			quoted.WriteByte(name[i])
		}
		if quoted.Len() <= longest {
			own, err := CompileGlob(quoted.String())
			if err != nil || !own.Match(name) || own.Match(name+"x") || text != name && own.Match(text) {
				t.Fatalf("%q as a glob: %v", name, err)
			}
		}
	})
}
