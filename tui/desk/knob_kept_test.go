package desk

import (
	"encoding/json"
	"slices"
	"testing"

	"caliper/config"
	"caliper/model/require"
	"caliper/tui/workbench"
)

// Kept trials are tried again as they were, and undo takes them back one by one.
func TestKeptIsRestored(t *testing.T) {
	t.Parallel()
	files := load(t, "")
	was := NewKnobs()
	was.Show(files)
	for _, k := range table {
		if k.Kind != config.List {
			was.Turn(k, 1)
			was.Turn(k, -1)
			was.Turn(k, -1)
		}
	}
	was.Put(KnobOf("tools.rag_core"), []string{"a", "b"})
	was.Put(KnobOf("model.context_length"), nil)
	was.Edit([]workbench.Edit{{Tool: "x", Description: "one\ntwo"}, {Tool: "y"}})
	data, err := json.Marshal(was.Keep())
	require.NoError(t, err)
	var kept KeptKnobs
	require.NoError(t, json.Unmarshal(data, &kept))
	is := NewKnobs()
	if refused := is.Restore(kept); len(refused) > 0 {
		t.Errorf("%v is refused of %s", refused, data)
	}
	is.Show(files)
	for _, k := range table {
		if !SameValue(is.Value(k), was.Value(k)) {
			t.Errorf("%s: %v, want %v", k.Label, is.Value(k), was.Value(k))
		}
	}
	if !slices.Equal(is.Edits(), was.Edits()) {
		t.Errorf("descriptions %v, want %v", is.Edits(), was.Edits())
	}
	n := 0
	for is.Undo() {
		n++
	}
	if want := len(kept.Knobs) + len(kept.Edits); n != want || is.CountTurned() > 0 {
		t.Errorf("%d steps to undo, want %d", n, want)
	}
}

// SECURITY: a value that a configuration refuses would end every load.
func TestKeptRefuses(t *testing.T) {
	t.Parallel()
	for _, kept := range []string{
		`{"knobs": [{"key": "tools.tool_search.threshold_pct", "value": 500}]}`,
		`{"knobs": [{"key": "tools.tool_search.threshold_pct", "value": null}]}`,
		`{"knobs": [{"key": "tools.tool_search.threshold_pct", "value": "12"}]}`,
		`{"knobs": [{"key": "tools.tool_search.threshold_pct"}]}`,
		`{"knobs": [{"key": "tools.tool_search.search_default_limit", "value": 2.5}]}`,
		`{"knobs": [{"key": "tools.tool_search.ranker", "value": "best"}]}`,
		`{"knobs": [{"key": "tokenizer", "value": "words"}]}`,
		`{"knobs": [{"key": "turns", "value": 0}]}`,
		`{"knobs": [{"key": "tools.rag_embed_url", "value": "http://elsewhere"}]}`,
		`{"knobs": [{"key": "nothing", "value": 1}]}`,
	} {
		var k KeptKnobs
		require.NoError(t, json.Unmarshal([]byte(kept), &k))
		s := NewKnobs()
		if refused := s.Restore(k); len(refused) != 1 {
			t.Errorf("%s: refused %v", kept, refused)
		}
		if knobs, _ := s.tried(); knobs != nil || s.CanUndo() {
			t.Errorf("%s is tried", kept)
		}
	}
}
