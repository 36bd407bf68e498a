package tui

import (
	"fmt"
	"runtime"
	"strings"
	"testing"
)

// failing is a test that must fail, with what it says.
type failing struct {
	testing.TB
	said string
}

// Fatalf keeps the text and ends the goroutine.
func (f *failing) Fatalf(format string, args ...any) {
	f.said = fmt.Sprintf(format, args...)
	runtime.Goexit()
}

// TestScenesFail plays scenes that are untrue: each fails at its last
// line, with the screen.
func TestScenesFail(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct{ scene, want string }{
		{"see nonsense", `see: nothing shows "nonsense"` + "\ncaliper  registry.json"},
		{"not see tools  192", `"tools  192" is shown`},
		{"in hits row 1 see ▌mcp_x", `nothing shows "▌mcp_x"` + "\nhits:\n"},
		{"count 2 tools  192", `"tools  192" is shown 1 times`},
		{"reads no such text", `nothing reads "no such text"`},
		{"styled Bad tools", `no "tools" is drawn as Bad`},
		{"until ^tools$", `that "^tools$" matches is false`},
		{"focus hits", "the keyboard is in query"},
		{"press next view", `no key does "next view" here; there are: `},
		{"press budget\nselect nonsense", `no row begins with "nonsense"`},
		{"ended", "it goes on"},
		{"golden scope-40x10", "is another picture; -update writes it anew\n   1 - "},
		{"in config.yaml see nonsense", `nothing shows "nonsense"`},
		{"at 80x24 see nonsense\nat 120x36 see nonsense", `nothing shows "nonsense"`},
	} {
		if *update && strings.Contains(tt.scene, "golden") {
			continue // it would be written
		}
		lines := sceneLines([]byte(tt.scene))
		f := &failing{TB: t}
		done := make(chan struct{})
		go func() {
			defer close(done)
			playLines(f, "x.scene", lines, "120x36", "dark")
		}()
		<-done
		if at := fmt.Sprintf("x.scene:%d: ", lines[len(lines)-1].Number); !strings.HasPrefix(f.said, at) || !strings.Contains(f.said, tt.want) {
			t.Errorf("%q says\n%s\nwant %s%s", tt.scene, f.said, at, tt.want)
		}
	}
}
