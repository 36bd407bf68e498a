package engine

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"caliper/config"
	"caliper/engine/internal/fixture"
	"caliper/model"
	"caliper/model/require"
	"caliper/model/shapes"
)

// faultRegistry has a core tool, deferred tools with parameters, and a tool that
// session narrow does not have.
const faultRegistry = `{"toolsets": {"mcp-dock": {"source": "mcp", "server": "dock"}, "mcp-vault": {"source": "mcp", "server": "vault"}},
"tools": [
	{"type":"function","function":{"name":"terminal","description":"Run.","parameters":{"type":"object","properties":{"command":{"type":"string"}},"required":["command"]}},"toolset":"terminal"},
	{"type":"function","function":{"name":"mcp__dock__open_berth","description":"Open a berth.","parameters":{"type":"object","properties":{"ship":{"type":"string","minLength":2},"metres":{"type":"integer","minimum":3},"note":{"type":"string"}},"required":["ship","metres"],"additionalProperties":false}},"toolset":"mcp-dock"},
	{"type":"function","function":{"name":"mcp__dock__list_ships","description":"List ships.","parameters":{"type":"object","properties":{}}},"toolset":"mcp-dock"},
	{"type":"function","source":"mcp","server":"dock","original_name":"leave-harbour","function":{"name":"mcp__dock__cast_off","description":"Cast off.","parameters":{"type":"object","properties":{"rope":{"type":"string"}},"required":["rope"]}},"toolset":"mcp-dock"},
	{"type":"function","function":{"name":"mcp__vault__open_berths","description":"Open the safe.","parameters":{"type":"object","properties":{}}},"toolset":"mcp-vault"}]}`

// faultSnapshot returns a snapshot of session narrow, in which the bridge is active.
func faultSnapshot(t *testing.T, g config.Generation) *Snapshot {
	t.Helper()
	f, err := config.Parse("c.yaml", []byte("tools: {tool_search: {enabled: on, generation: "+string(g)+"}}\n"+
		"sessions: {narrow: {enabled_toolsets: [terminal, dock]}}\npolicy: [{match: mcp__dock__list_ships, action: deny}]\n"))
	require.NoError(t, err)
	registry := fixture.Parse(t, []byte(faultRegistry))
	return built(t, Inputs{Registry: registry, Config: f.Config, Strict: true})
}

// Each fault of the field has one next call, which a program that sends it as it
// stands gets through with.
func TestCorrections(t *testing.T) {
	const berth = `"mcp__dock__open_berth"`
	inside := func(name, args string) map[config.Generation]string {
		return map[config.Generation]string{
			config.June2026:      `{"name":` + name + `,"arguments":` + args + `}`,
			config.September2026: `{"calls":[{"name":` + name + `,"arguments":` + args + `}]}`,
		}
	}
	both := func(args string) map[config.Generation]string {
		return map[config.Generation]string{config.June2026: args, config.September2026: args}
	}
	for _, c := range []struct {
		fault string
		tool  string // that the model calls
		args  map[config.Generation]string
		kind  CorrectionKind
		next  string // name of the tool, and what its arguments hold
		holds string
	}{
		{"a core tool through the bridge", ToolCall, inside(`"terminal"`, `{"command":"ls"}`), CorrectDirectly, "terminal", `{"command":"ls"}`},
		{"a core tool without arguments", ToolCall, inside(`"terminal"`, `{}`), "", "", ""},
		{"arguments that are not JSON", ToolCall, inside(berth, `"{ship: Ada"`), CorrectDescribe, ToolDescribe, berth},
		{"arguments that are no object", ToolCall, inside(berth, `[1]`), CorrectDescribe, ToolDescribe, berth},
		{"a nested call", ToolCall, inside(`"tool_call"`, `{"name":`+berth+`,"arguments":{"ship":"Ada","metres":9}}`), CorrectBridge, ToolCall, `{"ship":"Ada","metres":9}`},
		{"a nested call of the later form", ToolCall, inside(`"tool_call"`, `{"calls":[{"name":`+berth+`,"arguments":{"ship":"Ada","metres":9}}]}`), CorrectBridge, ToolCall, `{"ship":"Ada","metres":9}`},
		{"a nested search", ToolCall, inside(`"tool_search"`, `{"query":"open a berth"}`), CorrectSearch, ToolSearch, "open a berth"},
		{"a nested description", ToolCall, inside(`"tool_describe"`, `{"name":`+berth+`}`), CorrectDescribe, ToolDescribe, berth},
		{"no name", ToolCall, inside(`""`, `{"ship":"Ada"}`), CorrectSearch, ToolSearch, ""},
		{"no name, which is in the arguments", ToolCall, inside(`""`, `{"name":`+berth+`,"arguments":{"ship":"Ada","metres":9}}`), CorrectBridge, ToolCall, berth},
		{"nothing at all", ToolCall, both(`{}`), CorrectSearch, ToolSearch, ""},
		{"a text that is not JSON", ToolCall, both(`"{name"`), CorrectSearch, ToolSearch, ""},
		{"a blind call", ToolCall, inside(berth, `{}`), CorrectDescribe, ToolDescribe, berth},
		{"a call with one argument that fits", ToolCall, inside(berth, `{"ship":"Ada","metres":1,"colour":"red","note":"x"}`), CorrectDescribe, ToolDescribe, berth},
		{"a number where a text is wanted", ToolCall, inside(berth, `{"ship":77,"metres":9}`), CorrectArguments, ToolCall, `{"ship":"77","metres":9}`},
		{"an unknown name like a known", ToolCall, inside(`"dock_open_berths"`, `{"ship":"Ada","metres":9}`), CorrectDescribe, ToolDescribe, berth},
		{"a name in other letters", ToolCall, inside(`"MCP dock-open_berth"`, `{"ship":"Ada","metres":9}`), CorrectName, ToolCall, berth},
		{"a deferred name in capitals", ToolCall, inside(`"MCP__DOCK__OPEN_BERTH"`, `{"ship":"Ada","metres":9}`), CorrectName, ToolCall, berth},
		{"an unknown name", ToolCall, inside(`"paint_lighthouse"`, `{}`), CorrectSearch, ToolSearch, "paint lighthouse"},
		{"a deferred name called directly", "mcp__dock__open_berth", both(`{"ship":"Ada","metres":9}`), CorrectBridge, ToolCall, berth},
		{"a deferred name called directly and blindly", "mcp__dock__open_berth", both(`{}`), CorrectDescribe, ToolDescribe, berth},
		{"an unknown name called directly", "dock_open_berth", both(`{"ship":"Ada","metres":9}`), CorrectName, ToolCall, berth},
		{"a name out of scope", ToolCall, inside(`"mcp__vault__open_berths"`, `{}`), "", "", ""},
		{"calls with the arguments alone", ToolCall, both(`{"calls":[{"ship":"Ada","metres":9}]}`), CorrectSearch, ToolSearch, "ship metres"},
		{"calls with the bridge's own arguments", ToolCall, both(`{"calls":[{"query":"a","queries":[],"names":[],"ship":"Ada"}]}`), CorrectSearch, ToolSearch, `"ship"`},
		{"calls of nothing", ToolCall, both(`{"calls":[]}`), CorrectSearch, ToolSearch, "what the tool should do"},
		{"calls of no objects", ToolCall, both(`{"calls":[7]}`), CorrectSearch, ToolSearch, "what the tool should do"},
		{"calls of a name", ToolCall, both(`{"calls":["mcp__dock__open_berth"]}`), CorrectDescribe, ToolDescribe, berth},
		{"calls in a text", ToolCall, both(`{"calls":"[{\"name\":\"mcp__dock__open_berth\",\"arguments\":{}}]"}`), CorrectDescribe, ToolDescribe, berth},
		{"its server's own name", ToolCall, inside(`"leave harbour"`, `{}`), CorrectDescribe, ToolDescribe, `"mcp__dock__cast_off"`},
		{"keys in other letters", ToolCall, both(`{"Name":"mcp__dock__open_berth","Arguments":{"ship":"Ada"}}`), CorrectSearch, ToolSearch, "what the tool should do"},
		{"queries of the other generation", ToolSearch, map[config.Generation]string{config.June2026: `{"queries":[7,"open a berth"]}`, config.September2026: `{"query":"open a berth"}`}, CorrectSearch, ToolSearch, `"open a berth"`},
		{"names of the other generation, of which one is deferred", ToolDescribe, map[config.Generation]string{config.June2026: `{"names":["paint_lighthouse",` + berth + `]}`, config.September2026: `{"name":["paint_lighthouse",` + berth + `]}`}, CorrectDescribe, ToolDescribe, berth},
		{"a search without a query", ToolSearch, both(`{}`), CorrectSearch, ToolSearch, ""},
	} {
		for _, g := range []config.Generation{config.June2026, config.September2026} {
			s := faultSnapshot(t, g)
			trace := s.Direct(c.tool, json.RawMessage(c.args[g]))
			switch {
			case trace.Authorized:
				t.Errorf("%s, %s: authorized: %s", c.fault, g, trace.ModelSees)
				continue
			case trace.Correction == nil:
				if c.kind != "" {
					t.Errorf("%s, %s: no correction of %s", c.fault, g, trace.Code)
				}
				continue
			}
			call := trace.Correction.Call
			if !strings.Contains(string(call.JSON()), `"name":"`+call.Name+`"`) {
				t.Errorf("%s, %s: as JSON the call is %s", c.fault, g, call.JSON())
			}
			if c.kind != "" && (trace.Correction.Kind != c.kind || call.Name != c.next || !strings.Contains(string(call.Arguments), c.holds)) {
				t.Errorf("%s, %s: %s %s, want %s %s with %s", c.fault, g, trace.Correction.Kind, call.JSON(), c.kind, c.next, c.holds)
			}
			if strings.Contains(string(call.JSON())+string(trace.ModelSees), "vault") && !strings.Contains(c.args[g], "vault") {
				t.Errorf("%s, %s: names what is out of scope: %s", c.fault, g, trace.ModelSees)
			}
			var seen struct {
				Next NextCall `json:"next_call"`
			}
			require.NoError(t, json.Unmarshal(trace.ModelSees, &seen))
			if again := s.Direct(seen.Next.Name, seen.Next.Arguments); !again.Authorized {
				t.Errorf("%s, %s: %s is refused as well: %s", c.fault, g, call.JSON(), again.Message)
			}
		}
	}
}

// What was written and cannot be sent as it is is said once, and at most five of it.
func TestCorrectionSaysWhy(t *testing.T) {
	for n, ends := range map[int]string{0: "", 1: `b0: not inside "arguments"`, 5: `; b4: not inside "arguments"`, 6: `; b4: not inside "arguments"; and 1 more`, 7: `; and 2 more`} {
		beside := ""
		for i := range n {
			beside += fmt.Sprintf(`,"b%d":1`, i)
		}
		got := faultSnapshot(t, config.June2026).Direct(ToolCall, json.RawMessage(`{"name":"MCP__DOCK__OPEN_BERTH","arguments":{"ship":"Ada","metres":9}`+beside+`}`))
		if got.Correction == nil || strings.Contains(got.Message, "; its arguments do not fit: ") != (n > 0) || !strings.HasSuffix(got.Message, ends) {
			t.Errorf("%d beside the arguments: %s", n, got.Message)
		}
	}
	for n, want := range map[int]string{1: `: calls[1]: not inside`, 2: `: calls[1] to calls[2]: not inside`} { // of a batch, sent to the generation without
		call := `{"name":"mcp__dock__open_berth","arguments":{"ship":"Ada","metres":9}}`
		got := faultSnapshot(t, config.June2026).Direct(ToolCall, json.RawMessage(`{"calls":[`+call+strings.Repeat(","+call, n)+`]}`))
		if !strings.Contains(got.Message, want) {
			t.Errorf("%d more calls: %s", n, got.Message)
		}
	}
	got := faultSnapshot(t, config.June2026).Direct(ToolCall, json.RawMessage(`{"name":"mcp__dock__open_berth","arguments":{"ship":"Ada","metres":1}}`))
	if strings.Count(got.Message, "metres") != 1 || strings.Contains(got.Message, "do not fit:") || got.Authorized {
		t.Errorf("of arguments that do not fit: %s", got.Message)
	}
	got = faultSnapshot(t, config.June2026).Call("", json.RawMessage(`{"name":"mcp__dock__open_berth","arguments":{"ship":"Ada","metres":9}}`))
	if got.Correction == nil || got.Correction.Kind != CorrectBridge {
		t.Errorf("of a call in the arguments of none: %+v", got.Correction)
	}
}

// A correction runs nothing where the agent would not send the arguments as they are.
func TestCorrectionOfWhatTheAgentConverts(t *testing.T) {
	for _, property := range []string{`true`, `{"type":["number","string"]}`} {
		got := toolSnapshot(t, `{"type":"object","properties":{"v":`+property+`}}`, false, false).Call("MCP-Reef-Dive", json.RawMessage(`{"v":"9007199254740993.5"}`))
		if got.Correction == nil || got.Correction.Kind != CorrectDescribe {
			t.Errorf("%s: %+v", property, got.Correction)
		}
	}
}

// The search for a wrong name finds something wherever one of its words does, also
// under a ranker that finds nothing for a query with a word that no tool has.
func TestCorrectedSearchFinds(t *testing.T) {
	for _, c := range []struct{ name, june, september string }{
		{"mcp__pier__paint_ships", "mcp pier paint ships", "ships"},
		{"paint_berth_of_ships", "paint berth of ships", "berth ships"},
		{"paint_lighthouse", "paint lighthouse", "paint lighthouse"},
	} {
		for g, want := range map[config.Generation]string{config.June2026: c.june, config.September2026: c.september} {
			s := faultSnapshot(t, g)
			if got := s.correctSearch(c.name).Call; string(got.Arguments) != string(s.asking(ToolSearch, want).Arguments) {
				t.Errorf("%s, %s: %s, want %s", c.name, g, got.JSON(), want)
			}
		}
	}
	var entries []string
	words := []string{"anchor", "buoy", "cable", "davit"}
	for _, word := range words {
		entries = append(entries, fixture.Entry(word, "", "mcp-x"))
	}
	c := fixture.Config(func(c *config.Config) { c.ToolSearch.Ranker = config.RankerGated })
	s := built(t, Inputs{Registry: fixture.Registry(t, entries...), Config: c})
	if got := s.correctSearch(strings.Join(words, "_")).Call.Arguments; !strings.Contains(string(got), `"davit"`) { // no tool has two of the four
		t.Errorf("words of four tools: %s", got)
	}
}

// Each name that tool_describe does not describe has a next call that gets through,
// alone and beside a name that it describes.
func TestNameCorrections(t *testing.T) {
	for _, c := range []struct {
		name  string // that is described
		kind  CorrectionKind
		next  string
		holds string
	}{
		{"dock_open_berths", CorrectDescribe, ToolDescribe, "mcp__dock__open_berth"},
		{"paint_lighthouse", CorrectSearch, ToolSearch, "paint lighthouse"},
		{"mcp__vault__open_berths", CorrectDescribe, ToolDescribe, "mcp__dock__open_berth"}, // out of scope
		{"tool_search", CorrectSearch, ToolSearch, "tool search"},
	} {
		for form, g := range map[string]config.Generation{`{"name":%q}`: config.June2026, `{"names":[%q]}`: config.September2026, `{"names":["mcp__dock__list_ships",%q]}`: config.September2026} {
			s, args := faultSnapshot(t, g), json.RawMessage(fmt.Sprintf(form, c.name))
			trace := s.Direct(ToolDescribe, args)
			answer, ok := s.Bridge(ToolDescribe, args)
			type asks struct {
				Next NextCall `json:"next_call"`
			}
			var seen struct {
				asks
				Errors map[string]asks
				Others map[string]NextCall `json:"next_calls"`
			}
			require.NoError(t, json.Unmarshal(answer, &seen))
			next, found := seen.Others[c.name]
			if !found {
				next = seen.Errors[c.name].Next
			}
			got := trace.Correction
			if g == config.June2026 {
				next = seen.Next
			} else if len(trace.Corrections) == 1 && trace.Corrections[0].Name == c.name {
				got = &trace.Corrections[0].Correction
			}
			if got == nil || got.Kind != c.kind || ok && g == config.June2026 {
				t.Errorf("%s: %+v, %+v, the bridge %s", args, got, trace.Corrections, answer)
				continue
			}
			for _, call := range []NextCall{got.Call, next} {
				if call.Name != c.next || !strings.Contains(string(call.Arguments), c.holds) || strings.Contains(string(call.JSON()), "vault") {
					t.Errorf("%s: %s, want %s with %s", args, call.JSON(), c.next, c.holds)
				}
				if again := s.Direct(call.Name, call.Arguments); !again.Authorized || len(again.Corrections) > 0 {
					t.Errorf("%s: %s does not get through: %s", args, call.JSON(), again.ModelSees)
				}
			}
		}
	}
}

// A tool that is only described is never run in its place.
func TestDescribingRunsNothing(t *testing.T) {
	for _, name := range []string{"terminal", "Terminal"} {
		june := faultSnapshot(t, config.June2026).Direct(ToolDescribe, json.RawMessage(`{"name":"`+name+`"}`))
		later := faultSnapshot(t, config.September2026).Direct(ToolDescribe, json.RawMessage(`{"names":["`+name+`"]}`))
		if june.Correction != nil || len(later.Corrections) > 0 || strings.Contains(string(june.ModelSees)+string(later.ModelSees), "next_call") {
			t.Errorf("%s: %s, %s", name, june.ModelSees, later.ModelSees)
		}
	}
}

// What the policy denies has no other call, and neither has what would be denied.
func TestNoCorrection(t *testing.T) {
	for _, g := range []config.Generation{config.June2026, config.September2026} {
		s := faultSnapshot(t, g)
		for _, call := range []Trace{s.Call("mcp__dock__list_ships", nil), s.Direct("mcp__dock__list_ships", nil)} {
			if call.Authorized || call.Correction != nil {
				t.Errorf("%s: %s %+v", g, call.Code, call.Correction)
			}
		}
		if call := s.Call("mcp__dock__open_berth", json.RawMessage(`{"ship":"Ada","metres":9}`)); !call.Authorized || call.Correction != nil {
			t.Errorf("%s: %s %+v", g, call.Code, call.Correction)
		}
	}
}

// The agent of september-2026 tells the names of all servers for an unknown one. The
// trace says so, and the model is told none of them.
func TestLeakedNames(t *testing.T) {
	call := faultSnapshot(t, config.September2026).Call("open_berths", nil)
	if len(call.Leaked) != 1 || call.Leaked[0] != "mcp__vault__open_berths" || strings.Contains(string(call.ModelSees), "vault") {
		t.Errorf("%q: %s", call.Leaked, call.ModelSees)
	}
	if len(call.Instead) != 1 || call.Instead[0] != "mcp__dock__open_berth" {
		t.Errorf("instead %q", call.Instead)
	}
	if call := faultSnapshot(t, config.June2026).Call("open_berths", nil); len(call.Leaked) > 0 || len(call.Instead) > 0 {
		t.Errorf("june: %q, instead %q", call.Leaked, call.Instead)
	}
}

// In september-2026 tools that are sent before any search are called directly, and so is the bridge.
func TestWhatIsSentIsCalledDirectly(t *testing.T) {
	in := faultSnapshot(t, config.September2026).Inputs()
	in.Config.Selection, in.Config.PreSelection.Exclude = config.SelectHybrid, []string{"mcp__dock__list_ships"}
	s := built(t, in)
	if got := s.Call("mcp__dock__open_berth", json.RawMessage(`{"ship":"Ann","metres":7}`)); got.Code != CodeDirectlyListed || got.Authorized {
		t.Errorf("a tool that is sent: %s at %s: %s", got.Code, got.Gate, got.Message)
	}
	if got := s.Call("mcp__dock__open_berth", json.RawMessage(`{"ship":"Ann","metres":"7"}`)); got.Code != CodeDirectlyListed || len(got.Coerced) > 0 {
		t.Errorf("arguments of a call that reaches no tool: %s, coerced %v", got.Code, got.Coerced)
	}
	inputs := gateInputs(t, "wide")
	inputs.Config.ToolSearch.Generation = config.September2026
	s = built(t, inputs)
	if answer, _ := s.Bridge(ToolDescribe, json.RawMessage(`{"names":["tool_search"]}`)); !strings.Contains(string(answer), CodeDirectlyListed) {
		t.Errorf("the bridge, which a tool of the registry has the name of: %s", answer)
	}
}

// The one tool is found whose name at its server differs in capitals and separators alone.
func TestSpelledLike(t *testing.T) {
	in := faultSnapshot(t, config.June2026).Inputs()
	var err error
	if in.Registry, err = shapes.Parse(t.Context(), model.Source{Name: "r.json", Data: []byte(strings.ReplaceAll(faultRegistry, `"toolset":"mcp-dock"`, `"toolset":"mcp-dock","server":"dock"`))}); err != nil {
		t.Fatal(err)
	}
	s := built(t, in)
	for name, want := range map[string]string{"Open Berth": "mcp__dock__open_berth", "dockOpenBerth": "mcp__dock__open_berth", "TERMINAL": "terminal", "open-berths": "", "": "", "berth": ""} {
		got := ""
		if found := s.spelledLike(name); found != nil {
			got = found.Name
		}
		if got != want {
			t.Errorf("%q is spelled like %q, want %q", name, got, want)
		}
	}
}

// Calls that are nested in each other are opened eight times.
func TestNestedCalls(t *testing.T) {
	for depth := range 11 {
		raw := json.RawMessage(`{"name":"terminal","arguments":{"command":"ls"}}`)
		for range depth {
			raw = json.RawMessage(`{"name":"tool_call","arguments":` + string(raw) + `}`)
		}
		want := "terminal"
		if depth >= 8 {
			want = ToolCall
		}
		if got := insideOf(written{name: ToolCall, raw: raw}); got.name != want {
			t.Errorf("inside of %d calls is %s, want %s", depth+1, got.name, want)
		}
	}
}

// TestParametersThatAreNoSchema: the agent converts by the parameters as they are written, so that a list in
// their place fails every call with an argument.
func TestParametersThatAreNoSchema(t *testing.T) {
	registry := fixture.Parse(t, []byte(`{"tools":[{"type":"function","toolset":"lamp","function":{"name":"lamp_on","description":"On.","parameters":[7]}},{"type":"function","toolset":"lamp","function":{"name":"lamp_off","description":"Off.","parameters":{"type":"object"}}}]}`))
	s := built(t, Inputs{Registry: registry, Config: config.Default()})
	if got := s.Direct("lamp_on", json.RawMessage(`{"room":"hall"}`)); got.Authorized || got.Code != CodeCoercion {
		t.Errorf("%s: %s", got.Code, got.Message)
	}
	if got := s.Direct("lamp_off", json.RawMessage(`{"room":"hall"}`)); !got.Authorized {
		t.Errorf("%s: %s", got.Code, got.Message)
	}
}
