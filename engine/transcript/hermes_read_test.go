package transcript

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"caliper/model/require"
)

// readHermes reads one file.
func readHermes(t testing.TB, path, text string) Log {
	t.Helper()
	r := new(HermesReader)
	require.NoError(t, r.Read(t.Context(), strings.NewReader(text), path))
	return r.Log()
}

// export returns an exported session of rows.
func export(rows ...string) string {
	return `{"id":"s","model":"m","system_prompt":"be brief","started_at":1.5,"input_tokens":7,"cache_read_tokens":5,"cache_write_tokens":2,"output_tokens":1,"messages":[` + strings.Join(rows, ",") + `]}`
}

func row(at float64, role, content, more string) string {
	return fmt.Sprintf(`{"role":%q,"content":%q,"timestamp":%g%s}`, role, content, at, more)
}

func calls(id, tool, args string) string {
	return fmt.Sprintf(`,"tool_calls":[{"id":%q,"type":"function","function":{"name":%q,"arguments":%q}}]`, id, tool, args)
}

const (
	inactive  = `,"active":0,"compacted":0`
	compacted = `,"active":0,"compacted":1`
)

// shownHermes writes the entries: kind, parent, and C for a copy.
func shownHermes(c Context) string {
	var b strings.Builder
	for _, e := range c.Entries {
		fmt.Fprintf(&b, "%s%d", []string{"u", "s", "a", "r", "S"}[e.Kind], e.Parent)
		if e.Copy {
			b.WriteByte('C')
		}
		b.WriteByte(' ')
	}
	return strings.TrimSpace(b.String())
}

func TestHermesHistories(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		rows []string
		want string
	}{
		"in a row": {[]string{row(1, "user", "u", ""), row(2, "assistant", "", calls("c", "t", "{}")), row(3, "tool", "r", `,"tool_call_id":"c"`)}, "s-1 u0 a1 r2"},
		"taken back": {[]string{row(1, "user", "u", ""), row(2, "assistant", "x", inactive), row(3, "user", "v", inactive), row(4, "assistant", "y", "")},
			"s-1 u0 a1 u2 a1"},
		"compacted, nothing kept": {[]string{row(1, "user", "u", compacted), row(2, "assistant", "x", compacted), row(3, "user", "sum", ""), row(4, "assistant", "y", "")},
			"s-1 u0 a1 S0 a3"},
		"compacted, the tail is written again": {[]string{row(1, "user", "u", compacted), row(2, "assistant", "x", compacted), row(3, "user", "v", compacted),
			row(9, "user", "sum", ""), row(2, "assistant", "x", ""), row(3, "user", "v", ""), row(10, "assistant", "y", "")},
			"s-1 u0 a1 u2 S0 a4C u5C a6"},
		"compacted twice": {[]string{row(1, "user", "u", compacted), row(2, "assistant", "x", compacted),
			row(9, "user", "sum", compacted), row(2, "assistant", "x", compacted), row(10, "user", "v", compacted), row(11, "assistant", "y", compacted),
			row(12, "user", "sum of it", ""), row(11, "assistant", "y", ""), row(13, "user", "w", "")},
			"s-1 u0 a1 S0 a3C u4 a5 S0 a7C u8"},
		"a summary of the model's role": {[]string{row(1, "user", "u", compacted), row(3, "assistant", "sum", ""), row(4, "user", "v", "")}, "s-1 u0 S0 u2"},
		"the same words twice":          {[]string{row(1, "user", "u", ""), row(1, "user", "u", "")}, "s-1 u0 u1"},
		"a result without a call":       {[]string{row(1, "user", "u", ""), row(1, "tool", "r", `,"tool_call_id":"c"`), row(2, "assistant", "x", "")}, "s-1 u0 a1"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := readHermes(t, "e.jsonl", export(c.rows...)).Sessions[0]
			if got := shownHermes(s.Contexts[0]); got != c.want {
				t.Errorf("got  %s\nwant %s", got, c.want)
			}
		})
	}
}

func TestSumsExcludeTheCache(t *testing.T) {
	t.Parallel()
	s := readHermes(t, "e.jsonl", export(row(1, "user", "u", ""))).Sessions[0]
	if *s.Sums != (Usage{Input: 7, CacheRead: 5, CacheWrite: 2, Output: 1}) || s.Sums.Total() != 14 || s.Started.UnixMilli() != 1500 {
		t.Errorf("got %+v, %v", s.Sums, s.Started)
	}
	if s := readHermes(t, "e.jsonl", `{"id":"s","messages":[`+row(1, "user", "u", "")+`]}`).Sessions[0]; s.Sums != nil {
		t.Errorf("a session that counted nothing has sums %+v", s.Sums)
	}
	if s := readHermes(t, "e.jsonl", `{"id":"s","input_tokens":99999999999999,"messages":[`+row(1, "user", "u", "")+`]}`).Sessions[0]; s.Sums != nil {
		t.Errorf("a session has sums that nobody can have counted: %+v", s.Sums)
	}
}

// A part that is left out of a session is found by the line on which the session begins.
func TestLinesOfWhatIsLeftOut(t *testing.T) {
	t.Parallel()
	text := "\n" + export(row(1, "user", "u", ""), row(1, "tool", "r", `,"tool_call_id":"c"`))
	log := readHermes(t, "e.jsonl", text+"\n"+strings.TrimSpace(text))
	want := []Skipped{{File: "e.jsonl", Line: 2, What: "result without a call", Count: 2}, {File: "e.jsonl", Line: 3, What: "copy of a session", Count: 1}}
	if !slices.Equal(log.Skipped, want) {
		t.Errorf("got %+v", log.Skipped)
	}
}

func TestIdsOfCallsRepeat(t *testing.T) {
	t.Parallel()
	s := readHermes(t, "e.jsonl", export(
		row(1, "assistant", "", calls("0", "one", "{}")), row(2, "tool", "fine", `,"tool_call_id":"0"`),
		row(3, "assistant", "", calls("0", "two", "{}")), row(4, "tool", `{"error":"refused"}`, `,"tool_call_id":"0"`))).Sessions[0]
	e := s.Contexts[0].Entries
	if e[2].CallEntry != 1 || e[4].CallEntry != 3 || e[1].Request.Calls[0].Failed || !e[3].Request.Calls[0].Failed {
		t.Errorf("got %+v", e)
	}
}

func TestBridgeIsTakenOff(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		tool, args, want string
		kind             CallKind
	}{
		{"tool_search", `{"query":"a b"}`, "tool_search [a b] []", Search},
		{"tool_search", `{"queries":["a","b"]}`, "tool_search [a b] []", Search},
		{"tool_describe", `{"name":"x"}`, "tool_describe [] [x]", Describe},
		{"tool_describe", `{"names":["x","y"]}`, "tool_describe [] [x y]", Describe},
		{"ToolSearch", `{"query":"select:x,y"}`, "ToolSearch [] [x y]", Describe},
		{"tool_call", `{"name":"mcp_a_b","arguments":{}}`, "mcp_a_b [] []", Use},
		{"tool_call", `not JSON`, "tool_call [] []", Use},
		{"Tool_Call", `{"name":"x"}`, "Tool_Call [] []", Use},
	} {
		s := readHermes(t, "e.jsonl", export(row(1, "assistant", "", calls("0", c.tool, c.args)))).Sessions[0]
		call := s.Contexts[0].Entries[1].Request.Calls[0]
		if got := fmt.Sprint(call.Tool, call.Asked().Queries, call.Asked().Names); got != strings.Replace(c.want, " ", "", 1) && got != c.want || call.Kind != c.kind {
			t.Errorf("%s %s: got %s, %v", c.tool, c.args, got, call.Kind)
		}
		if n := call.Size.Chars[Schema]; n != len(c.tool+c.args) {
			t.Errorf("%s %s: %d characters", c.tool, c.args, n)
		}
	}
}

func TestGateway(t *testing.T) {
	t.Parallel()
	log := readHermes(t, "sessions/g1.jsonl", "\xef\xbb\xbf"+strings.Join([]string{
		`{"role":"session_meta","model":"m","tools":[{"name":"a"}, {"name": "b"}],"timestamp":"2026-09-20T16:20:42.030000"}`,
		`{"role":"user","content":[{"type":"text","text":"hi"}],"timestamp":"2026-09-20T16:20:52.457000"}`, ``,
		`{"role":"assistant","content":"x","timestamp":"2026-09-20T16:20:52.457000"}`, `{"role":"ass`}, "\r\n"))
	s := log.Sessions[0]
	if s.ID != "g1" || s.Model != "m" || len(s.Arrays) != 1 || string(s.Arrays[0].Definitions[1]) != `{"name":"b"}` || shownHermes(s.Contexts[0]) != "u-1 a0" {
		t.Errorf("got %+v", s)
	}
	if r := s.Contexts[0].Entries[1].Request; r.Tools != 0 || r.Model != "m" || r.Usage != nil {
		t.Errorf("got %+v", r)
	}
	if want := (Skipped{File: "sessions/g1.jsonl", Line: 5, What: "torn", Count: 1}); !slices.Equal(log.Skipped, []Skipped{want}) {
		t.Errorf("skipped %+v", log.Skipped)
	}
}

func TestDumps(t *testing.T) {
	t.Parallel()
	messages := `[{"role":"user","content":"hi"},{"role":"assistant","content":"x"}]`
	for name, text := range map[string]string{
		"session": `{"session_id":"d","model":"m","session_start":"2026-09-20T16:20:42","system_prompt":"p","tools":[{"name":"a"}],"messages":` + messages + `}`,
		"request": `{"timestamp":"2026-09-20T16:20:42","session_id":"d","system_prompt":"p","request":{"body":{"model":"m","tools":[{"name":"a"}],"messages":` + messages + `}}}`,
		"no id":   `{"model":"m","timestamp":"2026-09-20T16:20:42","system_prompt":"p","tools":[{"name":"a"}],"messages":` + messages + `}`,
	} {
		s := readHermes(t, "session_d.json", strings.ReplaceAll(text, `,"`, ",\n\""))
		if len(s.Sessions) != 1 || s.Sessions[0].ID != "d" || s.Sessions[0].Model != "m" || len(s.Sessions[0].Arrays) != 1 || s.Sessions[0].Started.IsZero() || shownHermes(s.Sessions[0].Contexts[0]) != "s-1 u0 a1" {
			t.Errorf("%s: got %+v", name, s)
		}
	}
}

func TestOneSessionInManyFiles(t *testing.T) {
	t.Parallel()
	r := new(HermesReader)
	for _, f := range [][2]string{
		{"s.jsonl", `{"role":"session_meta","tools":[{"name":"a"}]}` + "\n" + `{"role":"assistant","content":"x"}` + "\n"},
		{"e.jsonl", export(row(1, "user", "u", ""), row(2, "assistant", "x", ""))},
	} {
		require.NoError(t, r.Read(t.Context(), strings.NewReader(f[1]), f[0]))
	}
	log := r.Log()
	if len(log.Sessions) != 1 || log.Sessions[0].Sums == nil || len(log.Sessions[0].Arrays) != 1 || log.Sessions[0].Contexts[0].Entries[2].Request.Tools != 0 {
		t.Errorf("got %+v", log)
	}
}

// TestInvariants holds whatever rows there are.
func TestInvariants(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		one := rapid.Custom(func(t *rapid.T) string {
			more := rapid.SampledFrom([]string{"", inactive, compacted}).Draw(t, "state")
			at := float64(rapid.IntRange(0, 5).Draw(t, "at"))
			id := rapid.SampledFrom([]string{"0", "1"}).Draw(t, "id")
			switch rapid.IntRange(0, 3).Draw(t, "kind") {
			case 0:
				return row(at, "user", id, more)
			case 1:
				return row(at, "assistant", id, more)
			case 2:
				return row(at, "assistant", "", calls(id, "t", "{}")+more)
			}
			return row(at, "tool", "r", fmt.Sprintf(`,"tool_call_id":%q`, id)+more)
		})
		text := export(rapid.SliceOfN(one, 1, 30).Draw(t, "rows")...)
		r := new(HermesReader)
		require.NoError(t, r.Read(t.Context(), strings.NewReader(text), "x"))
		check(t, r.Log())
	})
}

type fataler interface{ Fatalf(string, ...any) }

// check holds the invariants of package transcript.
func check(t fataler, log Log) {
	for _, s := range log.Sessions {
		for _, c := range s.Contexts {
			for i, e := range c.Entries {
				if e.Parent < None || e.Parent >= i {
					t.Fatalf("entry %d has the parent %d", i, e.Parent)
				}
				if (e.Kind == Answer) != (e.Request != nil) {
					t.Fatalf("entry %d of kind %d: request %v", i, e.Kind, e.Request)
				}
				if e.Request != nil && e.Request.Tools >= len(s.Arrays) {
					t.Fatalf("entry %d has no array %d", i, e.Request.Tools)
				}
				if e.Kind == Result && (e.CallEntry >= i || e.Call >= len(c.Entries[e.CallEntry].Request.Calls)) {
					t.Fatalf("entry %d has no call", i)
				}
			}
		}
	}
}

func FuzzHermes(f *testing.F) {
	f.Add([]byte(export(row(1, "user", "u", compacted), row(2, "assistant", "", calls("c", "tool_call", `{"name":"x"}`)), row(3, "tool", "r", `,"tool_call_id":"c"`))))
	f.Add([]byte(`{"role":"session_meta","tools":[{"name":"a"}]}` + "\r\n" + `{"role":"user","content":[{"type":"text","text":"\ud800"}]}`))
	f.Add([]byte("[{\"session_id\":\"d\",\n\"request\":{\"body\":{\"messages\":[{\"role\":\"user\"}]}}}]"))
	f.Fuzz(func(t *testing.T, data []byte) {
		r := new(HermesReader)
		require.NoError(t, r.Read(t.Context(), strings.NewReader(string(data)), "x"))
		check(t, r.Log())
	})
}
