package diff

import (
	"bytes"
	"encoding/json"
	"fmt"
	"testing"

	"caliper/config"
	"caliper/engine"
	"caliper/engine/internal/fixture"
	"caliper/engine/labels"
	"caliper/model"
	"caliper/model/require"
	"caliper/model/shapes"
)

// BenchmarkCompare compares registries of several sizes: with one tool edited,
// with another 80 labelled queries, with all of it laid out anew, and with
// nothing in common.
func BenchmarkCompare(b *testing.B) {
	for _, n := range []int{812, 10_000, 100_000} {
		dump := fixture.Dump(n, 1)
		tools := fixture.Tools(n, 1)
		var queries []labels.Query
		for i, text := range fixture.Queries(fixture.Mixed, 80, 1, tools) {
			queries = append(queries, labels.Query{ID: fmt.Sprint(i), Text: text, Relevant: []string{tools[i].Name}})
		}
		var spread bytes.Buffer
		require.NoError(b, json.Indent(&spread, dump, "", " "))
		edited := bytes.Replace(dump, []byte(`"description":"`), []byte(`"description":"Revised. `), 1)
		old := benchSnapshot(b, dump)
		for _, bb := range []struct {
			name    string
			dump    []byte
			queries []labels.Query
		}{
			{"edited", edited, nil},
			{"edited-80-queries", edited, queries},
			{"spread", spread.Bytes(), nil},
			{"other", fixture.Dump(n, 2), nil},
		} {
			new := benchSnapshot(b, bb.dump)
			b.Run(fmt.Sprintf("%s/%d", bb.name, n), func(b *testing.B) {
				b.ReportAllocs()
				for b.Loop() {
					if _, err := Compare(b.Context(), old, new, bb.queries); err != nil {
						b.Fatal(err)
					}
				}
			})
			b.Run(fmt.Sprintf("changes-%s/%d", bb.name, n), func(b *testing.B) {
				for b.Loop() {
					Changes(old.Registry, new.Registry)
				}
			})
		}
	}
}

// benchSnapshot builds the snapshot of a dump under the defaults.
func benchSnapshot(tb testing.TB, dump []byte) *engine.Snapshot {
	tb.Helper()
	registry, err := shapes.Parse(tb.Context(), model.Source{Name: "r.json", Data: dump})
	require.NoError(tb, err)
	s, err := engine.Build(tb.Context(), engine.Inputs{Registry: registry, Config: config.Default()})
	require.NoError(tb, err)
	return s
}
