package diff_test

import (
	"bytes"
	"encoding/json"
	"flag"
	"testing"

	"caliper/config"
	"caliper/engine"
	"caliper/engine/diff"
	"caliper/engine/labels"
	"caliper/model"
	"caliper/model/require"
	"caliper/model/shapes"
	"caliper/tui/demo"
)

var slow = flag.Bool("slow", false, "run the slow suites")

// dump is a registry dump that a test changes.
type dump struct {
	Toolsets map[string]map[string]any `json:"toolsets"`
	Tools    []map[string]any          `json:"tools"`
}

// demoDump returns the dump of the demo.
func demoDump(tb testing.TB) *dump { return readDump(tb, demo.Registry()) }

func readDump(tb testing.TB, data []byte) *dump {
	tb.Helper()
	d := &dump{}
	decoder := json.NewDecoder(bytes.NewReader(data))
	decoder.UseNumber()
	require.NoError(tb, decoder.Decode(d))
	return d
}

// bytes returns the dump as JSON.
func (d *dump) bytes(tb testing.TB) []byte {
	tb.Helper()
	data, err := json.Marshal(d)
	require.NoError(tb, err)
	return data
}

// function returns the definition of a tool.
func function(tool map[string]any) map[string]any { return tool["function"].(map[string]any) }

// each calls change with the definition of every tool of a toolset; of every tool for "".
func (d *dump) each(toolset string, change func(function map[string]any)) {
	for _, t := range d.Tools {
		if toolset == "" || t["toolset"] == toolset {
			change(function(t))
		}
	}
}

// named returns the entry of a tool.
func (d *dump) named(name string) map[string]any {
	for _, t := range d.Tools {
		if function(t)["name"] == name {
			return t
		}
	}
	panic("the demo has no " + name)
}

// add adds a tool.
func (d *dump) add(toolset, name, description string) {
	if d.Toolsets[toolset] == nil {
		d.Toolsets[toolset] = map[string]any{}
	}
	d.Tools = append(d.Tools, map[string]any{"type": "function", "toolset": toolset,
		"function": map[string]any{"name": name, "description": description, "parameters": map[string]any{"type": "object", "properties": map[string]any{}}}})
}

// snapshotOf builds the session of a dump and a config; an empty name means the default.
func snapshotOf(tb testing.TB, b *engine.Builder, data, configuration []byte, session string) *engine.Snapshot {
	tb.Helper()
	r, err := shapes.Parse(tb.Context(), model.Source{Name: "registry.json", Data: data})
	require.NoError(tb, err)
	f, err := config.Parse("config.yaml", configuration)
	require.NoError(tb, err)
	s, err := b.Build(tb.Context(), engine.Inputs{Registry: r, Config: f.Config, Session: session, OnDemand: true})
	require.NoError(tb, err)
	return s
}

// demoQueries returns the labelled queries of the demo.
func demoQueries(tb testing.TB) []labels.Query { return readQueries(tb, demo.Queries()) }

func readQueries(tb testing.TB, data []byte) []labels.Query {
	tb.Helper()
	queries, faults := labels.Parse("queries.jsonl", data)
	if len(faults) > 0 {
		tb.Fatal(faults)
	}
	return queries
}

// judge is the builder of all verdicts, so that a change of one tool costs that tool.
var judge = engine.NewBuilder()

// judged judges a change.
func judged(tb testing.TB, old, new *engine.Snapshot, queries []labels.Query, o diff.GateOptions) diff.GateResult {
	tb.Helper()
	r, err := diff.Judge(tb.Context(), judge, old, new, queries, o)
	require.NoError(tb, err)
	return r
}
