package embed_test

import (
	"context"
	"errors"
	"math"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"

	"pgregory.net/rapid"

	"caliper/engine/embed"
	"caliper/engine/internal/fixture"
	"caliper/engine/retrieval"
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
		{"form", "deletion", "delete_file"},
		{"part", "pull", "getPullRequest"},
		{"compound", "pullrequests", "getPullRequest"},
		{"parameter", "basho", "kensaku"},
		{"toolset", "github harbor", "get_tides"},
		{"Japanese", "天気予報", "kensaku"},
		{"Russian", "названием", "poisk"},
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

func TestWords(t *testing.T) {
	for _, c := range []struct{ text, want string }{
		{"", ""},
		{"getHTTPFile2 ÜberGröße", "get http file 2 über größe"},
		{"HTTPs", "htt ps"}, // nothing tells a plural from a capital
		{"天気予報 カード", "天気 気予 予报 カー ード"},
		{strings.Repeat("a", 100), strings.Repeat("a", 40)},
	} {
		if got := strings.Join(embed.Words(c.text), " "); got != c.want {
			t.Errorf("words of %q: %q, want %q", c.text, got, c.want)
		}
	}
}

func TestAlike(t *testing.T) {
	var among []string
	for _, tool := range fixture.Tools(200, 1) {
		among = append(among, embed.Words(tool.Name+" "+tool.Description)...)
	}
	for _, c := range []struct {
		kind, word, other string
		least, most       float64
	}{
		{"same", "branch", "branch", 1, 1},
		{"letter left out", "brnch", "branch", 0.75, 0.75},
		{"letter added", "braanch", "branch", 1 - 1.5/7, 1 - 1.5/7},
		{"letters swapped", "brnach", "branch", 0.75, 0.75},
		{"form", "branches", "branch", 0.3, 0.7},
		{"form", "creating", "create", 0.12, 0.5},
		{"form", "repositories", "repository", 0.3, 0.8},
		{"part", "pull", "pullrequest", 0.1, 0.3},
		{"two slips in a long word", "authentcaton", "authentication", 0.12, 0.7},
		{"first letter wrong", "cello", "hello", 0.1, 0.5},
		{"short", "teh", "the", 0, 0},
		{"unlike", "hello", "shell", 0, 0},
		{"unlike", "hello", "help", 0, 0},
	} {
		t.Run(c.kind+"/"+c.word+"/"+c.other, func(t *testing.T) {
			if got := embed.Alike(c.word, c.other, among); got < c.least || got > c.most {
				t.Errorf("%.3f, want %.2f to %.2f", got, c.least, c.most)
			}
		})
	}
}

func TestGrams(t *testing.T) {
	for word, want := range map[string]string{
		"x":   "^x^",
		"ab":  "^ab ab^ ^ab^",
		"abc": "^ab abc bc^ ^abc abc^ ^abc^",
		"天気":  "^天気 天気^ ^天気^",
	} {
		var got []string
		for _, g := range embed.Grams(word) {
			got = append(got, strings.ReplaceAll(g, " ", "^"))
		}
		if !slices.Equal(got, strings.Fields(want)) {
			t.Errorf("grams of %s: %q, want %s", word, got, want)
		}
	}
}

// smallTalk are messages for which no tool is needed.
var smallTalk = []string{
	"hello", "Hello!", "hi", "hi there", "hey", "thanks", "Thank you very much", "good morning", "good evening", "ok", "okay", "bye", "good night", "thanks a lot", "great, thanks!", "have a nice day", "sorry", "how are you doing today?", "", "?!", "hello, how are you?",
}

// TestSmallTalk: small talk selects nothing on any real registry. What comes
// nearest to the floor is logged.
func TestSmallTalk(t *testing.T) {
	names, all := realRegistries(t)
	nearest, where := 0.0, ""
	for _, name := range names {
		tools := all[name].Tools
		x := index(t, tools)
		for _, message := range smallTalk {
			for i, score := range scores(t, x, message, tools) {
				if score > nearest {
					nearest, where = score, message+": "+tools[i].Name+" of "+name
				}
				if score > x.Floor(nil, 0) {
					t.Errorf("%s: %q selects %s with %.4f", name, message, tools[i].Name, score)
				}
			}
		}
	}
	t.Logf("nearest: %.4f, %s", nearest, where)
}

// typos returns what one slip of a key inside a word makes of it: a letter left
// out, replaced by another, or swapped with the next.
func typos(word string) []string {
	var all []string
	for i := 1; i < len(word)-1; i++ {
		all = append(all, word[:i]+word[i+1:])
		replaced := byte('a' + (word[i]-'a'+7)%26)
		all = append(all, word[:i]+string(replaced)+word[i+1:])
		if i+2 < len(word) && word[i] != word[i+1] {
			all = append(all, word[:i]+string([]byte{word[i+1], word[i]})+word[i+2:])
		}
	}
	return all
}

// mainWord returns the word of a tool's name that the fewest tools of the
// registry have in theirs, the first of several; empty when it has other letters
// than a to z or fewer than five.
func mainWord(t *model.Tool, holders map[string]int) string {
	best := ""
	for _, w := range embed.Words(t.Name) {
		if best == "" || holders[w] < holders[best] {
			best = w
		}
	}
	if utf8.RuneCountInString(best) < 5 || slices.ContainsFunc([]byte(best), func(b byte) bool { return b < 'a' || b > 'z' }) {
		return ""
	}
	return best
}

// TestTypos: a slip of a key in a tool's main word, as the whole message, selects
// the tool. That holds for all of the typos of main words of five letters and
// more in all real registries (some 133,000), but one: "with" for "width" is a
// stop word. The lowest score is logged; it was 0.19 when the floor was set.
func TestTypos(t *testing.T) {
	names, all := realRegistries(t)
	total, lowest := 0, 1.0
	for _, name := range names {
		tools := all[name].Tools
		x := index(t, tools)
		holders := map[string]int{}
		for _, tool := range tools {
			for _, w := range slices.Compact(slices.Sorted(slices.Values(embed.Words(tool.Name)))) {
				holders[w]++
			}
		}
		step := max(1, len(tools)/100)
		for i := 0; i < len(tools); i += step {
			word := mainWord(tools[i], holders)
			if word == "" {
				continue
			}
			for _, typo := range typos(word) {
				if retrieval.EnglishLexicon().Kind([]byte(typo)) == retrieval.StopWord {
					continue // "with" for "width" is no typo that letters could tell
				}
				total++
				got := scores(t, x, typo, tools[i:i+1])[0]
				lowest = min(lowest, got)
				if got <= x.Floor(nil, 0) {
					t.Errorf("%s: %q for %q gives %s %.4f", name, typo, word, tools[i].Name, got)
				}
			}
		}
	}
	t.Logf("%d typos, lowest score %.4f", total, lowest)
}

// sharedFolder is where real registries and labelled queries are.
const sharedFolder = "../../../shared"

// realRegistries returns every real registry by its file: the dumps, the answer
// of each server, and the tools of the evaluation sets.
func realRegistries(t testing.TB) (names []string, all map[string]*model.Registry) {
	t.Helper()
	all = map[string]*model.Registry{}
	for _, pattern := range []string{"registries/registry*.json", "registries/raw/*.json", "eval/*/tools.json"} {
		files, err := filepath.Glob(filepath.Join(sharedFolder, pattern))
		require.NoError(t, err)
		for _, file := range files {
			name, err := filepath.Rel(sharedFolder, file)
			require.NoError(t, err)
			names = append(names, name)
			all[name] = fixture.Parse(t, fixture.SharedFile(t, name))
		}
	}
	if len(names) == 0 {
		t.Skip("no shared folder")
	}
	return names, all
}

// index returns the index of tools.
func index(t testing.TB, tools []*model.Tool) *embed.FuzzyIndex {
	t.Helper()
	x, err := embed.NewFuzzy(t.Context(), tools)
	require.NoError(t, err)
	return x
}

// scores returns the scores of tools for a message.
func scores(t testing.TB, x *embed.FuzzyIndex, message string, tools []*model.Tool) []float64 {
	t.Helper()
	s, err := x.Scores(t.Context(), message, tools)
	require.NoError(t, err)
	return s
}
