package lint

import (
	"encoding/json"
	"fmt"
	"math"
	"reflect"
	"testing"

	"pgregory.net/rapid"

	"caliper/config"
	"caliper/engine"
	"caliper/model"
	"caliper/model/require"
	"caliper/model/shapes"
)

// TestSharedQueries: a query that is answered once gives every tool the probe that it
// gets when it asks alone, for groups of tools around the bound.
func TestSharedQueries(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		group := rapid.IntRange(1, 12).Draw(t, "tools with one description")
		s := tied(t, group)
		var want []Reach
		for _, many := range []int{math.MaxInt, max(1, group-1), group, group + 1} {
			reach := make([]Reach, len(s.Catalog()))
			for i, tool := range s.Catalog() {
				reach[i] = Reach{tool, Probe{Query: NameQuery(tool)}, Probe{Query: SentenceQuery(tool)}, Probe{Query: ParameterQuery(tool)}}
			}
			index, err := s.IndexOver(t.Context(), s.Catalog())
			require.NoError(t, err)
			a := newAsker(s, index, reach, many)
			if shared := len(a.shared) > 0; shared && many > len(reach) || !shared && many <= group {
				t.Fatalf("%d tools of %d with one description, the bound is %d: shared is %t", group, len(reach), many, shared)
			}
			for i := range reach {
				for _, p := range []*Probe{&reach[i].Name, &reach[i].Sentence, &reach[i].Parameters} {
					a.ask(i, p)
					a.explain(i, p)
				}
			}
			if want == nil {
				want = reach
				continue
			}
			for i := range reach {
				if !reflect.DeepEqual(reach[i], want[i]) {
					t.Fatalf("%s: %+v when %d ask together, alone %+v", reach[i].Tool.Name, reach[i], many, want[i])
				}
			}
		}
	})
}

// tied returns a snapshot, of any ranker, in which a group of tools and perhaps others
// have one description.
func tied(t *rapid.T, group int) *engine.Snapshot {
	type object = map[string]any
	var tools []object
	add := func(description string) {
		parameters := object{}
		for _, name := range rapid.SliceOfNDistinct(rapid.SampledFrom([]string{"table", "row", "key"}), 0, 2, rapid.ID).Draw(t, "parameters") {
			parameters[name] = object{"type": "string"}
		}
		verb := rapid.SampledFrom([]string{"read", "list", "table", "zoom"}).Draw(t, "verb")
		tools = append(tools, object{"type": "function", "toolset": "mcp-x", "function": object{
			"name": fmt.Sprintf("%s_%d", verb, len(tools)), "description": description,
			"parameters": object{"type": "object", "properties": parameters},
		}})
	}
	for range group {
		add("Reads the rows of a table.")
	}
	for range rapid.IntRange(0, 6).Draw(t, "others") {
		add(rapid.SampledFrom([]string{"Reads the rows of a table.", "Reads a table. Lists its rows.", "Lists keys.", "read table", ""}).Draw(t, "description"))
	}
	dump, err := json.Marshal(object{"tools": rapid.Permutation(tools).Draw(t, "order")})
	require.NoError(t, err)
	r, err := shapes.Parse(t.Context(), model.Source{Name: "registry.json", Data: dump})
	require.NoError(t, err)
	c := config.Default()
	c.ToolSearch.Ranker = rapid.SampledFrom(config.Rankers).Draw(t, "ranker")
	c.ToolSearch.DefaultLimit = rapid.IntRange(1, 5).Draw(t, "limit")
	s, err := engine.Build(t.Context(), engine.Inputs{Registry: r, Config: c})
	require.NoError(t, err)
	return s
}
