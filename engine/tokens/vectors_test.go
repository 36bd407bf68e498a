package tokens

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"os"
	"path/filepath"
	"testing"

	"caliper/model"
	"caliper/model/require"
)

// vectors are the conformance vectors of the estimate.
type vectors struct {
	Cases []struct {
		Note          string
		Tool          json.RawMessage
		Raw           *string
		Chars, Tokens int
	}
	Sums []struct {
		Cases             []int
		Chars, Tokens     int
		SumOfSingleTokens int `json:"sum_of_single_tokens"`
	}
	Registry struct {
		Path       string `json:"registry"`
		SHA256     string `json:"registry_sha256"`
		All        sum
		Deferrable sum
		Core       []string `json:"core_for_deferrable"`
		Toolsets   map[string]sum
	} `json:"registry_sums"`
}

// sum is the size of a group of tools.
type sum struct{ Count, Tokens int }

// readVectors reads a file of vectors.
func readVectors(t *testing.T, path string) vectors {
	t.Helper()
	data, err := os.ReadFile(path)
	require.NoError(t, err)
	var v vectors
	require.NoError(t, json.Unmarshal(data, &v))
	return v
}

func TestVectors(t *testing.T) {
	v := readVectors(t, "testdata/tokens.json")
	if len(v.Cases) < 60 || len(v.Sums) < 13 {
		t.Fatalf("%d cases and %d sums: the file is not whole", len(v.Cases), len(v.Sums))
	}
	units := make([]int, len(v.Cases))
	for i, c := range v.Cases {
		def := []byte(c.Tool)
		if c.Raw != nil {
			def = []byte(*c.Raw)
		}
		units[i] = Chars4.Units(def)
		if units[i] != c.Chars || Chars4.Tokens(units[i]) != c.Tokens {
			t.Errorf("%s: %d chars, %d tokens; want %d, %d\n%s", c.Note,
				units[i], Chars4.Tokens(units[i]), c.Chars, c.Tokens, Compact(nil, def))
		}
	}
	for i, s := range v.Sums {
		total, single := 0, 0
		for _, c := range s.Cases {
			total += units[c]
			single += Chars4.Tokens(units[c])
		}
		if total != s.Chars || Chars4.Tokens(total) != s.Tokens || single != s.SumOfSingleTokens {
			t.Errorf("sum %d: %d chars, %d tokens, %d one by one; want %d, %d, %d", i,
				total, Chars4.Tokens(total), single, s.Chars, s.Tokens, s.SumOfSingleTokens)
		}
	}
}

func TestRegistryVectors(t *testing.T) {
	path := "../../../shared/vectors/tokens.json"
	if _, err := os.Stat(path); err != nil {
		t.Skip("no shared vectors")
	}
	v := readVectors(t, path)
	registry, sets := realRegistry(t)
	core := map[string]bool{}
	for _, name := range v.Registry.Core {
		core[name] = true
	}
	units, err := NewCache(Chars4).Registry(t.Context(), registry)
	require.NoError(t, err)
	var all, deferrable int
	count := 0
	byToolset := map[string]int{}
	for i, tool := range registry.Tools {
		n := int(units[i])
		all += n
		byToolset[tool.Toolset] += n
		if !core[tool.Name] {
			deferrable += n
			count++
		}
	}
	if got := (sum{len(registry.Tools), Chars4.Tokens(all)}); got != v.Registry.All {
		t.Errorf("all: %v, want %v", got, v.Registry.All)
	}
	if got := (sum{count, Chars4.Tokens(deferrable)}); len(core) > 0 && got != v.Registry.Deferrable {
		t.Errorf("deferrable: %v, want %v", got, v.Registry.Deferrable)
	}
	for name, want := range v.Registry.Toolsets {
		if got := (sum{sets[name], Chars4.Tokens(byToolset[name])}); got != want {
			t.Errorf("toolset %s: %v, want %v", name, got, want)
		}
	}
}

// realRegistry reads the registry of real servers, and how many tools each
// toolset has. The test is skipped where it is not at hand.
func realRegistry(t testing.TB) (*model.Registry, map[string]int) {
	t.Helper()
	data, err := os.ReadFile(filepath.FromSlash("../../../shared/registries/registry.json"))
	if err != nil {
		t.Skip("no shared registry")
	}
	var dump struct {
		Tools []struct {
			Toolset  string
			Function json.RawMessage
		}
	}
	require.NoError(t, json.Unmarshal(data, &dump))
	r := &model.Registry{}
	sets := map[string]int{}
	for _, d := range dump.Tools {
		var name struct{ Name string }
		require.NoError(t, json.Unmarshal(d.Function, &name))
		r.Tools = append(r.Tools, &model.Tool{
			Name: name.Name, Toolset: d.Toolset, Function: d.Function, Hash: hash(d.Function),
		})
		sets[d.Toolset]++
	}
	if digest := sha256.Sum256(data); hex.EncodeToString(digest[:4]) != "50140787" {
		t.Log("the shared registry is not the one that the vectors were measured on")
	}
	return r, sets
}

// hash stands for the hash that the importer gives a definition.
func hash(def []byte) model.Hash {
	digest := sha256.Sum256(def)
	return model.Hash(digest[:16])
}
