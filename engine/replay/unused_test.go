package replay

import (
	"fmt"
	"testing"
	"time"

	"caliper/engine/transcript"
	"caliper/model/require"
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
	found := search("bellows")
	found.Lookup.Hits, found.Lookup.Expanded = []string{"mcp__shop__polish_bellows0"}, []string{"mcp__shop__polish_bellows0"}
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
