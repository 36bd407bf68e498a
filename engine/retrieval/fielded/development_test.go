package fielded

import (
	"bufio"
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"flag"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"sync"
	"testing"

	"caliper/engine/evaluation"
	"caliper/engine/retrieval"
	"caliper/model"
	"caliper/model/shapes"
)

var slow = flag.Bool("slow", false, "run the slow suites")

// sharedFile reads a file of the shared folder, and skips the test when there is
// none.
func sharedFile(t testing.TB, name string) []byte {
	t.Helper()
	data, err := os.ReadFile(filepath.Join("../../../../shared", name))
	if errors.Is(err, fs.ErrNotExist) {
		t.Skip("no shared folder")
	}
	if err != nil {
		t.Fatal(err)
	}
	return data
}

// parse parses a registry.
func parse(t testing.TB, data []byte) *model.Registry {
	t.Helper()
	r, err := shapes.Parse(context.Background(), model.Source{Name: "tools.json", Data: data})
	if err != nil {
		t.Fatal(err)
	}
	return r
}

// set is one set of labelled queries.
type set struct {
	registry *model.Registry
	toolsets map[string]*model.Toolset
	queries  []labelled
}

type labelled struct {
	Query    string
	Relevant []string
	Groups   [][]string
	Grades   map[string]float64
}

// label returns the needed capabilities of a query.
func (l labelled) label() evaluation.Label {
	groups := l.Groups
	if groups == nil {
		for _, name := range l.Relevant {
			groups = append(groups, []string{name})
		}
	}
	return evaluation.Label{Groups: groups, Grades: l.Grades}
}

func (s *set) toolset(name string) (*model.Toolset, bool) {
	if t, ok := s.toolsets[name]; ok {
		return t, true
	}
	return s.registry.Toolset(name)
}

// toolsOf has the sets with the tools of another set.
var toolsOf = map[string]string{"learn/livemcp_agentq": "livemcpbench", "learn/metatool_multi": "metatool"}

// withToolsets are the sets of tools that have texts of toolsets.
var withToolsets = []string{"livemcpbench", "learn/livemcp_xl", "learn/toolbench"}

// readSet reads a set.
func readSet(t testing.TB, name string) *set {
	t.Helper()
	tools := cmp.Or(toolsOf[name], name)
	s := &set{registry: parse(t, sharedFile(t, "eval/"+tools+"/tools.json"))}
	if slices.Contains(withToolsets, tools) {
		if err := json.Unmarshal(sharedFile(t, "eval/"+tools+"/toolsets.json"), &s.toolsets); err != nil {
			t.Fatal(err)
		}
	}
	lines := bufio.NewScanner(bytes.NewReader(sharedFile(t, "eval/"+name+"/queries.jsonl")))
	lines.Buffer(nil, 1<<24)
	for lines.Scan() {
		var l labelled
		if err := json.Unmarshal(lines.Bytes(), &l); err != nil {
			t.Fatal(err)
		}
		s.queries = append(s.queries, l)
	}
	return s
}

// measure returns the means over the queries of a set.
func (s *set) measure(t testing.TB, r Recipe) evaluation.Metrics {
	t.Helper()
	x, err := NewCorpus().Index(context.Background(), s.registry.Tools, s.toolset, r)
	if err != nil {
		t.Fatal(err)
	}
	all := make([]evaluation.Metrics, len(s.queries))
	var wg sync.WaitGroup
	cores := runtime.GOMAXPROCS(0)
	for core := range cores {
		wg.Go(func() {
			for i := core; i < len(s.queries); i += cores {
				var items []evaluation.Item
				for _, h := range x.Search(s.queries[i].Query, evaluation.MaxRank).Hits {
					items = append(items, item(s.registry, h))
				}
				all[i] = evaluation.Measure(s.queries[i].label(), items)
			}
		})
	}
	wg.Wait()
	return evaluation.Mean(all)
}

func item(r *model.Registry, h retrieval.Hit) evaluation.Item {
	tool := r.Tools[h.Doc]
	return evaluation.Item{Name: tool.Name, Qualified: tool.Qualified}
}

// TestDevelopmentSets: the ranking is as good as when the recipe was chosen,
// less what a query or two move.
func TestDevelopmentSets(t *testing.T) {
	for _, s := range []struct {
		name         string
		ndcg, recall float64 // at 10 and at 5, percent, at least
	}{
		{"livemcpbench", 43.7, 42.0},
		{"mcpproxy_golden", 82.4, 88.8},
		{"metatool", 65.8, 74.8},
		{"sealtools", 95.4, 94.4},
		{"bfcl", 79.1, 86.4},
	} {
		t.Run(s.name, func(t *testing.T) {
			m := readSet(t, s.name).measure(t, Default)
			recall, err := m.Value("recall@5")
			if err != nil {
				t.Fatal(err)
			}
			t.Logf("nDCG@10 %.2f, recall@5 %.2f", 100*m.NDCG, 100*recall)
			if 100*m.NDCG < s.ndcg || 100*recall < s.recall {
				t.Errorf("nDCG@10 %.2f, recall@5 %.2f, want %v and %v", 100*m.NDCG, 100*recall, s.ndcg, s.recall)
			}
		})
	}
}
