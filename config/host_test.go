package config

import (
	"strings"
	"testing"

	"caliper/model/require"
)

// A host that is a generation decides the generation, before a setting of it; a flag goes
// before the file.
func TestHost(t *testing.T) {
	for name, c := range map[string]struct {
		yaml, host, generation string // of the file and of flags
		want                   string
		g                      Generation
	}{
		"nothing":                               {want: hostJune, g: June2026},
		"a generation":                          {yaml: "tools: {tool_search: {generation: september-2026}}", want: hostSeptember, g: September2026},
		"a setting of a generation":             {yaml: "tools: {tool_search: {listing: on}}", want: hostSeptember, g: September2026},
		"a host":                                {yaml: "agent: {host: codex}", want: "codex", g: June2026},
		"a host and a generation":               {yaml: "agent: {host: codex}\ntools: {tool_search: {generation: september-2026}}", want: "codex", g: September2026},
		"a generation as host, against another": {yaml: "agent: {host: hermes-2026-09}\ntools: {tool_search: {generation: june-2026}}", want: hostSeptember, g: September2026},
		"a generation as host, twice":           {yaml: "agent: {host: hermes-2026-09}\ntools: {tool_search: {generation: september-2026}}", want: hostSeptember, g: September2026},
		"the flag of a generation":              {yaml: "agent: {host: codex}", generation: "september-2026", want: hostSeptember, g: September2026},
		"the flag of a host":                    {yaml: "agent: {host: codex}", host: hostJune, want: hostJune, g: June2026},
		"flags of a host and generation":        {host: "pi", generation: "september-2026", want: "pi", g: September2026},
	} {
		t.Run(name, func(t *testing.T) {
			f, err := Parse("c.yaml", []byte(c.yaml))
			for key, value := range map[string]string{KeyHost: c.host, KeyGeneration: c.generation} {
				if value != "" && err == nil {
					err = f.Override(key, value)
				}
			}
			require.NoError(t, err)
			if f.Host != c.want || f.ToolSearch.Generation != c.g || f.setting(KeyHost).Value != c.want {
				t.Errorf("host %s of generation %s, want %s of %s", f.Host, f.ToolSearch.Generation, c.want, c.g)
			}
			if s := f.setting(KeyGeneration); s.Value != string(c.g) || (s.Note == KeyHost+" says which") != strings.HasSuffix(name, "as host, against another") {
				t.Errorf("the generation is told as %v with %q", s.Value, s.Note)
			}
		})
	}
}

// To answer for another agent than the named one would be wrong.
func TestUnknownHost(t *testing.T) {
	_, err := Parse("c.yaml", []byte("agent:\n  host: claude\n"))
	if want := "c.yaml:2:9: agent.host: claude is not one of ai-sdk, claude-code, codex, copilot-cli, fastmcp, hermes-2026-06, hermes-2026-09, livekit, mastra, pi"; err == nil || err.Error() != want {
		t.Errorf("got %v, want %s", err, want)
	}
	if err := new(File).Override(KeyHost, "claude"); err == nil {
		t.Error("a flag is taken")
	}
}
