package replay

import (
	"context"
	"fmt"
	"math"
	"strings"
	"testing"
	"time"

	"caliper/config"
	"caliper/engine"
	"caliper/engine/transcript"
	"caliper/model"
	"caliper/model/require"
	"caliper/model/shapes"
)

// TestUnused: a tool that was sent in full costs its definition, and one that was listed costs its line.
// A tool that a search found costs its definition from there on, and one that left is counted until
// then. A tool that no request shows is not observed. A tool that was called is not unused.
func TestUnused(t *testing.T) {
	s := workshop(t, 4)
	tool := func(name string) []byte {
		return []byte(fmt.Sprintf(`{"name":%q,"description":"x","input_schema":{"type":"object"}}`, name))
	}
	w, when := tell(), time.Date(2026, 9, 1, 23, 59, 0, 0, time.UTC)
	w.user("polish")
	found := answeredWith("bellows", "mcp__shop__polish_bellows0")
	found.Lookup.Expanded = found.Lookup.Hits
	for i, calls := range [][]transcript.Call{{use("mcp__shop__polish_kettle0")}, {found}, nil, nil} {
		at := w.answer(2000, 1000*min(1, i), calls...)
		w.entries[at].Request.Tools, w.entries[at].Time = i/3, when.Add(time.Duration(i)*time.Minute)
	}
	session := w.session("sable")
	session.Arrays = []transcript.ToolArray{{Definitions: [][]byte{tool("mcp__shop__polish_kettle0"), tool("mcp__shop__polish_lathe0")}}, {Definitions: [][]byte{tool("mcp__shop__polish_kettle0")}}}
	session.Contexts[0].Lists = []transcript.Listing{{Entry: 1, Names: []string{"mcp__shop__polish_bellows0"}}}
	rep, err := Run(t.Context(), Inputs{Sessions: []transcript.Session{session, {ID: "silent", Agent: transcript.Hermes, Contexts: []transcript.Context{{}}}}, Snapshot: s, Prices: sable(t)})
	require.NoError(t, err)
	u := rep.Unused
	if u.Sessions != 2 || u.Silent != 1 {
		t.Errorf("%d sessions, %d silent", u.Sessions, u.Silent)
	}
	got := map[string]UnusedTool{}
	for _, of := range u.Servers {
		for _, tool := range of.Unused {
			got[tool.Tool.Name] = tool
		}
	}
	if _, used := got["mcp__shop__polish_kettle0"]; used || len(got) != 5 {
		t.Errorf("%d unused tools: %v", len(got), got)
	}
	lathe, bellows, anvil := got["mcp__shop__polish_lathe0"], got["mcp__shop__polish_bellows0"], got["mcp__shop__polish_anvil0"]
	if def := lathe.ATurn(); lathe.Requests != 3 || lathe.Sessions != 1 || def < 20 || def > 40 {
		t.Errorf("a tool that left after 3 requests: %+v", lathe.Evidence)
	}
	if cost := lathe.ATurn() * (5 + 0.4 + 0.4) / 1e6; lathe.Cost == nil || *lathe.Cost < cost*0.999 || *lathe.Cost > cost*1.001 {
		t.Errorf("written once and read twice: %v, want %v", lathe.Cost, cost)
	}
	line, def := float64(len("mcp__shop__polish_bellows0\n"))/4, float64(bellows.Schema)
	if want := 4*line + 2*def; bellows.Requests != 4 || bellows.tokens < want-2 || bellows.tokens > want+2 {
		t.Errorf("listed in 4 requests, in full in 2: %+v, want %v tokens", bellows.Evidence, want)
	}
	if anvil.Observed() || anvil.Cost != nil || anvil.Schema == 0 || bellows.Days() != 2 {
		t.Errorf("nobody saw it: %+v", anvil)
	}
}

// TestThere: a tool is there from the request that names it on, in settings, in a list or in an answer of a search,
// and no longer once a list says that it is gone. Definitions in an answer cost from there on.
func TestThere(t *testing.T) {
	const kettle, lathe, anvil, bellows = "mcp__shop__polish_kettle0", "mcp__shop__polish_lathe0", "mcp__shop__polish_anvil0", "mcp__shop__polish_bellows0"
	w := tell()
	w.user("polish")
	w.answer(2000, 0, answeredWith("bellows", bellows))
	for range 3 {
		w.answer(2000, 0)
	}
	for i := range w.entries {
		if r := w.entries[i].Request; r != nil {
			r.Settings = 1
		}
	}
	w.entries[2].Size = transcript.Measure("definitions", transcript.Schema, nil)
	session := w.session("sable")
	session.Settings = []transcript.Settings{transcript.SettingsOf(map[string]string{transcript.ToolSetting + kettle: "1"})}
	session.Contexts[0].Lists = []transcript.Listing{{Entry: 1, Names: []string{lathe, anvil}}, {Entry: 4, Gone: []string{lathe}}}
	rep := report(t, workshop(t, 4), session)
	for _, of := range rep.Unused.Servers {
		for _, u := range of.Unused {
			line := float64(len(u.Tool.Name+"\n")) / 4
			want, ok := map[string]struct {
				requests int
				tokens   float64
			}{kettle: {4, 4 * float64(u.Schema)}, lathe: {2, 2 * line}, anvil: {4, 4 * line}, bellows: {4, 3 * float64(u.Schema)}}[u.Tool.Name]
			if ok && (u.Requests != want.requests || math.Abs(u.tokens-want.tokens) > 2) {
				t.Errorf("%s: %d requests, %v tokens, want %+v", u.Tool.Name, u.Requests, u.tokens, want)
			}
			if u.Tokens != round(u.tokens) || ok && u.Tokens == 0 {
				t.Errorf("%s: %d tokens of %v", u.Tool.Name, u.Tokens, u.tokens)
			}
		}
	}
	if rep.Unused.Silent != 0 {
		t.Error("its log names tools")
	}
}

// TestUnusedSums: what was observed counts, and the rest is told apart.
func TestUnusedSums(t *testing.T) {
	one, two := 1.0, 2.0
	seen, unseen := UnusedTool{Evidence: Evidence{Requests: 1}}, UnusedTool{}
	u := Unused{Servers: []UnusedServer{
		{Calls: 1, Evidence: Evidence{Tokens: 5, Cost: &one}, Unused: []UnusedTool{seen, seen, unseen}},
		{Evidence: Evidence{Tokens: 7, Cost: &two}, Unused: []UnusedTool{unseen}},
		{Evidence: Evidence{Tokens: 9}},
	}}
	tools, all := u.Observed()
	if tools != 2 || all.Tokens != 21 || *all.Cost != 3 {
		t.Errorf("%d tools, %+v", tools, all)
	}
	for i, want := range []struct {
		idle   bool
		unseen int
	}{{false, 1}, {true, 1}, {true, 0}} {
		if s := &u.Servers[i]; s.Idle() != want.idle || s.Unseen() != want.unseen {
			t.Errorf("server %d: idle %v, %d unseen", i, s.Idle(), s.Unseen())
		}
	}
	at := func(text string) time.Time {
		when, err := time.Parse(time.RFC3339, text)
		require.NoError(t, err)
		return when
	}
	for _, c := range []struct {
		first, last time.Time
		days        int
	}{
		{time.Time{}, time.Time{}, 0},
		{at("2026-09-01T00:00:00Z"), at("2026-09-01T23:59:59Z"), 1},
		{at("2026-09-01T23:59:59Z"), at("2026-09-02T00:00:00Z"), 2},
		{at("2026-09-01T01:00:00+02:00"), at("2026-09-01T03:00:00+02:00"), 2}, // by the days of UTC
	} {
		if e := (Evidence{First: c.first, Last: c.last}); e.Days() != c.days {
			t.Errorf("%v to %v: %d days, want %d", c.first, c.last, e.Days(), c.days)
		}
	}
	if e := (Evidence{tokens: 9, Requests: 2}); e.ATurn() != 4.5 || (&Evidence{tokens: 9}).ATurn() != 9 {
		t.Errorf("%v a turn", e.ATurn())
	}
	s := Searching{Needs: 2, Searches: 5, Both: 1, OwnAlone: 2, RankerAlone: 4, Nobody: 8}
	if s.PerNeed() != 2.5 || s.Compared() != 15 || new(Searching).PerNeed() != 0 {
		t.Errorf("%v a need, %d compared", s.PerNeed(), s.Compared())
	}
	if (Call{}).Searched() || !(Call{Searches: []string{"q"}}).Searched() {
		t.Error("searched")
	}
}

// TestDefinedBy: the tools that logs define, each as it was sent last; names that no log defines
// are tools with nothing but a name.
func TestDefinedBy(t *testing.T) {
	t.Parallel()
	array := func(definitions ...string) (a transcript.ToolArray) {
		for _, d := range definitions {
			a.Definitions = append(a.Definitions, []byte(d))
		}
		return a
	}
	agent := transcript.Session{Agent: transcript.Claude,
		Listed: []transcript.Listed{{Name: "CronList"}, {Name: "mcp__a__b", Definition: []byte(`{"name":"mcp__a__b","description":"old","input_schema":{}}`)}, {Name: "tool_search"}},
		Arrays: []transcript.ToolArray{array(`{"name":"Bash","input_schema":{}}`, `{"name":"mcp__a__b","description":"new","input_schema":{}}`, `{"name":"mcp__a__full","input_schema":{}}`, `{"name":"WebFetch","input_schema":{},"defer_loading":true}`)}}
	found := transcript.Session{Agent: transcript.Claude, Listed: []transcript.Listed{{Name: "WebFetch"}}, Arrays: agent.Arrays}
	requests := transcript.Session{Agent: transcript.OpenAI, Arrays: []transcript.ToolArray{
		array(`{"type":"function","function":{"name":"one"}}`, `{"type":"function","name":"two","parameters":null}`, `{"type":"web_search"}`, `{"type":"computer_20250124","name":"computer"}`),
		array(`{"type":"namespace","name":"mcp__s","tools":[{"type":"function","name":"three","parameters":{}}]}`, `{"name":"tool_call","parameters":{}}`),
		array(`{"type":"custom","name":"four"}`, `{"type":"custom","custom":{"name":"five"}}`, `{"type":"mcp_toolset","mcp_server_name":"x","tools":[{"name":"six","input_schema":{}}]}`)}}
	for _, c := range []struct {
		name     string
		sessions []transcript.Session
		want     string
		names    int
	}{
		{"of an agent", []transcript.Session{agent}, "CronList mcp__a__b:new mcp__a__full", 1},
		{"one that was found later", []transcript.Session{agent, found}, "CronList mcp__a__b:new mcp__a__full WebFetch", 1},
		{"of requests", []transcript.Session{requests}, "one two three four five six", 0},
		{"names alone", []transcript.Session{{Agent: transcript.Claude, Listed: []transcript.Listed{{Name: "CronList"}}}}, "", 0},
		{"nothing", nil, "", 0},
	} {
		d := DefinedBy(c.sessions)
		got := ""
		if d.Registry != nil {
			reg, err := shapes.Parse(t.Context(), model.Source{Name: "logs", Data: d.Registry})
			if err != nil {
				t.Fatalf("%s: %v", c.name, err)
			}
			for i, tool := range reg.Tools {
				if i > 0 {
					got += " "
				}
				if got += tool.Name; tool.Description != "" {
					got += ":" + tool.Description
				}
			}
		}
		if got != c.want || d.Names != c.names {
			t.Errorf("%s: %q, %d names; want %q, %d", c.name, got, d.Names, c.want, c.names)
		}
	}
}

// Tools are found by the names that each client logs, whatever name the registry has.
func TestFind(t *testing.T) {
	long := "read_" + strings.Repeat("meters_", 9) + "now"
	const schema = `"parameters":{"type":"object"}`
	registry, err := shapes.Parse(context.Background(), model.Source{Name: "dump.json", Data: []byte(`{"toolsets":{},"tools":[
		{"type":"function","function":{"name":"mcp__quay__` + long[:44] + `_0a1b2c3d",` + schema + `},"toolset":"mcp-quay","server":"quay","original_name":"` + long + `"},
		{"type":"function","function":{"name":"mcp_quay_moor_ship",` + schema + `},"toolset":"mcp-quay","server":"quay","original_name":"moor-ship"},
		{"type":"function","function":{"name":"moor_ship",` + schema + `},"toolset":"quay"}]}`)},
		model.Source{Name: "request.json", Data: []byte(`{"model":"m","input":[],"tools":[
			{"type":"namespace","name":"mcp__lanes","tools":[{"type":"function","name":"list_lanes",` + schema + `}]},
			{"type":"namespace","name":"desk","tools":[{"type":"function","name":"ring",` + schema + `}]}]}`)})
	require.NoError(t, err)
	f, err := config.Parse("c.yaml", []byte("sessions: {default: {}}\n"))
	require.NoError(t, err)
	s, err := engine.Build(context.Background(), engine.Inputs{Registry: registry, Config: f.Config})
	require.NoError(t, err)
	r, err := begin(t.Context(), Inputs{Snapshot: s})
	require.NoError(t, err)
	cut := "mcp__quay__" + long // as Codex cuts it, with a hash of what is gone
	cut = cut[:56]
	for _, tt := range []struct{ client, logged, want string }{
		{"Claude Code, which cuts nothing", "mcp__quay__" + long, long},
		{"Copilot CLI", "quay-moor-ship", "moor-ship"},
		{"OpenCode", "quay_moor-ship", "moor-ship"},
		{"Goose", "quay__moor-ship", "moor-ship"},
		{"the later agent", "mcp__quay__moor_ship", "moor-ship"},
		{"a tool that has the name itself", "moor_ship", ""},
		{"Codex, a namespace of a server", "mcp__lanes__list_lanes", "list_lanes"},
		{"Responses, a namespace", "desk__ring", ""},
		{"Codex, cut", cut + "9f8e7d6c", long},
		{"cut, with a longer hash", cut[:50] + "0a1b2c9f8e7d6c", long},
		{"too short to be cut", cut[:55] + "9f8e7d6c", "nothing"},
		{"cut, with no hash", cut + "9f8e7d6x", "nothing"},
		{"nobody", "mcp__desk__ring", "nothing"},
	} {
		got := "nothing"
		if tool := r.catalog.find(tt.logged); tool != nil {
			got = tool.OriginalName
		}
		if got != tt.want {
			t.Errorf("%s: %s is %q, want %q", tt.client, tt.logged, got, tt.want)
		}
	}
}
