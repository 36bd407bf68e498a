package cli

import (
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"testing"

	"caliper/model/require"
	"caliper/tui/cli/runner"
	"caliper/tui/demo"
	"caliper/tui/workbench"
)

// TestCacheChangesNoAnswer: without a cache, when it is filled, from it, and when
// all of it is damaged, a command prints the same bytes. Its content is
// for the user alone, and --no-cache and --no-state keep nothing.
func TestCacheChangesNoAnswer(t *testing.T) {
	registry := write(t, "registry.json", string(demo.Registry()))
	folder := t.TempDir()
	env := runner.Env{Embedding: workbench.Embedding{Cache: folder, Build: "b1"}}
	kept := func() []string {
		paths, err := filepath.Glob(filepath.Join(folder, "computed", "*"))
		require.NoError(t, err)
		return paths
	}
	for _, args := range [][]string{
		{"select", "open a chnage and send a mail", "--strategy", "hybrid"},
		{"select", "open a chnage and send a mail", "--strategy", "semantic", "--json"},
		{"budget", "--tokenizer", "o200k_base", "--tools", "--json"},
		{"search", "open a change", "--tokenizer", "cl100k_base", "--json"},
	} {
		args = append(args, "--registry", registry)
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
					require.NoError(t, os.WriteFile(path, []byte("calcache"), 0o600))
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
		require.NoError(t, os.RemoveAll(folder))
	}
}
