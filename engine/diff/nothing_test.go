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
