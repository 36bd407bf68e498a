package retrieval

import (
	"strings"
	"testing"

	"caliper/model"
)

// FuzzSearch makes a catalog of the lines of a text, each a tool whose name
// and description a tab divides, and compares searches with the ranking by
// definition.
func FuzzSearch(f *testing.F) {
	f.Add("berth_book\tbook a berth\ntide\tof the day\n\tno name", "book the berth", 2)
	f.Add("a\ta a a\na\ta\nb\n\n", "a a b", 1)
	f.Add("Ångström\xff\tİ K\nx", "ngstr", 9)
	f.Add("mcp_1\nmcp_2\nmcp_3\trare", "MCP rare rare", 3)
	f.Fuzz(func(t *testing.T, text, query string, k int) {
		var tools []*model.Tool
		for line := range strings.SplitSeq(text, "\n") {
			name, description, _ := strings.Cut(line, "\t")
			tools = append(tools, newTool(name, description, nil))
		}
		x := mustIndex(t, tools, Reference)
		if len(Tokens(query)) > 0 && !x.Search(query, 1).Fallback {
			checkSearch(t, x, newReference(tools, Reference), query, k%100, 1, 20)
		}
		hits := x.Search(query, x.Len()).Hits
		if n := x.Scored(query); n != len(hits) {
			t.Errorf("Scored = %d, want %d", n, len(hits))
		}
		for i, h := range hits {
			if rank, score, ok := x.Rank(query, h.Doc); !ok || rank != i+1 || score != h.Score {
				t.Errorf("Rank(%d) = %d, %v, %v, want %d, %v", h.Doc, rank, score, ok, i+1, h.Score)
			}
			if e := x.Explain(query, h.Doc); e.Value != h.Score {
				t.Errorf("Explain(%d) = %v, want %v", h.Doc, e.Value, h.Score)
			}
		}
	})
}
