package whatif

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"caliper/config"
	"caliper/engine"
	"caliper/engine/internal/fixture"
	"caliper/model"
	"caliper/model/jsontree"
	"caliper/model/require"
	"caliper/model/shapes"
)

func ptr[T any](v T) *T { return &v }

// handmade returns a tool of a function object.
func handmade(function string) *model.Tool {
	return &model.Tool{Name: "horn", Function: []byte(function)}
}

func TestEditFunction(t *testing.T) {
	const whole = `{ "name": "horn",
	"description": "Blow \u00e9 <b>.", "x": [1, {"name": "no"}], "parameters" : {"type":"object"} }`
	tests := []struct {
		name, from string
		edit       Edit
		want       string // begins with "error:" for an error
	}{
		{"nothing", whole, Edit{}, whole},
		{"name", whole, Edit{Name: ptr("whistle")}, strings.Replace(whole, `"horn"`, `"whistle"`, 1)},
		{"description", whole, Edit{Description: ptr("Say \"toot\"\n & <go>.")},
			strings.Replace(whole, `"Blow \u00e9 <b>."`, `"Say \"toot\"\n & <go>."`, 1)},
		{"parameters", whole, Edit{Parameters: json.RawMessage(" {} ")}, strings.Replace(whole, `{"type":"object"}`, `{}`, 1)},
		{"all", `{"parameters":{},"description":"","name":"a"}`,
			Edit{Name: ptr("b"), Description: ptr("c"), Parameters: json.RawMessage(`{"d":1}`)},
			`{"parameters":{"d":1},"description":"c","name":"b"}`},
		{"all missing but the name", `{"strict":true,"name":"a", "x":0}`,
			Edit{Name: ptr("b"), Description: ptr("c"), Parameters: json.RawMessage(`{}`)},
			`{"strict":true,"name":"b","description":"c","parameters":{}, "x":0}`},
		{"parameters behind the description", `{"name":"a","description":null}`, Edit{Parameters: json.RawMessage(`{}`)},
			`{"name":"a","description":null,"parameters":{}}`},
		{"no name", `{"x":1}`, Edit{Description: ptr("c")}, "error: function of horn: description: missing"},
		{"no object", `[]`, Edit{}, "error: function of horn: want an object"},
		{"not JSON", `{"name":`, Edit{}, "error: function of horn: unexpected end of JSON input"},
		{"parameters that are no object", whole, Edit{Parameters: json.RawMessage(`[]`)}, "error: parameters of horn: not a JSON object"},
		{"parameters that are nothing", whole, Edit{Parameters: json.RawMessage(``)}, "error: parameters of horn: not a JSON object"},
	}
	for _, tt := range tests {
		tt.edit.Tool = handmade(tt.from)
		got, err := tt.edit.Function()
		text := string(got)
		if err != nil {
			text = "error: " + err.Error()
		}
		if tt.name == "not JSON" && strings.HasPrefix(text, "error: function of horn: ") {
			continue
		}
		if text != tt.want {
			t.Errorf("%s:\n got %s\nwant %s", tt.name, text, tt.want)
		}
	}
}

// An edit says nothing that is not JSON, and what it does not name stays.
func FuzzEditFunction(f *testing.F) {
	f.Add(`{"name":"a","description":"b","parameters":{"x":[1,2]},"y":null}`, "name", "text", `{"z":1}`)
	f.Add(`{"name" : "\u0061", "x":{"name":1}}`, "", "\xff\u2028", `{ }`)
	f.Fuzz(func(t *testing.T, function, name, description, parameters string) {
		e := Edit{Tool: handmade(function), Name: &name, Description: &description, Parameters: json.RawMessage(parameters)}
		got, err := e.Function()
		if err != nil {
			return
		}
		var was, is map[string]json.RawMessage
		if json.Unmarshal([]byte(function), &was) != nil || json.Unmarshal(got, &is) != nil {
			t.Fatalf("%s becomes %s", function, got)
		}
		for key, raw := range was {
			if key != "name" && key != "description" && key != "parameters" && !bytes.Equal(raw, is[key]) {
				t.Fatalf("%s of %s becomes %s", key, function, got)
			}
		}
		var text string
		if json.Unmarshal(is["description"], &text) != nil || text != strings.ToValidUTF8(description, "\ufffd") && strings.ToValidUTF8(description, "") == description {
			t.Fatalf("description %q becomes %q", description, text)
		}
		if got := string(is["parameters"]); got != strings.TrimSpace(parameters) {
			t.Fatalf("parameters %q become %q", parameters, got)
		}
	})
}

// Without edits the registry stays the same, whatever shape its sources had.
func TestEditNothing(t *testing.T) {
	for _, in := range []engine.Inputs{gateInputs(t, "wide"), gateInputs(t, "harbor"), whyNotInputs(t)} {
		b := engine.NewBuilder()
		s, err := b.Build(t.Context(), in)
		require.NoError(t, err)
		got, err := Apply(t.Context(), b, s)
		require.NoError(t, err)
		if a, c := s.Budget(true), got.Budget(true); string(jsontree.Encode(a)) != string(jsontree.Encode(c)) {
			t.Errorf("the budget was %s and is %s", jsontree.Encode(a), jsontree.Encode(c))
		}
		for i, tool := range s.Registry.Tools {
			other := got.Registry.Tools[i]
			if other.Hash != tool.Hash || other.Qualified != tool.Qualified || other.Toolset != tool.Toolset ||
				other.Available != tool.Available || other.Server != tool.Server || got.Status(other) != s.Status(tool) {
				t.Errorf("%s became %+v", tool.Qualified, other)
			}
		}
		if names(s.Catalog()) != names(got.Catalog()) {
			t.Errorf("the catalog was %s and is %s", names(s.Catalog()), names(got.Catalog()))
		}
	}
}

// names returns the qualified names of tools.
func names(tools []*model.Tool) string {
	var list []string
	for _, t := range tools {
		list = append(list, t.Qualified)
	}
	return strings.Join(list, " ")
}

// A renamed tool stays in the toolsets that list it, two tools of one name are
// told apart once one is renamed, and one that is left out is gone.
func TestEditNames(t *testing.T) {
	b := engine.NewBuilder()
	s, err := b.Build(t.Context(), gateInputs(t, "wide"))
	require.NoError(t, err)
	horns := s.Registry.Lookup("horn")
	tow := s.Registry.Lookup("mcp_harbor_tow")[0]
	got, err := Apply(t.Context(), b, s, Edit{Tool: horns[0], Name: ptr("whistle")}, Edit{Tool: tow, Remove: true})
	require.NoError(t, err)
	if len(got.Registry.Tools) != len(s.Registry.Tools)-1 || got.Registry.Lookup("mcp_harbor_tow") != nil {
		t.Error("the tool is not left out")
	}
	if l := got.Registry.Lookup("horn"); len(l) != 1 || l[0].Qualified != "horn" || l[0].Toolset != horns[1].Toolset {
		t.Errorf("horn is %+v", l)
	}
	if l := got.Registry.Lookup("whistle"); len(l) != 1 || got.Status(l[0]) != s.Status(horns[0]) || l[0].Toolset != horns[0].Toolset {
		t.Errorf("whistle is %+v", l)
	}
	if _, err := Apply(t.Context(), b, s, Edit{Tool: tow, Name: ptr(" ")}); err == nil || !strings.Contains(err.Error(), "name of mcp_harbor_tow: empty") {
		t.Errorf("a blank name: %v", err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := Apply(ctx, b, s, Edit{Tool: tow, Remove: true}); !errors.Is(err, context.Canceled) {
		t.Errorf("called off: %v", err)
	}
}

// A trial gives the answers of the edited snapshot to every query, for
// edits of every kind; and the snapshot that was edited answers as before.
func TestTrialsAreEdits(t *testing.T) {
	r, err := shapes.Parse(t.Context(), model.Source{Name: "r.json", Data: fixture.Dump(24, 3)})
	require.NoError(t, err)
	b, all, before := engine.NewBuilder(), map[string]*engine.Snapshot{}, map[string]string{}
	answers := func(s *engine.Snapshot) string { return string(jsontree.Encode(s.Search("create file list", 0, 30))) }
	for _, ranker := range config.Rankers {
		c := config.Default()
		c.Core = []string{r.Tools[3].Name, "core_tool"}
		c.ToolSearch.Ranker = ranker
		s, err := b.Build(t.Context(), engine.Inputs{Registry: r, Config: c})
		require.NoError(t, err)
		all[ranker], before[ranker] = s, answers(s)
	}
	rapid.Check(t, func(rt *rapid.T) {
		s := all[rapid.SampledFrom(config.Rankers).Draw(rt, "ranker")]
		var edits []Edit
		for _, i := range rapid.SliceOfNDistinct(rapid.IntRange(0, len(r.Tools)-1), 1, 4, rapid.ID).Draw(rt, "tools") {
			e := Edit{Tool: r.Tools[i]}
			switch rapid.IntRange(0, 4).Draw(rt, "kind") {
			case 0:
				e.Description = ptr(rapid.StringN(0, 40, -1).Draw(rt, "description"))
			case 1:
				e.Parameters = json.RawMessage(`{"type":"object","properties":{"create":{"type":"string"}}}`)
			case 2:
				e.Name = ptr(rapid.SampledFrom([]string{"a_file", "zz_list", "core_tool"}).Draw(rt, "name") + strings.Repeat("x", i))
			case 3:
				e.Remove = true
			default:
				e.Name, e.Description = ptr("core_tool"), ptr("create create")
			}
			edits = append(edits, e)
		}
		if slices.ContainsFunc(edits[1:], func(e Edit) bool { return e.Name != nil && *e.Name == "core_tool" }) {
			edits = edits[:1]
		}
		trial, err := Try(t.Context(), s, edits...)
		if err != nil {
			rt.Fatal(err)
		}
		edited, err := Apply(t.Context(), b, s, edits...)
		if err != nil {
			rt.Fatal(err)
		}
		units, place := 0, 0
		for _, tool := range r.Tools {
			i := slices.IndexFunc(edits, func(e Edit) bool { return e.Tool == tool })
			if i >= 0 && edits[i].Remove {
				if rank, _, err := trial.Rank(t.Context(), "create file list", tool); rank != 0 || err != nil {
					rt.Fatalf("%s is left out and has rank %d, %v", tool.Name, rank, err)
				}
				continue
			}
			now := edited.Registry.Tools[place]
			place++
			if i >= 0 {
				units += edited.ToolUnits(now)
			}
			for _, q := range []string{"create file list", tool.Name, tool.Description} {
				want, _, _ := edited.Rank(q, now)
				if got, _, err := trial.Rank(t.Context(), q, tool); got != want || err != nil {
					rt.Fatalf("%s by %q: rank %d, %v, want %d", tool.Name, q, got, err, want)
				}
			}
		}
		if _, after := trial.Tokens(); after != s.Tokenizer.Tokens(units) {
			rt.Fatalf("%d tokens, want %d", after, s.Tokenizer.Tokens(units))
		}
	})
	for ranker, s := range all {
		if answers(s) != before[ranker] {
			t.Errorf("%s: the snapshot has changed", ranker)
		}
	}
}

func TestEditsKeepStrict(t *testing.T) {
	b, in := engine.NewBuilder(), whyNotInputs(t)
	in.Strict = true
	s, err := b.Build(t.Context(), in)
	require.NoError(t, err)
	edited, err := Apply(t.Context(), b, s, Edit{Tool: s.Registry.Tools[1], Description: new("Rest.")})
	if err != nil || !edited.Strict {
		t.Errorf("strict %t, %v", edited.Strict, err)
	}
}

// TestListsFollowNames: toolsets list the new name of a tool that alone bore the old one.
func TestListsFollowNames(t *testing.T) {
	const tool = `{"type":"function","function":{"name":%q,"description":"d","parameters":{"type":"object"}},"toolset":%q}`
	r, err := shapes.Parse(t.Context(), model.Source{Name: "r.json", Data: fmt.Appendf(nil, `{"toolsets":{"x":{"tools":["a","b","c"]},"y":{"tools":["a"]}},"tools":[`+tool+","+tool+","+tool+","+tool+`]}`, "a", "x", "b", "x", "b", "y", "c", "x")})
	require.NoError(t, err)
	got, err := Registry(t.Context(), r, Edit{Tool: r.Tools[0], Name: ptr("aa")}, Edit{Tool: r.Tools[1], Name: ptr("bb")}, Edit{Tool: r.Tools[3], Description: ptr("new")})
	require.NoError(t, err)
	x, _ := got.Toolset("x")
	y, _ := got.Toolset("y")
	if old, _ := r.Toolset("x"); fmt.Sprint(x.Tools, y.Tools, old.Tools) != "[aa b c] [aa] [a b c]" || got.Tools[3].Description != "new" || got.Lookup("a") != nil {
		t.Errorf("%v, %v, before %v", x.Tools, y.Tools, old.Tools)
	}
}
