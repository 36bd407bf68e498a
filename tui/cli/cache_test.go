package cli

import (
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"testing"

	"caliper/tui/demo"
	"caliper/tui/workbench"
)

// TestCacheChangesNoAnswer: without a cache, when it is filled, from it, and when
// all of it is damaged, a command prints the same bytes. Its content is
// for the user alone, and --no-cache and --no-state keep nothing.
func TestCacheChangesNoAnswer(t *testing.T) {
	registry := write(t, "registry.json", string(demo.Bulk(600)))
	few := write(t, "registry.json", string(demo.Bulk(40))) // for what takes long
	folder := t.TempDir()
	env := Env{Embedding: workbench.Embedding{Cache: folder, Build: "b1"}}
	kept := func() []string {
		paths, err := filepath.Glob(filepath.Join(folder, "computed", "*"))
		if err != nil {
			t.Fatal(err)
		}
		return paths
	}
	for _, args := range [][]string{
		{"select", "open a chnage and send a mail", "--strategy", "hybrid"},
		{"select", "open a chnage and send a mail", "--strategy", "semantic", "--json"},
		{"budget", "--tokenizer", "o200k_base", "--tools", "--json"},
		{"search", "open a change", "--tokenizer", "cl100k_base", "--json"},
		{"lint", "--code", "name_rule,placeholder", "--json"},
	} {
		if args[0] == "lint" {
			args = append(args, "--registry", few)
		} else {
			args = append(args, "--registry", registry)
		}
		run := func(more ...string) string {
			t.Helper()
			code, out, complaints := commandIn(t, env, "", append(slices.Clone(args), more...)...)
			return string(rune('0'+code)) + out + complaints
		}
		want := run("--no-cache")
		if now := run("--no-state"); now != want {
			t.Errorf("%q, --no-state: another answer", args)
		}
		if paths := kept(); len(paths) > 0 {
			t.Fatalf("%q: kept %q", args, paths)
		}
		for _, how := range []string{"cold", "warm", "damaged"} {
			if how == "damaged" {
				for _, path := range kept() {
					if err := os.WriteFile(path, []byte("calcache"), 0o600); err != nil {
						t.Fatal(err)
					}
				}
			}
			if run() != want {
				t.Errorf("%q, %s: another answer", args, how)
			}
		}
		for _, path := range kept() {
			if info, err := os.Stat(path); err != nil || runtime.GOOS != "windows" && info.Mode().Perm()&0o077 != 0 {
				t.Errorf("%s has mode %v, %v", path, info.Mode(), err)
			}
		}
		if err := os.RemoveAll(folder); err != nil {
			t.Fatal(err)
		}
	}
}

// TestCachedLintFollowsItsInput: a report is used again only for the same files,
// flags and environment.
func TestCachedLintFollowsItsInput(t *testing.T) {
	set := map[string]string{}
	env := Env{
		Embedding: workbench.Embedding{Cache: t.TempDir(), Build: "b1"},
		Lookup:    func(name string) (string, bool) { value, ok := set[name]; return value, ok },
	}
	registry := write(t, "registry.json", `{"tools":[{"toolset":"wiki","function":{"name":"read_page","description":"Read a page of a wiki."}},{"toolset":"wiki","function":{"name":"page_read","description":"Read a page."}}]}`)
	configured := write(t, "config.yaml", `sessions: {default: {enabled_toolsets: ["${ONLY}"]}}`)
	answer := func(more ...string) string {
		t.Helper()
		args := append([]string{"lint", "--registry", registry, "--config", configured}, more...)
		_, want, _ := commandIn(t, env, "", append(slices.Clone(args), "--no-cache")...)
		for range 2 {
			if _, got, complaints := commandIn(t, env, "", args...); got != want {
				t.Errorf("%q: %s%s, want %s", more, got, complaints, want)
			}
		}
		return want
	}
	seen := map[string]string{}
	differs := func(what, text string) {
		t.Helper()
		if other, twice := seen[text]; twice {
			t.Errorf("%s: the answer is that of %s", what, other)
		}
		seen[text] = what
	}
	differs("the first", answer())
	differs("JSON", answer("--json"))
	differs("a code", answer("--code", "name_rule"))
	differs("a tool", answer("--tool", "read_page"))
	differs("a tokenizer", answer("--tokenizer", "o200k_base"))
	set["ONLY"] = "wiki"
	differs("a variable", answer())
	if err := os.WriteFile(registry, []byte(`{"tools":[{"toolset":"wiki","function":{"name":"read_page"}}]}`), 0o600); err != nil {
		t.Fatal(err)
	}
	differs("other tools", answer())
}
