package labels

import (
	"bytes"
	"encoding/csv"
	"encoding/json"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"
	"testing"

	"caliper/config"
	"caliper/model"
	"caliper/model/require"
	"caliper/model/shapes"
)

// publicShapes write a development set, which has one shape for all, in the shape that
// its project publishes: the sources that an import of the public files begins with.
var publicShapes = map[string]func(t *testing.T, r *model.Registry, queries []Query) []model.Source{
	"bfcl": func(t *testing.T, r *model.Registry, queries []Query) []model.Source {
		var questions, answers bytes.Buffer
		var functions []json.RawMessage
		for _, tool := range r.Tools {
			functions = append(functions, bytes.ReplaceAll(tool.Function, []byte(`"object"`), []byte(`"dict"`)))
		}
		for _, q := range queries {
			line(t, &questions, map[string]any{"id": q.ID, "question": [][]map[string]string{{{"role": "user", "content": q.Text}}}, "function": functions})
			functions = []json.RawMessage{}
			var calls []map[string]any
			for _, name := range q.Relevant {
				calls = append(calls, map[string]any{name: map[string]any{}})
			}
			line(t, &answers, map[string]any{"id": q.ID, "ground_truth": calls})
		}
		return []model.Source{{Name: "questions.json", Data: questions.Bytes()}, {Name: "answers.json", Data: answers.Bytes()}}
	},
	"sealtools": func(t *testing.T, r *model.Registry, queries []Query) []model.Source {
		var tools, tests bytes.Buffer
		for _, tool := range r.Tools {
			var schema struct {
				Properties json.RawMessage `json:"properties"`
				Required   []string        `json:"required"`
			}
			require.NoError(t, json.Unmarshal(tool.Parameters, &schema))
			line(t, &tools, map[string]any{"api_name": tool.Name, "api_description": tool.Description, "field": tool.Toolset + "/x", "parameters": schema.Properties, "required": schema.Required})
		}
		for _, q := range queries {
			var calls []map[string]string
			for _, name := range q.Relevant {
				calls = append(calls, map[string]string{"api": name})
			}
			line(t, &tests, map[string]any{"id": q.ID, "query": q.Text, "calling": calls})
		}
		return []model.Source{{Name: "tool.jsonl", Data: tools.Bytes()}, {Name: "test.jsonl", Data: tests.Bytes()}}
	},
	"metatool": func(t *testing.T, r *model.Registry, queries []Query) []model.Source {
		var plugins bytes.Buffer
		for i, tool := range r.Tools {
			name, _ := json.Marshal(tool.Name)
			text, _ := json.Marshal(tool.Description)
			fmt.Fprintf(&plugins, "%s%s:%s", map[bool]string{true: "{", false: ","}[i == 0], name, text)
		}
		plugins.WriteByte('}')
		rows := map[int]Query{} // the id of a query is its row
		last := 0
		for _, q := range queries {
			row, err := strconv.Atoi(strings.TrimPrefix(q.ID, "s"))
			require.NoError(t, err)
			rows[row], last = q, max(last, row)
		}
		var table bytes.Buffer
		w := csv.NewWriter(&table)
		_ = w.Write([]string{"Query", "Tool"})
		for i := range last + 1 {
			q := rows[i]
			_ = w.Write([]string{q.Text, strings.Join(append(q.Relevant, "")[:1], "")})
		}
		w.Flush()
		return []model.Source{{Name: "plugin_des.json", Data: plugins.Bytes()}, {Name: "all_clean_data.csv", Data: table.Bytes()}}
	},
	"livemcpbench": func(t *testing.T, r *model.Registry, queries []Query) []model.Source {
		given := func(t *model.Tool) string { return strings.TrimPrefix(t.Name, t.Toolset+"__") }
		var servers []map[string]any
		for _, set := range r.Toolsets {
			tools := []map[string]any{}
			for _, tool := range r.Tools {
				if tool.Toolset == set.Name {
					tools = append(tools, map[string]any{"name": given(tool), "description": tool.Description, "inputSchema": json.RawMessage(tool.Parameters)})
				}
			}
			servers = append(servers, map[string]any{"name": set.Title, "description": set.Description, "tools": map[string]any{set.Name: map[string]any{"tools": tools}}})
		}
		var tasks []map[string]any
		for _, q := range queries {
			names := map[string]bool{}
			for _, name := range q.Relevant {
				names[given(r.Lookup(name)[0])] = true
			}
			var steps strings.Builder
			for name := range names {
				fmt.Fprintf(&steps, "1. %s\n", name)
			}
			tasks = append(tasks, map[string]any{"task_id": q.ID, "Question": q.Text, "Annotator Metadata": map[string]any{"Tools": steps.String()}})
		}
		catalogue, err := json.Marshal(servers)
		require.NoError(t, err)
		labels, err := json.Marshal(tasks)
		require.NoError(t, err)
		return []model.Source{{Name: "tools.json", Data: catalogue}, {Name: "tasks.json", Data: labels}}
	},
}

// line writes a value as one line of JSON.
func line(t *testing.T, b *bytes.Buffer, v any) {
	t.Helper()
	e := json.NewEncoder(b)
	e.SetEscapeHTML(false)
	require.NoError(t, e.Encode(v))
}

// An import of the public files, of those queries that the development sets have,
// gives their tools and queries, and the figures of the README of these sets.
func TestImportedSets(t *testing.T) {
	for _, b := range baselines {
		write := publicShapes[b.set]
		if write == nil {
			continue
		}
		t.Run(b.set, func(t *testing.T) {
			want, queries := evaluationSet(t, b.set)
			r, err := shapes.Parse(t.Context(), write(t, want, queries)...)
			require.NoError(t, err)
			if len(r.Tools) != len(want.Tools) || len(r.Queries) != len(queries) {
				t.Fatalf("%d tools and %d queries, want %d and %d", len(r.Tools), len(r.Queries), len(want.Tools), len(queries))
			}
			for _, tool := range want.Tools {
				got := r.Lookup(tool.Name)
				if len(got) != 1 || got[0].Description != tool.Description || got[0].Toolset != tool.Toolset || !slices.Equal(got[0].PropertyNames(), tool.PropertyNames()) {
					t.Errorf("%s differs: %v", tool.Name, got)
				}
			}
			imported := map[string]model.LabelledQuery{}
			for _, q := range r.Queries {
				imported[q.ID] = q
			}
			var again []Query
			for _, q := range queries {
				got := imported[q.ID]
				if b.set == "livemcpbench" && !slices.Equal(got.Relevant, q.Relevant) {
					// A task names a tool without its server. Where several servers have it, the
					// development set has what its makers chose by hand, an import every one.
					for _, name := range q.Relevant {
						if !slices.Contains(got.Relevant, name) {
							t.Errorf("%s: %v, want %v among them", q.ID, got.Relevant, q.Relevant)
						}
					}
					got.Relevant, got.Groups = q.Relevant, q.Groups
				}
				if got.Text != strings.TrimSpace(q.Text) || !slices.Equal(got.Relevant, slices.Sorted(slices.Values(q.Relevant))) || (got.Groups == nil) != (q.Groups == nil) {
					t.Errorf("%s: %+v, want %+v", q.ID, got, q)
				}
				again = append(again, Query{ID: got.ID, Text: got.Text, Relevant: got.Relevant, Groups: got.Groups})
			}
			s := built(t, r, func(c *config.Config) { c.Core, c.ToolSearch.Ranker = []string{}, config.RankerBM25 })
			e := evaluated(t, s, again...)
			if got := [2]float64{100 * e.Metrics.NDCG, 100 * e.Metrics.Recall[2]}; math.Abs(got[0]-b.bm25[0]) > 0.2 || math.Abs(got[1]-b.bm25[1]) > 0.2 {
				t.Errorf("bm25 %.2f, want %.1f", got, b.bm25)
			}
		})
	}
}
