package config

import (
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"caliper/model"
	"caliper/model/require"
)

// TestLaterVectors: whole files, and the settings that the later agent has for them.
func TestLaterVectors(t *testing.T) {
	var file struct {
		Cases []struct {
			YAML string
			Want struct {
				Enabled      Mode            `json:"enabled"`
				ThresholdPct float64         `json:"threshold_pct"`
				DefaultLimit int             `json:"search_default_limit"`
				MaxLimit     int             `json:"max_search_limit"`
				Listing      Mode            `json:"listing"`
				ListingMost  int             `json:"listing_max_tokens"`
				Defer        json.RawMessage `json:"defer"`
				DeferWarning bool            `json:"defer_warning"`
			}
			Surprising bool
			Note       string
		}
	}
	readVectors(t, "testdata/config_september.json", &file)
	if len(file.Cases) != 212 {
		t.Fatalf("%d cases, want 212", len(file.Cases))
	}
	for i, c := range file.Cases {
		t.Run(fmt.Sprintf("%d %s", i, c.Note), func(t *testing.T) {
			f, err := Parse("config.yaml", []byte(c.YAML))
			if over := f.Override(KeyGeneration, string(September2026)); over != nil {
				t.Fatal(over)
			}
			want := ToolSearch{Generation: September2026, Enabled: c.Want.Enabled, ThresholdPct: c.Want.ThresholdPct, DefaultLimit: c.Want.DefaultLimit,
				MaxLimit: c.Want.MaxLimit, Ranker: RankerGated, Meaning: Default().ToolSearch.Meaning, LearnOver: RankerHybrid, Listing: c.Want.Listing, ListingMost: c.Want.ListingMost}
			if f.ToolSearch != want {
				t.Errorf("%q:\n got %+v\nwant %+v", c.YAML, f.ToolSearch, want)
			}
			deferred := slices.Clone(curatedDefer)
			if string(c.Want.Defer) != `"default"` {
				deferred = nil
				require.NoError(t, json.Unmarshal(c.Want.Defer, &deferred))
			}
			if !slices.Equal(f.Defer, deferred) {
				t.Errorf("%q: defer\n got %q\nwant %q", c.YAML, f.Defer, deferred)
			}
			warned := 0
			for _, w := range f.Warnings {
				if w.Path == KeyDefer && w.Code == "not_a_list" {
					warned++
				}
			}
			if (warned == 1) != c.Want.DeferWarning {
				t.Errorf("%q: %d warnings about defer", c.YAML, warned)
			}
			if c.Surprising && err == nil && len(f.Warnings) == 0 {
				t.Errorf("%q: surprising, and nothing is said about it", c.YAML)
			}
			checkFile(t, f, err)
		})
	}
}

// A setting that only the later generation reads selects it, unless the file or
// a flag names another.
func TestGeneration(t *testing.T) {
	for _, c := range []struct {
		name, yaml, flag string
		want             Generation
		note             string // a part of the setting's note
		code             string // of the only warning; empty for none
	}{
		{name: "empty", want: June2026},
		{name: "named", yaml: "tools: {tool_search: {generation: september-2026}}", want: September2026},
		{name: "listing", yaml: "tools: {tool_search: {listing: off}}", want: September2026, note: KeyListing},
		{name: "size of the listing", yaml: "tools: {tool_search: {listing_max_tokens: 900}}", want: September2026, note: KeyListingMost},
		{name: "defer", yaml: "tools: {tool_search: {defer: []}}", want: September2026, note: KeyDefer},
		{name: "null says nothing", yaml: "tools: {tool_search: {listing: null}}", want: June2026, code: "not_read"},
		{name: "june by name", yaml: "tools: {tool_search: {generation: june-2026, listing: off}}", want: June2026, code: "not_read"},
		{name: "unknown word", yaml: "tools: {tool_search: {generation: sept}}", want: June2026, code: "unknown_generation"},
		{name: "unknown word beside a listing", yaml: "tools: {tool_search: {generation: sept, listing: on}}", want: September2026, note: KeyListing, code: "unknown_generation"},
		{name: "flag before the file", yaml: "tools: {tool_search: {generation: june-2026}}", flag: string(September2026), want: September2026},
		{name: "flag before a listing", yaml: "tools: {tool_search: {listing: off}}", flag: string(June2026), want: June2026, code: "not_read"},
	} {
		t.Run(c.name, func(t *testing.T) {
			f, err := Parse("c.yaml", []byte(c.yaml))
			require.NoError(t, err)
			if c.flag != "" {
				require.NoError(t, f.Override(KeyGeneration, c.flag))
			}
			if f.ToolSearch.Generation != c.want {
				t.Errorf("generation %s, want %s", f.ToolSearch.Generation, c.want)
			}
			s := f.setting(KeyGeneration)
			if s.Value != string(c.want) || !strings.Contains(s.Note, c.note) {
				t.Errorf("setting %+v", s)
			}
			var codes []string
			for _, w := range f.Warnings {
				if w.Code != "context_unknown" {
					codes = append(codes, w.Code)
				}
			}
			if want := strings.Fields(c.code); !slices.Equal(codes, want) {
				t.Errorf("warnings %q, want %q", codes, want)
			}
			listed := slices.ContainsFunc(f.Settings, func(s Setting) bool { return s.Key == KeyListing })
			if listed != (c.want == September2026) {
				t.Errorf("the listing is among the settings: %t", listed)
			}
		})
	}
	if err := new(File).Override(KeyGeneration, "july"); err == nil {
		t.Error("an unknown generation is taken from a flag")
	}
}

// What holds without a model is said of the generation that is active.
func TestUnknownContextOfGeneration(t *testing.T) {
	for g, want := range map[Generation]string{June2026: "activates at 20000", September2026: "10000 at most"} {
		f, err := Parse("c.yaml", []byte("tools: {tool_search: {generation: "+string(g)+"}}\n"))
		if err != nil || len(f.Warnings) != 1 || !strings.Contains(f.Warnings[0].Message, want) {
			t.Errorf("%s: %v %v", g, err, f.Warnings)
		}
	}
}

// TestDeferredNames: an item that is no text is named as Python writes it.
func TestDeferredNames(t *testing.T) {
	for yaml, want := range map[string][]string{
		"[b, ' a ', b, '']": {"a", "b"}, "[1_0, +7, 0x1f, 1.0, .inf, -.INF, .nan, yes, 2026-01-02]": {"-inf", "10", "1.0", "2026-01-02", "31", "7", "True", "inf", "nan"},
		"[[1, [], x, 'it''s'], {a: {b: no, c: 2.5}, 1: [2]}]": {`[1, [], 'x', "it's"]`, "{'a': {'b': False, 'c': 2.5}, 1: [2]}"},
		"!!set {b, a}": {"a", "b"}, "[]": {}, "x": nil, "[[null, 2026-01-02, .inf]]": {"[None, 2026-01-02, inf]"}, "[99999999999999999999, 0xFFFFFFFFFFFFFFFFFF, -0x8000000000000001, 9223372036854775808, 07777777777777777777777777]": {"99999999999999999999", "4722366482869645213695", "-9223372036854775809", "9223372036854775808", "37778931862957161709567"}, "[1:10]": {"70"}, "[010, -0x1f, -7]": {"-31", "-7", "8"},
	} {
		f, err := Parse("c.yaml", []byte("tools: {tool_search: {generation: september-2026, defer: "+yaml+"}}"))
		require.NoError(t, err)
		if want == nil {
			want = curatedDefer
		}
		slices.Sort(want)
		if !slices.Equal(f.Defer, want) {
			t.Errorf("%s: %q, want %q", yaml, f.Defer, want)
		}
	}
	deep := strings.Repeat("[", 53) + strings.Repeat("]", 53)
	f, _ := Parse("c.yaml", []byte("tools: {tool_search: {generation: september-2026, defer: "+deep+"}}"))
	if want := strings.Repeat("[", 51) + "..." + strings.Repeat("]", 51); len(f.Defer) != 1 || f.Defer[0] != want {
		t.Errorf("nested too deep: %q", f.Defer)
	}
}

// TestSectionsThatAreRead: which keys of a file count, down to those of a section that the
// agent has, too.
func TestSectionsThatAreRead(t *testing.T) {
	for yaml, want := range map[string]string{
		"model: x": "model-", "model: {default: x}": "model+ model.default+", "agent: {disabled_toolsets: [a], verbose: 1}": "agent+ agent.disabled_toolsets+ agent.verbose-", "agent: {verbose: 1}": "agent-",
		"sessions: {auto_prune: true}": "sessions- sessions.auto_prune-", "sessions: {auto_prune: true, x: {enabled_toolsets: [a]}}": "sessions+ sessions.auto_prune- sessions.x+", "sessions: {x: {enabled_toolsets: [a]}}": "sessions+",
		"mcp_servers: {a: {enabled: no, tools: {include: [], x: 1}, y: 1}}": "mcp_servers+ mcp_servers.a+ mcp_servers.a.enabled+ mcp_servers.a.tools+ mcp_servers.a.tools.include+ mcp_servers.a.tools.x- mcp_servers.a.y-",
		"other: {a: 1}": "other-",
	} {
		f, err := Parse("c.yaml", []byte(yaml))
		require.NoError(t, err)
		var got []string
		for _, s := range f.Sections {
			got = append(got, s.Key+map[bool]string{true: "+", false: "-"}[s.Read])
		}
		if strings.Join(got, " ") != want {
			t.Errorf("%s: %q", yaml, got)
		}
	}
}

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

var update = flag.Bool("update", false, "rewrite the golden file of warnings")

// june returns the settings of tool search as the June agent has them.
func june(enabled Mode, pct float64, limit, most int) ToolSearch {
	t := Default().ToolSearch
	t.Enabled, t.ThresholdPct, t.DefaultLimit, t.MaxLimit = enabled, pct, limit, most
	return t
}

func TestVectors(t *testing.T) {
	for i, c := range vectorCases(t, "testdata") {
		t.Run(fmt.Sprintf("%d %s", i, c.Note), func(t *testing.T) {
			f, err := Parse("config.yaml", []byte(c.YAML))
			want := june(Mode(c.Want.Enabled), c.Want.ThresholdPct, c.Want.SearchDefaultLimit, c.Want.MaxSearchLimit)
			if f.ToolSearch != want {
				t.Errorf("%q:\n got %+v\nwant %+v", c.YAML, f.ToolSearch, want)
			}
			if c.Surprising && err == nil && len(f.Warnings) == 0 {
				t.Errorf("%q: surprising, and nothing is said about it", c.YAML)
			}
			checkFile(t, f, err)
		})
	}
}

// TestVectorWarnings compares the warnings about every vector with a golden
// file: input, then one line for each diagnostic.
func TestVectorWarnings(t *testing.T) {
	var b strings.Builder
	for _, c := range vectorCases(t, "testdata") {
		fmt.Fprintf(&b, "%.120q\n", c.YAML)
		f, err := Parse("", []byte(c.YAML))
		list := f.Warnings
		if err != nil {
			var d model.Diagnostic
			if !errors.As(err, &d) {
				t.Fatalf("%q: error %T", c.YAML, err)
			}
			list = append(list, d)
		}
		for _, d := range list {
			fmt.Fprintf(&b, "\t%s [%s]\n", d.Error(), d.Code)
		}
	}
	name := filepath.Join("testdata", "vectors.golden")
	if *update {
		require.NoError(t, os.WriteFile(name, []byte(b.String()), 0o644))
	}
	want, err := os.ReadFile(name)
	require.NoError(t, err)
	got := strings.Split(b.String(), "\n")
	for i, line := range strings.Split(string(want), "\n") {
		if i >= len(got) || got[i] != line {
			t.Fatalf("%s:%d:\n got %q\nwant %q", name, i+1, got[min(i, len(got)-1)], line)
		}
	}
	if b.String() != string(want) {
		t.Fatalf("%s: output goes on after its end", name)
	}
}

func TestCoreList(t *testing.T) {
	if n := len(Default().Core); n != 49 {
		t.Errorf("%d names, want 49", n)
	}
	data, err := os.ReadFile("../../shared/registries/hermes_core_names.json")
	if err != nil {
		t.Skip("the list is not here")
	}
	var want []string
	require.NoError(t, json.Unmarshal(data, &want))
	if got := Default().Core; !slices.Equal(got, want) {
		t.Errorf("got %q\nwant %q", got, want)
	}
}

// vectorCase is one file of testdata/config.json and what the reference agent makes
// of it.
type vectorCase struct {
	YAML string
	Want struct {
		Enabled            string  `json:"enabled"`
		ThresholdPct       float64 `json:"threshold_pct"`
		SearchDefaultLimit int     `json:"search_default_limit"`
		MaxSearchLimit     int     `json:"max_search_limit"`
	}
	Surprising bool
	Note       string
}

// vectorCases returns the cases of a folder of test data.
func vectorCases(t testing.TB, testdata string) []vectorCase {
	t.Helper()
	var file struct{ Cases []vectorCase }
	readVectors(t, testdata+"/config.json", &file)
	if len(file.Cases) != 84 {
		t.Fatalf("%d cases, want 84", len(file.Cases))
	}
	return file.Cases
}

// readVectors decodes a file of test data.
func readVectors(t testing.TB, name string, into any) {
	t.Helper()
	data, err := os.ReadFile(name)
	if err == nil {
		err = json.Unmarshal(data, into)
	}
	require.NoError(t, err)
}
