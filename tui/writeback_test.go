package tui

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"caliper/tui/demo"
	"caliper/tui/workbench"
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
	t.Parallel()
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
	t.Parallel()
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

func TestWriteBackFollowsReloads(t *testing.T) {
	t.Parallel()
	d, path := onConfigFile(t)
	d.Press("right").settle().Press("S").Until("write to config.yaml").lacks("meanwhile")
	shown := d.app().confirm.changes[0].Value
	// Another setting, and another value of the same: the dialog follows both.
	other := strings.Replace(string(demo.Config()), "threshold_pct: 10", "threshold_pct: 40", 1)
	d.reload(ConfigPart, other)
	d.Until("the file changed meanwhile").wants("write to config.yaml", "-    threshold_pct: 40", fmt.Sprintf("+    threshold_pct: %v", shown))
	if now, _ := os.ReadFile(path); string(now) != string(demo.Config()) {
		t.Error("a reload writes")
	}
	// Nothing is left to write.
	d.reload(ConfigPart, strings.Replace(other, "threshold_pct: 40", fmt.Sprintf("threshold_pct: %v", shown), 1))
	d.Until("nothing is left to write").lacks("write to config.yaml")
}

func TestWriteBackThatIsAnsweredStaysClosed(t *testing.T) {
	t.Parallel()
	d, _ := onConfigFile(t)
	d.Press("right").settle().Press("S").Until("write to config.yaml")
	a := d.app()
	w := *a.confirm
	w.again = true
	a.input.Config = &workbench.File{Name: "config.yaml", Data: []byte("# other\n")}
	late := w.propose(a.input.Config.Data)
	late.anew = true
	d.Press("n").Send(late).lacks("write to config.yaml")
	// Nor does what was made for an older file replace what is shown.
	a.confirm = &w
	a.input.Config = &workbench.File{Name: "config.yaml", Data: []byte("# newer\n")}
	d.Send(late)
	if a.confirm != &w {
		t.Error("an outdated change is shown")
	}
}

func TestWriteBackSurvivesReloadsOfTheRegistry(t *testing.T) {
	t.Parallel()
	d, path := onConfigFile(t)
	// The file has changed, and the watcher has not told yet.
	if err := os.WriteFile(path, append([]byte("# mine\n"), demo.Config()...), 0o600); err != nil {
		t.Fatal(err)
	}
	d.Press("right").settle().Press("S").Until("write to config.yaml")
	d.reload(RegistryPart, strings.Replace(string(demo.Registry()), "mcp_forge_create_branch", "mcp_forge_start_branch", 1))
	d.wants("write to config.yaml").lacks("meanwhile")
}

func TestWriteBackOnSmallScreens(t *testing.T) {
	t.Parallel()
	d, _ := onConfigFile(t)
	d.Press("right").settle().Press("S").Until("write to config.yaml")
	d.reload(ConfigPart, "# mine\n"+string(demo.Config()))
	d.Until("the file changed meanwhile")
	for _, size := range [][2]int{{80, 24}, {40, 10}} {
		d.Resize(size[0], size[1]).wants("the file changed meanwhile", "-    threshold_pct: 10", "+    threshold_pct: ", "y writes it")
	}
}

// contextOnly returns the demo's configuration with a context of 200,000
// tokens in place of the model.
func contextOnly(t *testing.T) []byte {
	return []byte(replaced(t, demo.Config(), "default: anthropic/claude-sonnet-4.5", "context_length: 200000"))
}

// onContextFlag drives an explorer whose config file says a context of 200,000
// and whose flag says one of 50,000.
func onContextFlag(t *testing.T) (*driver, string) {
	t.Helper()
	path := filepath.Join(t.TempDir(), "config.yaml")
	if err := os.WriteFile(path, contextOnly(t), 0o600); err != nil {
		t.Fatal(err)
	}
	opt := testOptions(demo.Registry(), contextOnly(t))
	length := 50_000
	opt.ConfigName, opt.Flags.Context = path, &length
	d := startExplorer(t, opt, 120, 36)
	return d.reads(path).turn("alt+2", "v", "down"), path
}

// reads delivers what a config file holds, as the watcher would.
func (d *driver) reads(path string) *driver {
	d.t.Helper()
	now, err := os.ReadFile(path)
	if err != nil {
		d.t.Fatal(err)
	}
	d.reload(ConfigPart, string(now))
	return d.settle()
}

// A context that is written goes before the flag that hid the file's until
// then, until it is taken back.
func TestWrittenContextGoesBeforeTheFlag(t *testing.T) {
	t.Parallel()
	d, path := onContextFlag(t)
	d.wants("no knobs", "50k").turn("right").wants("WHAT IF", "64k → was 50k")
	d.Press("S").Until("write to config.yaml").wants("--context 50,000 goes before the file", "+  context_length: 64000")
	d.Press("n").turn("left", "right").wants("was 50k").Press("S").Until("write to config.yaml")
	d.Press("y").Until("wrote config.yaml · --context 50,000 is put aside")
	d.reads(path).wants("64k", "on disk").lacks("WHAT IF", "was 50k", "no knobs", "knob turned")
	d.Press("U").Until("as it was before").reads(path).wants("50k", "no knobs").lacks("WHAT IF")
	if now, _ := os.ReadFile(path); string(now) != string(contextOnly(t)) {
		t.Error("the file is not as it was")
	}
}

// A context beside a model is not written: the agent does not read it.
func TestContextBesideAModelIsNotWritten(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "config.yaml")
	if err := os.WriteFile(path, demo.Config(), 0o600); err != nil {
		t.Fatal(err)
	}
	opt := testOptions(demo.Registry(), demo.Config())
	opt.ConfigName = path
	d := startExplorer(t, opt, 120, 36)
	d.reads(path).turn("alt+2", "v", "down", "right").Press("S").wants("the context is not written: the agent has it by the model").lacks("write to config.yaml")
	if now, _ := os.ReadFile(path); string(now) != string(demo.Config()) {
		t.Error("the file was written")
	}
}

func TestContextThatTheFileSaysAlready(t *testing.T) {
	t.Parallel()
	d, _ := onContextFlag(t)
	events := len(d.app().activity.events)
	d.turn("right", "right", "right").wants("200k", "(50k)").turn("S").Until("says so already · --context 50,000 is put aside").settle()
	d.wants("200k", "on disk").lacks("WHAT IF")
	if n := len(d.app().activity.events); n != events {
		t.Errorf("a flag that is put aside is no reload: %+v", d.app().activity.events[events:])
	}
}

func TestFlagHoldsWhenNothingIsWritten(t *testing.T) {
	t.Parallel()
	d, path := onContextFlag(t)
	d.turn("right").Press("S").Until("write to config.yaml")
	if err := os.WriteFile(path, append([]byte("# mine\n"), contextOnly(t)...), 0o600); err != nil {
		t.Fatal(err)
	}
	d.Press("y").Until("the file changed meanwhile").Press("n")
	d.reads(path).wants("was 50k", "no knobs")
	d.Press("S").Until("write to config.yaml")
	if err := os.Remove(path); err != nil {
		t.Fatal(err)
	}
	if err := os.Mkdir(path, 0o700); err != nil {
		t.Fatal(err)
	}
	d.Press("y").Until("not written").turn("0").wants("50k", "no knobs")
}

// A flip that somebody wrote himself is news that passes, so that the hints
// come back; one that comes from elsewhere stays.
func TestOwnFlipPasses(t *testing.T) {
	t.Parallel()
	d, path := onConfigFile(t)
	d.turn(times(6, "right")...).wants("search OFF")
	d.Press("S").Until("write to config.yaml").Press("y").Until("wrote config.yaml").reads(path).wants("search is now OFF")
	if l := d.app().notices.level; l != levelWarn {
		t.Errorf("level %v after a write", l)
	}
	d.Send(noticeExpiredMsg{d.app().notices.gen}).wants("U take back").lacks("search is now OFF")
	d.Press("U").Until("as it was before").reads(path).wants("search is now ON")
	if l := d.app().notices.level; l != levelWarn {
		t.Errorf("level %v after a write was taken back", l)
	}
	d.reload(ConfigPart, strings.Replace(string(demo.Config()), "threshold_pct: 10", "threshold_pct: 16", 1))
	if l := d.app().notices.level; l != levelFlip {
		t.Errorf("level %v after somebody else's change", l)
	}
}
