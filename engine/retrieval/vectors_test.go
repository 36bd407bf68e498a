package retrieval

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"caliper/model"
	"caliper/model/require"
)

// suite is a suite of conformance vectors: a catalog, or the path of a
// registry, and what the reference agent found in it.
type suite struct {
	Name     string            `json:"name"`
	Tools    []json.RawMessage `json:"tools"`
	Registry string            `json:"registry"`
	Sum      string            `json:"registry_sha256"`
	Core     []string          `json:"core"`
	Cases    []struct {
		Query    string `json:"query"`
		Total    int    `json:"total_available"`
		Returned int    `json:"returned"`
		Hits     int    `json:"hits"`
		Fallback bool   `json:"fallback"`
		Ranking  []struct {
			Name  string  `json:"name"`
			Score float64 `json:"score"`
		} `json:"ranking"`
	} `json:"cases"`
}

// catalog returns the tools of a suite as the reference agent orders them.
func (s suite) catalog(t *testing.T) []*model.Tool {
	t.Helper()
	var tools []*model.Tool
	for _, raw := range s.Tools {
		var definition struct {
			Function struct {
				Name, Description string
				Parameters        json.RawMessage
			}
		}
		require.NoError(t, json.Unmarshal(raw, &definition))
		f := definition.Function
		if !slices.Contains(s.Core, f.Name) {
			tools = append(tools, newTool(f.Name, f.Description, f.Parameters))
		}
	}
	slices.SortFunc(tools, func(a, b *model.Tool) int { return strings.Compare(a.Name, b.Name) })
	return tools
}

// newTool returns a tool with what retrieval reads of it.
func newTool(name, description string, parameters []byte) *model.Tool {
	t := &model.Tool{Name: name, Description: description, Parameters: parameters}
	sum := sha256.Sum256(fmt.Appendf(nil, "%q %q %s", name, description, parameters))
	copy(t.Hash[:], sum[:])
	return t
}

// mustIndex returns the index of tools in a corpus of their own.
func mustIndex(t testing.TB, tools []*model.Tool, p Params) *Index {
	t.Helper()
	x, err := NewCorpus().Index(context.Background(), tools, p)
	require.NoError(t, err)
	return x
}

// readSuite reads a file of testdata.
func readSuite(t *testing.T, name string) suite {
	t.Helper()
	data, err := os.ReadFile(filepath.Join("testdata", name))
	require.NoError(t, err)
	var s suite
	require.NoError(t, json.Unmarshal(data, &s))
	return s
}

func TestVectorsHandMade(t *testing.T)  { checkSuite(t, readSuite(t, "bm25_hand_made.json"), 95) }
func TestVectorsGenerated(t *testing.T) { checkSuite(t, readSuite(t, "bm25_generated_300.json"), 150) }

// TestVectorsRegistry runs the suite over real servers, where it is at hand.
func TestVectorsRegistry(t *testing.T) {
	folder := filepath.Join("..", "..", "..", "shared", "vectors")
	data, err := os.ReadFile(filepath.Join(folder, "bm25.json"))
	if err != nil {
		t.Skip("no shared vectors:", err)
	}
	var all struct{ Suites []suite }
	require.NoError(t, json.Unmarshal(data, &all))
	for _, s := range all.Suites {
		if s.Registry == "" {
			continue
		}
		s.Tools = registryTools(t, filepath.Join(folder, s.Registry), s.Sum)
		checkSuite(t, s, 150)
	}
}

// registryTools returns the tools of a registry, and skips the test where it is not the one
// that was measured.
func registryTools(t *testing.T, path, wantSum string) []json.RawMessage {
	t.Helper()
	dump, err := os.ReadFile(path)
	if err != nil {
		t.Skip("no registry:", err)
	}
	if sum := sha256.Sum256(dump); hex.EncodeToString(sum[:]) != wantSum {
		t.Skip("the registry is not the one that was measured")
	}
	var registry struct{ Tools []json.RawMessage }
	require.NoError(t, json.Unmarshal(dump, &registry))
	return registry.Tools
}

// checkSuite compares names, order and ties exactly, and scores to 1e-9.
func checkSuite(t *testing.T, s suite, cases int) {
	t.Helper()
	if len(s.Cases) != cases {
		t.Fatalf("%d cases, want %d", len(s.Cases), cases)
	}
	tools := s.catalog(t)
	x := mustIndex(t, tools, Reference)
	for i, c := range s.Cases {
		t.Run(fmt.Sprintf("%d %.40q", i, c.Query), func(t *testing.T) {
			if x.Len() != c.Total {
				t.Fatalf("catalog of %d, want %d", x.Len(), c.Total)
			}
			if got := x.Scored(c.Query); got != c.Hits {
				t.Errorf("Scored = %d, want %d", got, c.Hits)
			}
			for _, k := range []int{len(c.Ranking), c.Returned, 1, x.Len()} {
				r := x.Search(c.Query, k)
				if r.Fallback != (c.Fallback && k > 0) {
					t.Errorf("k = %d: fallback %v, want %v", k, r.Fallback, c.Fallback)
				}
				if want := min(k, c.Hits); len(r.Hits) != want {
					t.Fatalf("k = %d: %d hits, want %d", k, len(r.Hits), want)
				}
				for j, want := range c.Ranking[:min(k, len(c.Ranking))] {
					h := r.Hits[j]
					if name := tools[h.Doc].Name; name != want.Name {
						t.Fatalf("k = %d: hit %d is %s, want %s", k, j, name, want.Name)
					}
					if math.Abs(h.Score-want.Score) > 1e-9*want.Score {
						t.Errorf("k = %d: score of %s is %v, want %v", k, want.Name, h.Score, want.Score)
					}
				}
			}
		})
	}
}
