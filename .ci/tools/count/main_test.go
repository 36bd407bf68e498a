package main

import (
	"os"
	"path/filepath"
	"testing"
)

func TestCount(t *testing.T) {
	folder := t.TempDir()
	for name, text := range map[string]string{
		"go.mod":              "module example\n\ngo 1.26\n",
		"tui/screen/host.go":  "package screen\n\nimport _ \"example/facts\"\n\ntype Host interface {\n\tA()\n\tPart\n}\n\ntype Part interface{ B(); C() }\n",
		"facts/facts.go":      "package facts\n\ntype Fact struct {\n\tA, B int\n\tC struct{ D int }\n}\n\nfunc (Fact) Is() {}\n",
		"facts/elsewhere.go":  "//go:build plan9\n\npackage facts\n",
		"facts/facts_test.go": "package facts\n\nfunc helper() {}\n",
		"other/other.go":      "package other\n",
	} {
		path := filepath.Join(folder, name)
		if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	s, err := count(folder)
	if err != nil {
		t.Fatal(err)
	}
	const want = `lines                         19
lines of tests                 3
packages                       3
test binaries                  1
names                          7  1 functions, 2 structs, 4 fields
methods of Host                3
lines below tui/screen        18  2 packages
largest package               10  tui/screen
largest file                  10  tui/screen/host.go
`
	if got := s.String(); got != want {
		t.Errorf("got\n%swant\n%s", got, want)
	}
}
