package tui

import (
	"strings"
	"testing"

	"caliper/tui/demo"
)

// Every reload that was opened says what search was and is, once.
func TestReloadsSayActivation(t *testing.T) {
	t.Parallel()
	d := explorer(t, 120, 36)
	once := func(want string) {
		t.Helper()
		d.wants(want)
		if n := strings.Count(d.Screen(), "default: search "); n != 1 {
			t.Errorf("it is said %d times:\n%s", n, d.Screen())
		}
		d.Press("enter")
	}
	d.Press("alt+7")
	d.reload(RegistryPart, replaced(t, demo.Registry(), `"name": "mcp_forge_create_branch"`, `"name": "mcp_forge_start_branch"`))
	d.Press("g", "enter")
	once("default: search stays ON, 30,234 deferrable of threshold 20,000")
	d.reload(ConfigPart, replaced(t, demo.Config(), "threshold_pct: 10", "threshold_pct: 16"))
	d.Press("g", "enter")
	once("default: search ON → OFF, 30,234 deferrable tokens, threshold 32,000")
	d.reload(ConfigPart, replaced(t, demo.Config(), "enabled: auto", "enabled: off"))
	d.Press("g", "enter")
	once("default: search stays OFF, mode off")
}

// What a flag changes is no reload of the config file.
func TestFlagsAreNoReload(t *testing.T) {
	t.Parallel()
	d := explorer(t, 120, 36)
	length := 64_000
	d.app().input.Flags.Context = &length
	d.run(d.app().load())
	d.settle()
	if n := len(d.app().activity.events); n != 1 {
		t.Errorf("%+v", d.app().activity.events)
	}
}
