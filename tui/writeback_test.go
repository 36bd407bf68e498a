package tui

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"caliper/tui/demo"
)

// onConfigFile drives an explorer whose config file is really there.
func onConfigFile(t *testing.T) (*driver, string) {
	t.Helper()
	path := filepath.Join(t.TempDir(), "config.yaml")
	if err := os.WriteFile(path, demo.Config(), 0o600); err != nil {
		t.Fatal(err)
	}
	opt := testOptions(demo.Registry(), demo.Config())
	opt.ConfigName = path
	d := startExplorer(t, opt, 120, 36)
	d.Press("alt+2", "v")
	return d, path
}

func TestWriteBack(t *testing.T) {
	d, path := onConfigFile(t)
	d.Press("right").settle()
	if len(d.app().budget.knobs()) == 0 {
		t.Fatalf("no knob was turned:\n%s", d.Screen())
	}
	d.Press("S").Until("write to config.yaml").wants("-    threshold_pct: 10", "+    threshold_pct: ")
	d.Press("n").lacks("write to config.yaml")
	if now, _ := os.ReadFile(path); string(now) != string(demo.Config()) {
		t.Fatal("a no writes")
	}
	d.Press("S").Until("write to config.yaml").Press("y").Until("wrote config.yaml")
	now, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	changed := 0
	was := strings.Split(string(demo.Config()), "\n")
	for i, line := range strings.Split(string(now), "\n") {
		if i >= len(was) || line != was[i] {
			changed++
		}
	}
	if changed != 1 {
		t.Errorf("%d lines changed", changed)
	}
	d.reload(ConfigPart, string(now))
	if len(d.app().budget.knobs()) != 0 {
		t.Error("the file agrees with the knob, and it still counts as turned")
	}
	d.Press("U").Until("as it was before")
	if now, _ := os.ReadFile(path); string(now) != string(demo.Config()) {
		t.Error("the change was not taken back")
	}
}

func TestWriteBackWhenTheFileChanged(t *testing.T) {
	d, path := onConfigFile(t)
	d.Press("right").settle().Press("S").Until("write to config.yaml")
	other := "# mine\n" + string(demo.Config())
	if err := os.WriteFile(path, []byte(other), 0o600); err != nil {
		t.Fatal(err)
	}
	d.Press("y").Until("the file changed meanwhile")
	d.Press("y").Until("wrote config.yaml")
	now, _ := os.ReadFile(path)
	if !strings.HasPrefix(string(now), "# mine\n") || string(now) == other {
		t.Errorf("the other change is lost, or ours:\n%.200s", now)
	}
}
