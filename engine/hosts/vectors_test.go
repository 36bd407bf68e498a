package hosts

import (
	"context"
	"encoding/json"
	"flag"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"caliper/engine/internal/fixture"
	"caliper/model"
	"caliper/model/jsontree"
	"caliper/model/require"
	"caliper/model/shapes"
)

// write is the folder that TestWriteSets writes what the scripts of testdata read to.
var write = flag.String("write", "", "write the registries and queries of the vectors to this folder")

// sets are the catalogues of the vectors; those that are not here are in the shared folder.
var sets = []string{"demo", "odd", "registries", "livemcpbench", "bfcl"}

// set is a catalogue with its queries.
type set struct {
	tools   []*model.Tool
	queries []string
}

// readSet returns a set: tools of servers, and of a catalogue without them each toolset as
// one.
func readSet(t *testing.T, name string) set {
	var data []byte
	var queries []string
	read := func(file string) []byte {
		data, err := os.ReadFile(file)
		require.NoError(t, err)
		return data
	}
	switch name {
	case "demo":
		data = read("../../tui/demo/registry.json")
	case "odd":
		data = read("testdata/odd.tools.json")
		require.NoError(t, json.Unmarshal(read("testdata/odd.queries.json"), &queries))
	case "registries":
		data = fixture.SharedFile(t, "registries/registry.json")
	default:
		data = fixture.SharedFile(t, "eval/"+name+"/tools.json")
		asked := map[string]string{"livemcpbench": "learn/livemcp_agentq", "bfcl": "bfcl"}[name]
		for i, line := range strings.Split(strings.TrimSpace(string(fixture.SharedFile(t, "eval/"+asked+"/queries.jsonl"))), "\n") {
			var q struct{ Query string }
			require.NoError(t, json.Unmarshal([]byte(line), &q))
			if name != "bfcl" || i%10 == 0 {
				queries = append(queries, q.Query)
			}
		}
	}
	r, err := shapes.Parse(context.Background(), model.Source{Name: name + ".json", Data: data})
	require.NoError(t, err)
	s := set{queries: queries}
	for _, tool := range r.Tools {
		// Two of one name cannot both be given to a package in a map by name.
		if tool.Server == "" && queries == nil || tool.Qualified != tool.Name {
			continue
		}
		if tool.Server == "" {
			tool.Server = masked(tool.Toolset, "-") // Codex takes no other names
		}
		if tool.OriginalName == "" {
			tool.OriginalName = strings.TrimPrefix(tool.Name, tool.Toolset+"__")
		}
		s.tools = append(s.tools, tool)
	}
	if queries == nil {
		s.queries = madeQueries(s.tools, 150)
	}
	return s
}

// madeQueries returns queries made of tools: a name, its words, the beginning of a
// description, words of it, a server, a parameter, and what is no word.
func madeQueries(tools []*model.Tool, n int) (out []string) {
	words := regexp.MustCompile(`[A-Za-z]+`)
	odd := []string{"the", "a of", "!!!", "+create issue", "create +file", "FILES file files", "e-mail", "données", "send a message to a channel", "wait for the agent", "list my tasks", "web page"}
	for i := 0; len(out) < n; i++ {
		t := tools[i*37%len(tools)]
		said := words.FindAllString(t.Description, -1)
		said = append(said, "list", "all", "of", "them", "now")
		var q []string
		switch i % 7 {
		case 0:
			q = []string{t.Name}
		case 1:
			q = words.FindAllString(t.OriginalName, -1)
		case 2:
			q = said[:2+i%4]
		case 3:
			q = []string{said[i%len(said)], said[(i*5+1)%len(said)], said[(i*11+2)%len(said)]}
		case 4:
			q = []string{t.Server, said[i*3%len(said)]}
		case 5:
			q = append(slices.Clone(t.PropertyNames()[:min(1, len(t.PropertyNames()))]), said[1], said[3])
		case 6:
			q = []string{odd[i/7%len(odd)]}
		}
		out = append(out, strings.Join(q, " "))
	}
	return out
}

// TestWriteSets writes what the scripts read.
func TestWriteSets(t *testing.T) {
	if *write == "" {
		t.Skip("-write FOLDER")
	}
	for _, name := range sets {
		t.Run(name, func(t *testing.T) {
			s := readSet(t, name)
			var tools []map[string]any
			for _, tool := range s.tools {
				parameters := json.RawMessage(tool.Parameters)
				if len(parameters) == 0 {
					parameters = json.RawMessage(`{"type":"object"}`)
				}
				function := map[string]any{"name": tool.Name, "description": tool.Description, "parameters": parameters}
				tools = append(tools, map[string]any{"server": tool.Server, "original_name": tool.OriginalName, "function": function})
			}
			for file, value := range map[string]any{"tools": map[string]any{"tools": tools}, "queries": s.queries} {
				require.NoError(t, os.WriteFile(filepath.Join(*write, name+"."+file+".json"), jsontree.Encode(value), 0o600))
			}
		})
	}
}

// untold is of how many queries of a catalogue the first hits of a host cannot be told, for the
// reason that its row names. All others are equal.
var untold = map[string]int{"pi/odd": 19, "pi/livemcpbench": 29}

// TestVectors compares every host with what its package answered. The vectors have the
// answers by query as numbers of the tools; a name stands for one of the package's own.
func TestVectors(t *testing.T) {
	for _, h := range All {
		if h.Generation != "" {
			continue // the tests of packages engine and retrieval have theirs
		}
		for _, name := range sets {
			t.Run(h.Name+"/"+name, func(t *testing.T) {
				s := readSet(t, name)
				data, err := os.ReadFile(filepath.Join("testdata", h.Name+"."+name+".json"))
				require.NoError(t, err)
				var rankings [][]any
				if err := json.Unmarshal(data, &rankings); err != nil || len(rankings) != len(s.queries) {
					t.Fatalf("%d rankings of %d queries: %v", len(rankings), len(s.queries), err)
				}
				for _, tool := range s.tools {
					if h == codex && name == "odd" {
						tool.Server = strings.ReplaceAll(tool.Server, ".", "-") // it takes no other names
					}
				}
				x := New(h, s.tools)
				differ, unsure := 0, 0
				for i, q := range s.queries {
					want := make([]string, len(rankings[i]))
					for j, of := range rankings[i] {
						switch of := of.(type) {
						case float64:
							want[j] = s.tools[int(of)].Name
						case string:
							want[j] = of
						}
					}
					if !strings.Contains(q, "|") {
						q = h.Asked(q)
					}
					all := x.Search(q, -1)
					var got []string
					for _, hit := range all[:min(h.Limit, len(all))] {
						got = append(got, nameOf(hit))
					}
					if h.Untold != "" {
						withinBounds(t, all, want, h.Limit)
						if slices.ContainsFunc(all[:min(h.Limit, len(all))], func(hit Hit) bool { return hit.Best != hit.Worst }) {
							unsure++
							continue
						}
					}
					if !slices.Equal(got, want) && !(h.rules.chance && equalButTies(all, want, h.Limit)) {
						differ++
						t.Logf("%q finds\n     %q, the package\n     %q", q, got, want)
					}
				}
				if differ > 0 || unsure != untold[t.Name()[len("TestVectors/"):]] {
					t.Errorf("%d of %d queries differ, and %d cannot be told", differ, len(s.queries), unsure)
				}
			})
		}
	}
}

// withinBounds checks that every hit stands between its ranks in what a package answered.
func withinBounds(t *testing.T, all []Hit, want []string, limit int) {
	t.Helper()
	for _, hit := range all {
		rank := slices.Index(want, nameOf(hit)) + 1
		if rank == 0 {
			rank = limit + 1 // or behind it
			if hit.Worst > limit {
				continue
			}
		}
		if rank < hit.Best || rank > hit.Worst {
			t.Errorf("%s has the rank %d, and should be between %d and %d", nameOf(hit), rank, hit.Best, hit.Worst)
		}
	}
	for _, name := range want {
		if !slices.ContainsFunc(all, func(hit Hit) bool { return nameOf(hit) == name }) {
			t.Errorf("%s is not found", name)
		}
	}
}

// nameOf returns the name of a hit in its registry, or its own.
func nameOf(h Hit) string {
	if h.Tool == nil {
		return h.Name
	}
	return h.Tool.Name
}

// equalButTies reports whether an order that limits of 1, 2, ... revealed is that of all
// hits but for equal scores: wherever the score falls, the hits before are the same.
func equalButTies(all []Hit, want []string, limit int) bool {
	if len(want) < min(limit, len(all)) {
		return false
	}
	tied := map[string]bool{}
	for n, h := range all {
		if n < limit || h.Score == all[limit-1].Score {
			tied[nameOf(h)] = true
		}
		if n > limit || n > 0 && all[n-1].Score == h.Score {
			continue
		}
		for _, h := range all[:n] {
			if !slices.Contains(want[:n], nameOf(h)) {
				return false
			}
		}
	}
	return !slices.ContainsFunc(want, func(w string) bool { return !tied[w] })
}
