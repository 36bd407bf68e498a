package replay

import (
	"context"
	"io/fs"
	"os"
	"path/filepath"
	"testing"

	"caliper/model/require"
	"caliper/tui/screen"
	"caliper/watch"
)

// A log that grows, and one that comes, are both seen; looking changes nothing.
func TestStampTellsGrowth(t *testing.T) {
	folder := t.TempDir()
	put := func(name, text string) {
		t.Helper()
		require.NoError(t, os.WriteFile(filepath.Join(folder, name), []byte(text), 0o600))
	}
	put("a.jsonl", "{}\n")
	before := stampOf(t.Context(), []string{folder})
	if again := stampOf(t.Context(), []string{folder}); again != before {
		t.Errorf("nothing changed: %v and %v", before, again)
	}
	put("a.jsonl", "{}\n{}\n")
	grown := stampOf(t.Context(), []string{folder})
	if grown == before {
		t.Errorf("grown: %s, before %s", grown, before)
	}
	put("b.jsonl", "")
	if more := stampOf(t.Context(), []string{folder}); more == grown {
		t.Errorf("one more file: %s", more)
	}
	database := filepath.Join(folder, "state.db") // which grows in its log
	for _, text := range []string{"", "1", "12"} {
		before := stampOf(t.Context(), []string{database})
		put("state.db-wal", text)
		if after := stampOf(t.Context(), []string{database}); after == before {
			t.Errorf("a log of %q: %s", text, after)
		}
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

// Prices that change count in the next report; the same ones, and a file that is broken
// or gone, change nothing.
func TestPricesAreRead(t *testing.T) {
	s := reader(t, []string{"log"}, func(context.Context) error { return nil })
	list := func(input string) string {
		return "as_of: 2026-09-01\ncurrency: USD\nmodels:\n  sable: {input: " + input + ", cache_read: 0.1, cache_write: 0, output: 2}\n"
	}
	asked := s.priced
	for _, c := range []struct {
		name string
		file watch.File
		want float64
		anew bool
	}{
		{"a file", watch.File{Name: "p.yaml", Data: []byte(list("3"))}, 3, true},
		{"the same", watch.File{Name: "p.yaml", Data: []byte("# again\n" + list("3"))}, 3, false},
		{"broken", watch.File{Name: "p.yaml", Data: []byte(list("-1"))}, 3, false},
		{"gone", watch.File{Name: "p.yaml", Err: fs.ErrNotExist}, 3, false},
		{"dearer", watch.File{Name: "p.yaml", Data: []byte(list("6"))}, 6, true},
	} {
		s.Update(screen.FilesMsg{File: screen.PricesFile, Files: []watch.File{c.file}})
		if p, _ := s.prices.Find("sable"); p.Input != c.want || (s.priced != asked) != c.anew {
			t.Errorf("%s: input %v, want %v; a new report %v, want %v", c.name, p.Input, c.want, s.priced != asked, c.anew)
		}
		asked = s.priced
	}
	s.Update(screen.FilesMsg{File: screen.ResultFile, Files: []watch.File{{Name: "r", Data: []byte(list("9"))}}})
	if s.priced != asked {
		t.Error("another file was read as prices")
	}
}
