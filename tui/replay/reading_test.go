package replay

import (
	"os"
	"path/filepath"
	"testing"
)

// A log that grows, and one that comes, are both seen; looking changes nothing.
func TestStampTellsGrowth(t *testing.T) {
	folder := t.TempDir()
	put := func(name, text string) {
		t.Helper()
		if err := os.WriteFile(filepath.Join(folder, name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	put("a.jsonl", "{}\n")
	before := stampOf(t.Context(), []string{folder})
	if again := stampOf(t.Context(), []string{folder}); again != before {
		t.Errorf("nothing changed: %v and %v", before, again)
	}
	put("a.jsonl", "{}\n{}\n")
	grown := stampOf(t.Context(), []string{folder})
	if grown == before || grown.files != 1 || grown.bytes != 6 {
		t.Errorf("grown: %+v, before %+v", grown, before)
	}
	put("b.jsonl", "")
	if more := stampOf(t.Context(), []string{folder}); more == grown || more.files != 2 {
		t.Errorf("one more file: %+v", more)
	}
	if none := stampOf(t.Context(), []string{filepath.Join(folder, "gone")}); none != (stamp{}) {
		t.Errorf("a path that is not there: %+v", none)
	}
}

// The cells of a bar never exceed its width, and parts of nothing have none.
func TestBar(t *testing.T) {
	for _, c := range []struct {
		name string
		step step
		most float64
		w    int
		want parts
	}{
		{"halves", step{Tools: 50, Results: 50}, 100, 10, parts{5, 0, 0, 5}},
		{"all four", step{Tools: 25, Rest: 25, Messages: 25, Results: 25}, 100, 8, parts{2, 2, 2, 2}},
		{"a negative rest", step{Tools: 100, Rest: -50}, 100, 10, parts{10, 0, 0, 0}},
		{"no tokens", step{}, 0, 10, parts{}},
		{"more than most", step{Tools: 300}, 100, 10, parts{10, 0, 0, 0}},
	} {
		if got := barOf(c.step, c.most, c.w); *got != c.want {
			t.Errorf("%s: %v, want %v", c.name, *got, c.want)
		}
	}
}
