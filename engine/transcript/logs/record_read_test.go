package logs

import (
	"fmt"
	"reflect"
	"strings"
	"testing"

	"caliper/engine/transcript"
	"caliper/model/require"
)

// recordRead reads the files of a record.
func recordRead(t testing.TB, files ...string) transcript.Log {
	t.Helper()
	r := new(RecordReader)
	for i, text := range files {
		require.NoError(t, r.Read(t.Context(), strings.NewReader(text), fmt.Sprint("record", i)))
	}
	return r.Log()
}

// event returns an event of a kind on a connection, without a number.
func eventLine(connection, kind, more string) string {
	return fmt.Sprintf(`{"v":1,"time":"2026-09-20T10:00:00.5Z","session":"work","connection":%q,"kind":%q%s}`, connection, kind, more) + "\n"
}

// recordNumbered returns an event with its number.
func recordNumbered(n int, event string) string {
	return strings.Replace(event, `"v":1,`, fmt.Sprintf(`"v":1,"seq":%d,`, n), 1)
}

// shown writes what was read: of each call its tool, what it asked and whether it failed.
func shown(log transcript.Log) string {
	var b strings.Builder
	for _, s := range log.Sessions {
		fmt.Fprintf(&b, "%s:", s.ID)
		for _, e := range s.Contexts[0].Entries {
			if e.Request == nil {
				continue
			}
			c := e.Request.Calls[0]
			fmt.Fprintf(&b, " %s%v%v", c.Tool, c.Asked().Queries, c.Asked().Names)
			if c.Failed {
				b.WriteByte('!')
			}
		}
		b.WriteString("; ")
	}
	for _, s := range log.Skipped {
		fmt.Fprintf(&b, "%s:%d %s %d; ", s.File, s.Line, s.What, s.Count)
	}
	return strings.TrimSuffix(b.String(), "; ")
}

func TestEvents(t *testing.T) {
	t.Parallel()
	search := eventLine("1", "search", `,"request":{"query":"boats"},"hits":[{"name":"a","rank":1}]`)
	call := eventLine("1", "call", `,"request":{"name":"a"},"real_name":"mcp__s__a"`)
	for name, c := range map[string]struct {
		files []string
		want  string
	}{
		"a search and a call":   {[]string{search + call}, "work/1: tool_search[boats][] mcp__s__a[][]"},
		"more queries than one": {[]string{eventLine("1", "search", `,"request":{"queries":["a","b",3]}`)}, "work/1: tool_search[a b][]"},
		"a description":         {[]string{eventLine("1", "describe", `,"request":{"names":["a"]}`)}, "work/1: tool_describe[][a]"},
		"refused":               {[]string{eventLine("1", "call", `,"request":{"name":"a"},"code":"denied_by_policy"`)}, "work/1: a[][]!"},
		"failed":                {[]string{eventLine("1", "call", `,"request":{"name":"a"},"error":{"code":3}`)}, "work/1: a[][]!"},
		"stopped at a gate":     {[]string{eventLine("1", "call", `,"request":{"name":"a"},"trace":[{"gate":"scope","verdict":"fail"}]`)}, "work/1: a[][]!"},
		"no fault":              {[]string{eventLine("1", "call", `,"request":{"name":"a"},"error":null,"code":"","trace":[{"gate":"scope","verdict":"warn"}]`)}, "work/1: a[][]"},
		"what is no call":       {[]string{eventLine("1", "connect", "") + eventLine("1", "list", "") + eventLine("1", "fetch", "")}, "work/1: rescuer_fetch[][]; record0:1 connect 1; record0:2 list 1"},
		"two clients at a time": {[]string{search + eventLine("2", "search", `,"request":{"query":"cars"}`) + call}, "work/1: tool_search[boats][] mcp__s__a[][]; work/2: tool_search[cars][]"},
		"passed":                {[]string{eventLine("1", "call", `,"request":{"name":"a"},"code":"ok","verdict":"pass","error":false`)}, "work/1: a[][]"},
		"verdict":               {[]string{eventLine("1", "call", `,"request":{"name":"a"},"verdict":"fail"`)}, "work/1: a[][]!"},
		"result is an error":    {[]string{eventLine("1", "call", `,"request":{"name":"a"},"verdict":"failed"`)}, "work/1: a[][]!"},
		"withdrawn":             {[]string{eventLine("1", "call", `,"request":{"name":"a"},"verdict":"gone"`)}, "work/1: a[][]!"},
		"dry run":               {[]string{eventLine("1", "call", `,"request":{"name":"a"},"verdict":"dry_run"`)}, "work/1: a[][]"},
		"allowed by a person":   {[]string{eventLine("1", "call", `,"request":{"name":"a"},"verdict":"pass","trace":[{"gate":"policy","verdict":"fail"}]`)}, "work/1: a[][]"},
		"overlapping calls":     {[]string{recordNumbered(2, call) + recordNumbered(1, search)}, "work/1: mcp__s__a[][] tool_search[boats][]"},
		"a server starts again": {[]string{recordNumbered(1, search) + strings.Replace(recordNumbered(1, eventLine("1", "connect", "")), ":00.5Z", ":07Z", 1) + strings.Replace(recordNumbered(2, call), ":00.5Z", ":09Z", 1)},
			"work/1: tool_search[boats][]; work/1#2: mcp__s__a[][]; record0:2 connect 1"},
		"one connection of two sessions": {[]string{search + strings.Replace(search, `"work"`, `"home"`, 1)}, "work/1: tool_search[boats][]; home/1: tool_search[boats][]"},
		"names with slashes":             {[]string{strings.Replace(eventLine("c", "fetch", ""), `"work"`, `"a/b"`, 1) + strings.Replace(eventLine("b/c", "fetch", ""), `"work"`, `"a"`, 1)}, "a/b/c: rescuer_fetch[][]; a/b/c: rescuer_fetch[][]"},
		"rotated":                        {[]string{search, call}, "work/1: tool_search[boats][] mcp__s__a[][]"},
		"a later version":                {[]string{strings.Replace(search, `"v":1`, `"v":2`, 1)}, "record0:1 unknown 1"},
		"killed while writing":           {[]string{search + call[:40]}, "work/1: tool_search[boats][]; record0:2 torn 1"},
		"copied":                         {[]string{recordNumbered(1, search) + recordNumbered(2, call) + recordNumbered(2, call), recordNumbered(1, search) + recordNumbered(3, call)}, "work/1: tool_search[boats][] mcp__s__a[][] mcp__s__a[][]; record0:3 repeated 1; record1:1 repeated 1"},
		"foreign":                        {[]string{"{}\n[]\nx\n"}, "record0:1 unknown 1; record0:2 not JSON 2"},
		"neither name nor number":        {[]string{strings.NewReplacer(`"session":"work",`, "", `"connection":"1",`, "").Replace(search)}, "record0: tool_search[boats][]"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			if got := shown(recordRead(t, c.files...)); got != c.want {
				t.Errorf("got  %s\nwant %s", got, c.want)
			}
		})
	}
}

func TestSizes(t *testing.T) {
	t.Parallel()
	text := eventLine("1", "call", `,"request":{"name":"a"},"tokens":{"request":10,"response":25},"result":{"chars":90,"tokens":25}`)
	e := recordRead(t, text).Sessions[0].Contexts[0].Entries
	if e[0].Size.Chars[transcript.Schema] != 40 || e[1].Size.Chars[transcript.Output] != 90 || e[1].Size.Tokens != 0 || e[1].Parent != 0 || e[0].Time.Nanosecond() != 5e8 {
		t.Errorf("got %+v", e)
	}
	rescued := recordRead(t, eventLine("1", "call", `,"request":{"name":"a"},"tokens":{"request":10,"response":25},"result":{"chars":90000,"tokens":22000,"rescued":true,"blob":"b1"}`))
	if got := rescued.Sessions[0].Contexts[0].Entries[1].Size.Chars[transcript.Output]; got != 100 {
		t.Errorf("the client was sent %d characters of a result that was rescued", got)
	}
	r := &RecordReader{Options: transcript.Options{Count: func(string) int { return 0 }}}
	require.NoError(t, r.Read(t.Context(), strings.NewReader(text), "x"))
	if e := r.Log().Sessions[0].Contexts[0].Entries; e[0].Size.Tokens != 10 || e[1].Size.Tokens != 25 {
		t.Errorf("got %+v", e)
	}
}

// What a search found is known by the names of its hits.
func TestHits(t *testing.T) {
	t.Parallel()
	for more, want := range map[string][]string{
		`,"hits":[{"name":"b","rank":1,"score":2},{"name":7},3,{"name":"a","rank":2}]`: {"b", "a"},
		`,"hits":[]`:   nil,
		`,"hits":null`: nil,
		``:             nil,
	} {
		got := recordRead(t, eventLine("1", "search", `,"request":{"query":"boats"}`+more)).Sessions[0].Contexts[0].Entries[0].Request.Calls[0].Asked().Hits
		if !reflect.DeepEqual(got, want) {
			t.Errorf("%s: hits %q, want %q", more, got, want)
		}
	}
}

func FuzzRecordRead(f *testing.F) {
	f.Add([]byte(eventLine("1", "search", `,"request":{"queries":["a"]}`) + eventLine("1", "call", `,"request":{"name":"a"},"tokens":{"request":1e9}`)))
	f.Add([]byte(eventLine("", "describe", `,"request":[],"trace":{},"error":{}`)))
	f.Fuzz(func(t *testing.T, data []byte) {
		for _, s := range recordRead(t, string(data)).Sessions {
			for i, e := range s.Contexts[0].Entries {
				if e.Parent != i-1 || (e.Request != nil) != (i%2 == 0) || e.Size.AllChars() < 0 {
					t.Fatalf("entry %d: %+v", i, e)
				}
			}
		}
	})
}

// TestSessionsRest: connections that go on in the next file, and begin again, are the same
// sessions whether they are packed between or not.
func TestSessionsRest(t *testing.T) {
	var text strings.Builder
	for i := range 60 {
		connection, kind := "a", "search"
		if i/13%2 == 1 {
			connection = "b"
		}
		if i%40 == 0 {
			kind = "connect"
		}
		fmt.Fprintf(&text, `{"v":1,"time":"2026-09-20T10:00:00Z","seq":%d,"session":"work","connection":"%s","kind":"%s","request":{"query":"q%d"},"tokens":{"request":5,"response":9}}`+"\n", i+1, connection, kind, i)
	}
	read := func(pack bool) (log transcript.Log, packed int) {
		r := &RecordReader{Options: transcript.Options{Pack: pack}}
		for i, line := range strings.SplitAfter(text.String(), "\n") {
			require.NoError(t, r.Read(t.Context(), strings.NewReader(line), fmt.Sprint("log", i)))
		}
		log = r.Log()
		for i := range log.Sessions {
			if log.Sessions[i].Packed != nil {
				packed++
			}
			log.Sessions[i].Unpack()
		}
		return log, packed
	}
	want, _ := read(false)
	got, packed := read(true)
	if !reflect.DeepEqual(got, want) {
		t.Errorf("%d sessions, want %d; or their entries differ", len(got.Sessions), len(want.Sessions))
	}
	if packed != 3 || len(want.Sessions) != 3 {
		t.Errorf("%d of %d sessions are packed", packed, len(want.Sessions))
	}
}
