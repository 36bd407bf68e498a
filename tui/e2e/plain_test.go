//go:build unix

package e2e

import (
	"fmt"
	"regexp"
	"strings"
	"testing"
)

// sgr is a sequence for colours or attributes.
var sgr = regexp.MustCompile(`\x1b\[[0-9;:]*m`)

// TestPlain looks for everything that colours tell, in their absence.
func TestPlain(t *testing.T) {
	t.Parallel()
	tests := []struct {
		name  string
		env   []string
		args  []string
		ascii bool
	}{
		{name: "NO_COLOR", env: []string{"NO_COLOR=1"}},
		{name: "theme", args: []string{"--theme", "plain"}},
		{name: "dumb", env: []string{"TERM=dumb"}, ascii: true},
	}
	for _, tt := range tests {
		for _, size := range [][2]int{{80, 24}} {
			t.Run(fmt.Sprintf("%s %d×%d", tt.name, size[0], size[1]), func(t *testing.T) {
				t.Parallel()
				set := newSite(t, 30).setup(append(tt.args, "--strict")...)
				set.env, set.w, set.h = tt.env, size[0], size[1]
				set.answer, set.light = true, true // nothing is asked
				x := start(t, set)
				mark, focus := "▌", "━"
				if tt.ascii {
					mark, focus = ">", "="
				}
				// The query has the focus.
				x.untilLoaded("mcp_depot_move_crate_001")
				x.Type("weigh")
				s := x.UntilFunc("the hit", func(s screen) bool { return s.Has("> weigh", "mcp_depot_weigh_crate", mark+"1 ") })
				if !s.Has(focus + "query") {
					t.Errorf("the focus is not seen:\n%s", s)
				}
				if !s.Has("search ON") {
					t.Errorf("the gauge lacks its verdict:\n%s", s)
				}
				// The hits, and the schema.
				x.Key("tab")
				x.UntilFunc("the focus on the hits", func(s screen) bool { return !s.Has(focus+"query") && s.Has(mark) })
				x.Key("tab")
				x.UntilFunc("a row of the schema selected", func(s screen) bool {
					return s.Has("parameters") && regexp.MustCompile(regexp.QuoteMeta(mark)+`.{0,4}parameters`).MatchString(s.String())
				})
				// The verdict.
				x.Key("tab", "tab")
				x.Until("gates pass")
				x.Key("enter", "ctrl+u")
				x.Type(`{"crate":7}`)
				x.Until("DENIED")
				x.Key("esc", "ctrl+p")
				x.Until("commands")
				x.Key("esc", "?")
				x.Until("help")
				x.Key("esc", "q")
				if code := x.Exit(); code != 0 {
					t.Errorf("exit code %d", code)
				}
				output := x.Output()
				if m := sgr.FindString(output); m != "" {
					t.Errorf("a colour or an attribute: %q", m)
				}
				if err := harmless(output, nil); err != nil {
					t.Error(err)
				}
				if strings.Contains(output, "\x1b]") {
					t.Error("the background is asked for")
				}
			})
		}
	}
}

// TestDumbIsASCII looks at a terminal that may know nothing but ASCII.
func TestDumbIsASCII(t *testing.T) {
	t.Parallel()
	s := newSite(t, 30)
	set := s.setup()
	set.env = []string{"TERM=dumb"}
	x := start(t, set)
	x.Until("30 tools")
	x.Type("weigh crate")
	x.Until("> weigh crate", "mcp_depot_weigh_crate", "sum")
	x.Key("tab", "tab", "*", "tab", "tab", "ctrl+p")
	x.Until("Go to Replay")
	x.Key("esc", "?")
	x.Until("help")
	x.Key("esc")
	write(t, s.registry, dump(depot(31)))
	x.Until("31 tools")
	write(t, s.registry, nil)
	x.Until("STALE")
	x.Key("q")
	x.Exit()
	for _, line := range strings.Split(x.Output(), "\n") {
		if i := strings.IndexFunc(line, func(r rune) bool { return r > '~' }); i >= 0 {
			t.Errorf("not ASCII: %q in %q", []rune(line[i:])[0], sgr.ReplaceAllString(line, ""))
			return
		}
	}
}
