package diff_test

import (
	"bytes"
	"encoding/json"
	"math/rand/v2"
	"reflect"
	"slices"
	"strings"
	"testing"

	"caliper/engine"
	"caliper/engine/diff"
	"caliper/engine/labels"
	"caliper/model/require"
	"caliper/tui/demo"
)

// wordings are words and phrases that say the same.
var wordings = [][]string{
	{"Get", "Return", "Fetch", "Look up"}, {"List", "Show", "Enumerate"}, {"Create", "Make", "Add"}, {"Change", "Update", "Edit"},
	{"Delete", "Remove"}, {"Find", "Search for", "Look for"}, {"Send", "Post"}, {"one", "a single", "a"}, {"all", "every", "the"},
	{"with", "including", "and"}, {"their", "the"}, {"that", "which"}, {"of", "for", "in"}, {"by", "from"}, {"text", "wording"},
	{"name", "title"}, {"person", "user", "member"}, {"issue", "ticket", "item"}, {"message", "note"}, {"booking", "reservation"},
}

// fillers are phrases that say nothing; about half of the descriptions begin with none.
var fillers = []string{"", "", "", "Use this to work with the service. ", "A tool of the service. ", "For one call. "}

// word writes the descriptions of a dump in another way, each by chance: words that say
// the same, and one word of six left out. Two dumps that are worded so differ by nothing
// but chance.
func word(d *dump, r *rand.Rand) {
	d.each("", func(f map[string]any) {
		words := strings.Split(f["description"].(string), " ")
		for i, w := range words {
			for _, same := range wordings {
				if slices.Contains(same, w) && r.IntN(3) == 0 {
					words[i] = same[r.IntN(len(same))]
				}
			}
		}
		words = slices.DeleteFunc(words, func(string) bool { return len(words) > 3 && r.IntN(6) == 0 })
		text := strings.Join(words, " ")
		if sentences := strings.SplitAfter(text, ". "); len(sentences) > 1 && r.IntN(3) == 0 {
			slices.Reverse(sentences)
			text = strings.TrimSpace(strings.Join(sentences, " "))
		}
		f["description"] = fillers[r.IntN(len(fillers))] + text
	})
}

// nothing writes the files in another order and with other white space, which changes
// nothing that the gate may see.
func nothing(tb testing.TB, d *dump, queries []labels.Query, r *rand.Rand) (data []byte, asked []labels.Query) {
	r.Shuffle(len(d.Tools), func(i, k int) { d.Tools[i], d.Tools[k] = d.Tools[k], d.Tools[i] })
	asked = slices.Clone(queries)
	r.Shuffle(len(asked), func(i, k int) { asked[i], asked[k] = asked[k], asked[i] })
	data = d.bytes(tb)
	if r.IntN(2) == 0 {
		var spread bytes.Buffer
		require.NoError(tb, json.Indent(&spread, data, strings.Repeat(" ", r.IntN(3)), "\t"))
		data = spread.Bytes()
	}
	return data, asked
}

// TestNothingPasses: files that are written in another order are no change.
func TestNothingPasses(t *testing.T) {
	builder, queries := engine.NewBuilder(), demoQueries(t)
	base := demoDump(t).bytes(t)
	runs := 12
	if *slow {
		runs = 100
	}
	for seed := range runs {
		r := rand.New(rand.NewPCG(uint64(seed), 1))
		data, asked := nothing(t, demoDump(t), queries, r)
		got := judged(t, snapshotOf(t, builder, base, demo.Config(), ""), snapshotOf(t, builder, data, demo.Config(), ""), asked, diff.GateOptions{})
		if !got.Passed() || got.Recall.Difference != 0 || got.Recall.P != 1 || got.Queries != nil || got.Won != 0 || got.Tokens.Old != got.Tokens.New || got.LintErrors.Old != got.LintErrors.New {
			t.Fatalf("seed %d: %+v", seed, got)
		}
	}
}

// TestChanceRarelyFails words the demo anew by chance, on both sides, and counts how
// often the gate takes that for a fault.
func TestChanceRarelyFails(t *testing.T) {
	runs := 10
	if *slow {
		runs = 1000
	}
	builder, queries, failed, moved := engine.NewBuilder(), demoQueries(t), 0, 0
	byKind := map[diff.ReasonKind]int{}
	for seed := range runs {
		r := rand.New(rand.NewPCG(uint64(seed), 2))
		old, now := demoDump(t), demoDump(t)
		word(old, r)
		word(now, r)
		data, asked := nothing(t, now, queries, r)
		got := judged(t, snapshotOf(t, builder, old.bytes(t), demo.Config(), ""), snapshotOf(t, builder, data, demo.Config(), ""), asked, diff.GateOptions{})
		if !got.Passed() {
			failed++
			byKind[got.Reasons[0].Kind]++
		}
		if len(got.Queries)+got.Won > 0 {
			moved++
		}
	}
	t.Logf("%d of %d shuffles of nothing fail (%v); in %d of them a labelled query won or lost a tool", failed, runs, byKind, moved)
	if 20*failed > runs {
		t.Errorf("%d of %d fail, %v", failed, runs, byKind)
	}
	if 2*moved < runs {
		t.Errorf("only %d of %d move a rank across the limit", moved, runs)
	}
}

// TestJudgeIsOrdered: the same change gives the same result, and the other direction the
// opposite difference.
func TestJudgeIsOrdered(t *testing.T) {
	builder, queries := engine.NewBuilder(), demoQueries(t)
	d := demoDump(t)
	describe("mcp-payments", func(string) string { return "" })(d)
	old, now := snapshotOf(t, builder, demoDump(t).bytes(t), demo.Config(), ""), snapshotOf(t, builder, d.bytes(t), demo.Config(), "")
	there, again := judged(t, old, now, queries, diff.GateOptions{}), judged(t, old, now, queries, diff.GateOptions{})
	if !reflect.DeepEqual(there, again) {
		t.Errorf("%+v\n%+v", there, again)
	}
	back := judged(t, now, old, queries, diff.GateOptions{})
	if there.Recall.Difference != -back.Recall.Difference || there.Recall.P != back.Recall.P || back.Recall.Difference <= 0 || len(back.Queries) != there.Won || back.Won != len(there.Queries) {
		t.Errorf("there %+v, back %+v", there.Recall, back.Recall)
	}
}
