package retrieval

import (
	"encoding/json"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"caliper/model"
	"caliper/model/require"
)

// gatedSuite is a suite of conformance vectors of bm25-gated: a catalog, or the path
// of a registry, and what the reference agent of September 2026 found in it.
type gatedSuite struct {
	Name     string
	Tools    []json.RawMessage
	Toolsets map[string]string
	Registry string
	Sum      string `json:"registry_sha256"`
	Rename   string
	Cases    []struct {
		gatedAnswer
		Query    string
		Total    int          `json:"total_available"`
		Gate     *string      `json:"gate_token"`
		DF       int          `json:"gate_df"`
		Required int          `json:"required_terms"`
		Older    *gatedAnswer `json:"snowball2"`
	}
}

// gatedAnswer is the answer to a query. The one by Snowball 2.2.0, whose stems are ours,
// is kept beside the one of Snowball 3.1.1 where they differ.
type gatedAnswer struct {
	Hits    int
	Tokens  []string
	Empty   *Verdict
	Ranking []struct {
		Name  string
		Score float64
		Exact bool
	}
}

// TestGatedVectors: names, order and ties exactly, scores to 1e-9, and the gate that
// empties an answer.
func TestGatedVectors(t *testing.T) {
	for file, cases := range map[string]int{"bm25_gated_hand_made.json": 184, "bm25_gated_generated_300.json": 200} {
		data, err := os.ReadFile(filepath.Join("testdata", file))
		require.NoError(t, err)
		var s gatedSuite
		require.NoError(t, json.Unmarshal(data, &s))
		t.Run(s.Name, func(t *testing.T) { checkGatedSuite(t, s, cases) })
	}
}

// TestGatedVectorsRegistry runs the suites over real servers, where they are at hand.
func TestGatedVectorsRegistry(t *testing.T) {
	folder := filepath.Join("..", "..", "..", "shared", "vectors-current")
	data, err := os.ReadFile(filepath.Join(folder, "bm25_gated.json"))
	if err != nil {
		t.Skip("no shared vectors:", err)
	}
	var all struct{ Suites []gatedSuite }
	require.NoError(t, json.Unmarshal(data, &all))
	cases := map[string]int{"registry": 150, "registry-renamed": 100}
	for _, s := range all.Suites {
		if s.Registry == "" {
			continue
		}
		s.Tools = registryTools(t, filepath.Join(folder, s.Registry), s.Sum)
		t.Run(s.Name, func(t *testing.T) { checkGatedSuite(t, s, cases[s.Name]) })
		delete(cases, s.Name)
	}
	if len(cases) > 0 {
		t.Errorf("no suites %v", cases)
	}
}

// notInNames is the characters that a name of the agent does not have.
var notInNames = regexp.MustCompile(`[^A-Za-z0-9_]`)

// catalog returns the tools of a suite in the order of their names: of a registry those
// of MCP servers.
func (s gatedSuite) catalog(t *testing.T) []*model.Tool {
	t.Helper()
	var tools []*model.Tool
	for _, raw := range s.Tools {
		var tool struct {
			Function struct {
				Name, Description string
				Parameters        json.RawMessage
			}
			Toolset, Source string
		}
		require.NoError(t, json.Unmarshal(raw, &tool))
		if s.Registry != "" && tool.Source != "mcp" {
			continue
		}
		f := tool.Function
		if s.Rename != "" {
			server := notInNames.ReplaceAllString(strings.TrimPrefix(tool.Toolset, "mcp-"), "_")
			f.Name = "mcp__" + server + "__" + strings.TrimPrefix(f.Name, "mcp_"+server+"_")
		}
		made := newTool(f.Name, f.Description, f.Parameters)
		if made.Toolset = tool.Toolset; s.Registry == "" {
			made.Toolset = s.Toolsets[f.Name]
		}
		tools = append(tools, made)
	}
	slices.SortFunc(tools, func(a, b *model.Tool) int { return strings.Compare(a.Name, b.Name) })
	return tools
}

func checkGatedSuite(t *testing.T, s gatedSuite, cases int) {
	t.Helper()
	if len(s.Cases) != cases {
		t.Fatalf("%d cases, want %d", len(s.Cases), cases)
	}
	tools := s.catalog(t)
	x := mustGated(t, tools)
	for i, c := range s.Cases {
		t.Run(fmt.Sprintf("%d %.40q", i, c.Query), func(t *testing.T) {
			want := c.gatedAnswer
			if c.Older != nil {
				want = *c.Older
			}
			if x.Len() != c.Total {
				t.Fatalf("catalog of %d, want %d", x.Len(), c.Total)
			}
			if got := stems(c.Query); !slices.Equal(got, want.Tokens) {
				t.Errorf("tokens %q, want %q", got, want.Tokens)
			}
			if got := x.Scored(c.Query); got != want.Hits {
				t.Errorf("Scored = %d, want %d", got, want.Hits)
			}
			if g := x.Gates(c.Query); c.Older == nil && g.Answerable > 0 && (g.Gate != *c.Gate || g.DF != c.DF || g.Required != c.Required) {
				t.Errorf("%+v, want %s, df %d, %d required", g, *c.Gate, c.DF, c.Required)
			}
			got := x.Search(c.Query, len(want.Ranking)).Hits
			if len(got) != len(want.Ranking) {
				t.Fatalf("%d hits, want %d", len(got), len(want.Ranking))
			}
			for j, w := range want.Ranking {
				doc := got[j].Doc
				if name := tools[doc].Name; name != w.Name {
					t.Fatalf("hit %d is %s, want %s", j, name, w.Name)
				}
				if math.Abs(got[j].Score-w.Score) > 1e-9*w.Score {
					t.Errorf("score of %s is %v, want %v", w.Name, got[j].Score, w.Score)
				}
				if exact := x.Admission(c.Query, doc).Verdict == AdmittedExact; c.Older == nil && exact != w.Exact {
					t.Errorf("%s by its name: %v, want %v", w.Name, exact, w.Exact)
				}
			}
		})
	}
}
