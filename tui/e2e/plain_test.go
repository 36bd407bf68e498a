//go:build unix

package e2e

import (
	"regexp"
	"strings"
	"testing"
)

// sgr is a sequence for colours or attributes.
var sgr = regexp.MustCompile(`\x1b\[[0-9;:]*m`)

// TestPlain: without colours nothing is coloured, the background is not asked for, and a
// terminal that may know nothing else is written ASCII.
func TestPlain(t *testing.T) {
	t.Parallel()
	for name, more := range map[string]setup{
		"NO_COLOR": {env: []string{"NO_COLOR=1"}},
		"theme":    {args: []string{"--theme", "plain"}},
		"dumb":     {env: []string{"TERM=dumb"}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := newSite(t, 30)
			set := s.setup(more.args...)
			set.env, set.answer, set.light = more.env, true, true // nothing is asked
			x := start(t, set)
			x.Until("30 tools")
			x.Type("weigh crate")
			x.Until("> weigh crate", "sum")
			x.Key("tab", "tab", "*", "tab", "tab", "ctrl+p")
			x.Until("Go to Replay")
			x.Key("esc", "?")
			x.Until("help")
			x.Key("esc")
			write(t, s.registry, nil)
			x.Until("STALE")
			x.Key("q")
			x.Exit()
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
			if i := strings.IndexFunc(output, func(r rune) bool { return r > '~' }); name == "dumb" && i >= 0 {
				t.Errorf("not ASCII: %q", output[max(0, i-40):i+4])
			}
		})
	}
}
