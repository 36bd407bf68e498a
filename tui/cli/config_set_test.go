package cli

import (
	"caliper/tui/cli/runner"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
)

// upper is a change that can be seen.
func upper(data []byte) ([]byte, error) { return []byte(strings.ToUpper(string(data))), nil }

// What keeps a file from being written is told with its name.
func TestRewriteGivesUp(t *testing.T) {
	t.Parallel()
	name := write(t, "config.yaml", "first")
	always := func(old []byte) ([]byte, error) {
		if err := os.WriteFile(name, append(old, 'x'), 0o600); err != nil {
			t.Fatal(err)
		}
		return upper(old)
	}
	var inputs runner.InputErrors
	if _, _, err := rewrite(name, false, always); !errors.As(err, &inputs) || !strings.HasSuffix(err.Error(), "config.yaml: somebody else writes it all the time") {
		t.Errorf("%v", err)
	}
	for _, dry := range []bool{true, false} {
		if _, _, err := rewrite(name+"x", dry, upper); !errors.As(err, &inputs) || !strings.HasSuffix(err.Error(), "config.yamlx: no such file or directory") {
			t.Errorf("missing, dry %t: %v", dry, err)
		}
		if _, _, err := rewrite(filepath.Dir(name), dry, upper); !errors.As(err, &inputs) || !strings.HasSuffix(err.Error(), ": not a regular file") {
			t.Errorf("a folder, dry %t: %v", dry, err)
		}
	}
}

// several is how often what happens at once is tried.
func several() int {
	if *slow {
		return 200
	}
	return 5
}

// Settings that several commands set at once are all set.
func TestSetAtOnce(t *testing.T) {
	t.Parallel()
	for i := range several() {
		name := write(t, "config.yaml", "tools:\n  tool_search:\n    enabled: auto # so\n")
		want := []string{fmt.Sprint("threshold_pct: ", 11+i%80), fmt.Sprint("search_default_limit: ", 2+i%9), fmt.Sprint("max_search_limit: ", 20+i%20)}
		var all sync.WaitGroup
		for _, setting := range want {
			all.Go(func() {
				key, value, _ := strings.Cut(setting, ": ")
				if code, _, complaints := command(t, "config", "set", "tools.tool_search."+key, value, "--config", name); code != 0 {
					t.Errorf("%s: exit code %d: %s", setting, code, complaints)
				}
			})
		}
		all.Wait()
		data, err := os.ReadFile(name)
		for _, setting := range append(want, "enabled: auto # so") {
			if !strings.Contains(string(data), setting) {
				t.Errorf("%s is lost: %s, %v", setting, data, err)
			}
		}
	}
}

// What an editor saves over the file while a command sets something is there afterwards.
func TestSetBesideAnEditor(t *testing.T) {
	t.Parallel()
	for i := range several() {
		const old = "tools:\n  tool_search: {threshold_pct: 10}\n"
		name, hand := write(t, "config.yaml", old), fmt.Sprint("# by hand ", i)
		var both sync.WaitGroup
		both.Go(func() {
			if code, _, complaints := command(t, "config", "set", "tools.tool_search.threshold_pct", "12", "--config", name); code != 0 {
				t.Errorf("exit code %d: %s", code, complaints)
			}
		})
		both.Go(func() {
			if err := errors.Join(os.WriteFile(name+"~", []byte(old+hand), 0o600), os.Rename(name+"~", name)); err != nil {
				t.Error(err)
			}
		})
		both.Wait()
		if data, err := os.ReadFile(name); !strings.Contains(string(data), hand) {
			t.Errorf("%q, %v", data, err)
		}
	}
}
