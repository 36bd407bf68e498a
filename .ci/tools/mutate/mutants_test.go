package main

import (
	"os"
	"path/filepath"
	"slices"
	"testing"
)

// parsed returns a package of one file with the body of a function f(n int)
// (bool, error).
func parsed(t *testing.T, body string) *pkg {
	t.Helper()
	dir := t.TempDir()
	text := "package p\n\nfunc f(n int) (bool, error) {\n" + body + "\n}\n"
	if err := os.WriteFile(filepath.Join(dir, "a.go"), []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	p := &pkg{ImportPath: "p", Dir: dir, GoFiles: []string{"a.go"}, folder: "p"}
	if err := p.parse(); err != nil {
		t.Fatal(err)
	}
	return p
}

func TestMutants(t *testing.T) {
	tests := []struct {
		name, body string
		want       []string // changed lines of the mutants that compile
	}{
		{"a condition", "if n > 3 {\nn = 0\n}\nreturn false, nil", []string{
			"if !(n > 3) {", "if n >= 3 {", "if n > 4 {", "if n > 2 {", "_ = 0", "n = 1", "return true, nil"}},
		{"equality is swapped once", "return n == 0, nil", []string{"return false, nil", "return n != 0, nil", "return n == 1, nil"}},
		{"a negation is dropped", "for !(n < 1) {\nn--\n}\nreturn false, nil", []string{
			"for (n < 1) {", "for !(n <= 1) {", "for !(n < 2) {", "for !(n < 0) {", "", "return true, nil"}},
		{"operators of logic", "return n < 1 && true, nil", []string{
			"return false, nil", "return n < 1 || true, nil", "return n <= 1 && true, nil", "return n < 2 && true, nil", "return n < 0 && true, nil", "return n < 1 && false, nil"}},
		{"a call", "panic(n)", nil},
		{"a switch", "switch {\ncase n < 0:\n}\nreturn false, nil", []string{"case !(n < 0):", "case n <= 0:", "case n < 1:", "return true, nil"}},
		{"a variable that would be unused", "ok := n < 0\nreturn ok, nil", []string{"ok := n <= 0", "ok := n < 1"}},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			p := parsed(t, test.body)
			var got []string
			for _, m := range p.mutants("a.go") {
				if m.function != "f" {
					t.Errorf("%s: in function %q", m, m.function)
				}
				if p.compiles("a.go", m.source()) {
					got = append(got, m.after)
				}
			}
			slices.Sort(got)
			want := slices.Sorted(slices.Values(test.want))
			if !slices.Equal(got, want) {
				t.Errorf("got  %q\nwant %q", got, want)
			}
		})
	}
}

func TestEquivalentMutantsAreKnownWhateverTheirLine(t *testing.T) {
	list := filepath.Join(t.TempDir(), "equivalent.txt")
	text := "# a comment\np/a.go f\n- return n == 0, nil\n+ return n != 0, nil\nnobody asks\n\np/a.go g\n- a\n+ b\ngone\n"
	if err := os.WriteFile(list, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	e, err := readEquivalent(list)
	if err != nil {
		t.Fatal(err)
	}
	left := 0
	for _, m := range parsed(t, "\n\nreturn n == 0, nil").mutants("a.go") {
		if !e.holds(m) {
			left++
		}
	}
	if left != 2 {
		t.Errorf("%d mutants left, want 2 of 3", left)
	}
	if err := os.WriteFile(list, []byte("p/a.go f\n- a\n+ b\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	if _, err := readEquivalent(list); err == nil {
		t.Error("an entry without a reason is accepted")
	}
}
