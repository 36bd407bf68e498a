package config

import (
	"testing"
)

func TestErrorNamesTheFile(t *testing.T) {
	_, err := Parse("dir/config.yaml", []byte("a: b: c\n"))
	if want := "dir/config.yaml:1:5: mapping values are not allowed in this context"; err == nil || err.Error() != want {
		t.Errorf("%v, want %s", err, want)
	}
}

// A file that the reader of YAML refuses leaves the defaults, whatever is wrong
// with it; what it refuses is tested in yamltext.
func TestRefusedFileLeavesDefaults(t *testing.T) {
	for _, text := range []string{"tools:\n\ttool_search: off\n", "a: 1\n---\nb: 2\n", "a: 1\x00", "\xff", "a: 2026-02-30\n", "[a]: 1\n", "%YAML 9.9\n---\na: 1\n"} {
		f, err := Parse("", []byte(text))
		if err == nil {
			t.Errorf("%q: accepted", text)
		}
		checkFile(t, f, err)
	}
	for _, text := range []string{"=: 1\n", "a: &x [*x]\n", "<<: {b: 1}\n", "tools: &t {<<: *t}\n", "%YAML 1.2\n---\ntools: {rag_top_k: 3}\n"} {
		f, err := Parse("", []byte(text))
		if err != nil || len(said(f.Warnings)) > 0 {
			t.Errorf("%q: %v %v", text, err, f.Warnings)
		}
		checkFile(t, f, err)
	}
}
