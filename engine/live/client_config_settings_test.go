package live

import (
	"slices"
	"testing"

	_ "caliper/model/require"
	"caliper/model/words"

	"pgregory.net/rapid"
)

// A name fits one of the globs behind a prefix if and only if prefix and name fit the
// pattern.
func TestBehindIsThePatternWithoutItsPrefix(t *testing.T) {
	t.Parallel()
	matches := func(pattern, name string) bool {
		g, err := words.CompileGlob(pattern)
		return err == nil && g.Match(name)
	}
	rapid.Check(t, func(t *rapid.T) {
		pattern := rapid.StringOfN(rapid.SampledFrom([]rune("ab_*?é![{")), 0, 8, -1).Draw(t, "pattern")
		prefix := rapid.StringOfN(rapid.SampledFrom([]rune("ab_é[!")), 0, 5, -1).Draw(t, "prefix")
		name := rapid.StringOfN(rapid.SampledFrom([]rune("ab_é[!{")), 1, 5, -1).Draw(t, "name")
		want := matches(literalBut(pattern, "*?"), prefix+name)
		if got := slices.ContainsFunc(behind(pattern, prefix), func(p string) bool { return matches(p, name) }); got != want {
			t.Fatalf("behind(%q, %q) is %q: it takes %q: %v, want %v", pattern, prefix, behind(pattern, prefix), name, got, want)
		}
	})
}

// The last pattern of Exclude that a name fits decides, and only a rule of OpenCode takes
// a tool again.
func TestTheLastPatternDecides(t *testing.T) {
	t.Parallel()
	s := Server{Exclude: []string{"*", "!read*", "read_all"}}
	for name, want := range map[string]bool{"rm": false, "read": true, "read_all": false, "!read": false} {
		if s.Allows(name) != want {
			t.Errorf("%s: %v, want %v", name, !want, want)
		}
	}
	c, err := ParseClientConfig("x.json", []byte(`{"mcpServers":{"a":{"command":"x","disabledTools":["*","!read"]}}}`))
	if err != nil || c.Servers[0].Allows("read") || len(c.Servers[0].FilterFaults()) != 0 {
		t.Errorf("a list of names takes a tool again: %v %q", err, c.Servers[0].Exclude)
	}
}
