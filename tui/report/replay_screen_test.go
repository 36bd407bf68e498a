package report

import (
	"reflect"
	"testing"

	"caliper/engine/transcript"
)

// TestSkippedKinds: what was left out is counted by kind, over all files.
func TestSkippedKinds(t *testing.T) {
	got := skippedKinds([]transcript.Skipped{
		{File: "a/1.jsonl", What: "torn", Count: 1},
		{File: "a/1.jsonl", What: "mode", Count: 2},
		{File: "a/2.jsonl", What: "progress", Count: 9},
		{File: "a/2.jsonl", What: "torn", Count: 1},
	})
	want := []skippedKind{{"progress", 9, 1, "a/2.jsonl"}, {"mode", 2, 1, "a/1.jsonl"}, {"torn", 2, 2, "a/1.jsonl"}}
	if !reflect.DeepEqual(got, want) {
		t.Errorf("%v, want %v", got, want)
	}
}
