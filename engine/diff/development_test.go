package diff_test

import (
	"math/rand/v2"
	"testing"

	"caliper/engine"
	"caliper/engine/diff"
	"caliper/engine/internal/fixture"
)

// TestDevelopmentSets seeds faults into public registries, and words them anew by chance,
// which leaves out every sixth word: harmless, but for the short descriptions of sealtools,
// where eight draws of eight lost 0.03 to 0.06 of recall.
func TestDevelopmentSets(t *testing.T) {
	const on = "tools: {tool_search: {enabled: on}}\n"
	faults := []struct {
		name     string
		registry func(*dump)
		config   string
	}{
		{name: "descriptions are emptied", registry: describe("", func(string) string { return "" })},
		{name: "descriptions become boilerplate", registry: describe("", func(string) string { return "Calls the service." })},
		{name: "descriptions are swapped", registry: func(d *dump) {
			last := function(d.Tools[len(d.Tools)-1])["description"]
			d.each("", func(f map[string]any) { f["description"], last = last, f["description"] })
		}},
		{name: "every tenth tool is renamed", registry: func(d *dump) {
			for i, t := range d.Tools {
				if i%10 == 0 {
					function(t)["name"] = "renamed_" + function(t)["name"].(string)
				}
			}
		}},
		{name: "the limit is lower", config: "tools: {tool_search: {enabled: on, search_default_limit: 1}}\n"},
	}
	sets := []string{"metatool"}
	if *slow {
		sets = append(sets, "bfcl", "sealtools", "learn/toolbench")
	}
	for _, name := range sets {
		tools := fixture.SharedFile(t, "eval/"+name+"/tools.json")
		queries := readQueries(t, fixture.SharedFile(t, "eval/"+name+"/queries.jsonl"))
		queries = queries[:min(len(queries), 300)]
		base := readTools(t, tools)
		builder := engine.NewBuilder()
		old := snapshotOf(t, builder, base.bytes(t), []byte(on), "")
		for _, x := range faults {
			d, configuration := readTools(t, tools), on
			if x.registry != nil {
				x.registry(d)
			}
			if x.config != "" {
				configuration = x.config
			}
			r := judged(t, old, snapshotOf(t, builder, d.bytes(t), []byte(configuration), ""), queries, diff.GateOptions{})
			if r.Recall.Difference >= 0 || r.Recall.P > diff.DefaultAlpha || len(r.Queries) == 0 || r.Passed() {
				t.Errorf("%s, %s: %+v", name, x.name, r.Recall)
			}
		}
		d := readTools(t, tools)
		word(d, rand.New(rand.NewPCG(1, 1)))
		if r := judged(t, old, snapshotOf(t, builder, d.bytes(t), []byte(on), ""), queries, diff.GateOptions{Accept: []diff.ReasonKind{diff.KindLint}}); r.Passed() == (name == "sealtools") {
			t.Errorf("%s, worded anew: %+v, %+v", name, r.Recall, r.Reasons)
		}
	}
}

// readTools reads the tools of a set.
func readTools(tb testing.TB, data []byte) *dump {
	return readDump(tb, []byte(`{"toolsets":{},"tools":`+string(data)+`}`))
}
