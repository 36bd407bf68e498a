package embed_test

import (
	"context"
	"errors"
	"math"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"caliper/engine/embed"
	"caliper/engine/internal/fixture"
	"caliper/model"
	"caliper/model/require"
)

// harbour is a catalog of our own.
func harbour() []*model.Tool {
	tool := func(name, toolset, description, parameter string) *model.Tool {
		return &model.Tool{Name: name, Toolset: toolset, Description: description, Parameters: []byte(`{"type":"object","properties":{"` + parameter + `":{"type":"string"}}}`)}
	}
	return []*model.Tool{
		tool("create_branch", "mcp-github", "Create a new branch in a repository.", "branch"),
		tool("delete_file", "mcp-github", "Delete a file from a repository.", "path"),
		tool("getPullRequest", "mcp-github", "Get one pull request with its reviews.", "number"),
		tool("get_tides", "harbour", "Get the tides of a harbour for a day.", "day"),
		tool("list_berths", "harbour", "List the free berths of a harbour, with "+strings.Repeat("depth, width and mooring, ", 80)+"all of it.", "length"),
		tool("kensaku", "jp", "港の天気予報を検索します。", "basho"),
		tool("poisk", model.NoToolset, "Находит суда в порту по названию.", "imya"),
		tool("run_shell", "core", "Run a command in a shell, such as echo hello.", "command"),
	}
}

func TestScores(t *testing.T) {
	tools := harbour()
	x := index(t, tools)
	for _, c := range []struct{ kind, message, first string }{
		{"typo", "crate a barnch", "create_branch"},
		{"typo", "please could you tell me when the tieds are high enough for a boat to leave", "get_tides"},
		{"typo beside a long description", "brths", "list_berths"},
		{"form", "branching", "create_branch"},
		{"form", "deletion", "delete_file"},
		{"part", "pull", "getPullRequest"},
		{"compound", "pullrequests", "getPullRequest"},
		{"parameter", "basho", "kensaku"},
		{"toolset", "github harbor", "get_tides"},
		{"Japanese", "天気予報", "kensaku"},
		{"Russian", "названием", "poisk"},
		{"nothing", "hello", ""},
		{"nothing", "hello, good morning and thanks!", ""},
		{"nothing", "the of and", ""},
		{"nothing", "", ""},
		{"nothing", "zzzqx 12345", ""},
	} {
		t.Run(c.kind+"/"+c.message, func(t *testing.T) {
			first, best := "", x.Floor(nil, 0)
			got := scores(t, x, c.message, tools)
			for i, score := range got {
				if score > best {
					first, best = tools[i].Name, score
				}
			}
			if first != c.first {
				t.Errorf("%q is first, want %q: %.3f", first, c.first, got)
			}
		})
	}
}

// TestFields: a word tells more in a name than in a description, and there more
// than in the name of a parameter.
func TestFields(t *testing.T) {
	tools := []*model.Tool{
		{Name: "a_walrus", Toolset: "x", Description: "Of other words."},
		{Name: "a_word", Toolset: "x", Description: "Of other walrus."},
		{Name: "a_word", Toolset: "x", Description: "Of other words.", Parameters: []byte(`{"properties":{"walrus":{}}}`)},
		{Name: "a_word", Toolset: "x", Description: "Of other words."},
	}
	got := scores(t, index(t, tools), "walrus", tools)
	if !(got[0] > got[1] && got[1] > got[2] && got[2] > got[3] && got[3] == 0) {
		t.Errorf("%.3f", got)
	}
}

// TestGrowingMessage: no word that is added takes from a score.
func TestGrowingMessage(t *testing.T) {
	tools := harbour()
	x := index(t, tools)
	message, before := "", make([]float64, len(tools))
	for _, word := range strings.Fields("branch weather please boats shell 天気 delete zzz pull") {
		message += " " + word
		after := scores(t, x, message, tools)
		for i := range after {
			if after[i] < before[i] {
				t.Errorf("%q: %s falls from %.4f to %.4f", message, tools[i].Name, before[i], after[i])
			}
		}
		before = after
	}
}

func TestSubsets(t *testing.T) {
	tools := fixture.Tools(300, 4)
	x := index(t, tools)
	message := tools[7].Name
	all := scores(t, x, message, tools)
	rapid.Check(t, func(t *rapid.T) {
		places := rapid.SliceOfN(rapid.IntRange(-1, len(tools)-1), 0, 50).Draw(t, "places")
		subset := make([]*model.Tool, len(places))
		for i, p := range places {
			if p < 0 {
				subset[i] = &model.Tool{Name: tools[0].Name, Description: tools[0].Description}
			} else {
				subset[i] = tools[p]
			}
		}
		got, err := x.Scores(context.Background(), message, subset)
		require.NoError(t, err)
		for i, p := range places {
			if want := 0.0; p < 0 && got[i] != want || p >= 0 && got[i] != all[p] {
				t.Fatalf("place %d: %v", i, got[i])
			}
		}
	})
	if !slices.ContainsFunc(all, func(score float64) bool { return score > x.Floor(nil, 0) }) {
		t.Error("the message is like no tool")
	}
}

func TestIdentity(t *testing.T) {
	x := index(t, nil)
	if got := x.Identity(); got != (embed.Identity{Provider: "fuzzy"}) || got.String() != "fuzzy" {
		t.Errorf("%+v", got)
	}
	if got := scores(t, x, "anything", nil); len(got) != 0 {
		t.Errorf("%v", got)
	}
	odd := []*model.Tool{{}, {Name: "the", Description: "of the …", Parameters: []byte("{}")}}
	if got := scores(t, index(t, odd), "the anything", odd); !slices.Equal(got, []float64{0, 0}) {
		t.Errorf("%v", got)
	}
}

// TestCancelled: a context that has ended is told, and leaves nothing behind.
func TestCancelled(t *testing.T) {
	tools := harbour()
	x := index(t, tools)
	want := scores(t, x, "branch tides", tools)
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := x.Scores(ctx, "branch", tools); !errors.Is(err, context.Canceled) {
		t.Errorf("error %v", err)
	}
	if _, err := embed.NewFuzzy(ctx, tools); !errors.Is(err, context.Canceled) {
		t.Errorf("error %v", err)
	}
	if got := scores(t, x, "branch tides", tools); !slices.Equal(got, want) {
		t.Errorf("%v after a cancelled call, %v before", got, want)
	}
}

// TestLongMessages: of a text that was pasted, the beginning and the end are
// read.
func TestLongMessages(t *testing.T) {
	tools := harbour()
	x := index(t, tools)
	var noise strings.Builder
	for i := range 20_000 {
		noise.WriteString("qz" + string(rune('a'+i%26)) + string(rune('a'+i/26%26)) + string(rune('a'+i/676%26)) + " ")
	}
	for _, message := range []string{
		"the tieds: " + noise.String(),
		noise.String() + " the tieds?",
		"天気 tides " + strings.Repeat("港口", 30_000),
		"tides " + strings.Repeat("a", 100_000),
		"tides " + strings.Repeat("\xff\x80", 50_000),
	} {
		if got := scores(t, x, message, tools)[3]; got <= x.Floor(nil, 0) {
			t.Errorf("%.20q…: %.3f", message, got)
		}
	}
}

func FuzzScores(f *testing.F) {
	tools := harbour()
	x, err := embed.NewFuzzy(context.Background(), tools)
	require.NoError(f, err)
	for _, message := range []string{"", "crate a barnch", "天気予報 getHTTPFile2", "\xff\x80é", strings.Repeat("long ", 5000)} {
		f.Add(message)
	}
	f.Fuzz(func(t *testing.T, message string) {
		got := scores(t, x, message, tools)
		for i, score := range got {
			if math.IsNaN(score) || score < 0 || score >= 1 {
				t.Errorf("%s has %v", tools[i].Name, score)
			}
		}
		if again := scores(t, x, message, tools); !slices.Equal(got, again) {
			t.Errorf("%v, then %v", got, again)
		}
	})
}
