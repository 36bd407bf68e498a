package engine

import (
	"context"
	"unicode"
	"unicode/utf8"

	"caliper/config"
)

// Unread returns how many letters and digits of a text the snapshot's ranker does not
// read, and how many there are: bm25 and bm25-gated read ASCII alone.
func (s *Snapshot) Unread(text string) (unread, of int) {
	ascii := s.readsASCII()
	for _, r := range text {
		if unicode.IsLetter(r) || unicode.IsNumber(r) {
			of++
			if ascii && r >= utf8.RuneSelf {
				unread++
			}
		}
	}
	return unread, of
}

// readsASCII reports whether the snapshot's ranker reads ASCII letters and digits alone.
func (s *Snapshot) readsASCII() bool { return rankers[s.ranking().ranker].ascii }

// Reader returns the same snapshot with the ranker fielded, which reads the letters of
// every script; it is itself when its ranker reads them. It costs an index. The error is
// ctx's.
func (s *Snapshot) Reader(ctx context.Context) (*Snapshot, error) {
	if !s.readsASCII() {
		return s, nil
	}
	t := *s
	t.Config.ToolSearch.Ranker = config.RankerFielded
	t.catalog = newCatalog(s.corpora.rank, &t)
	_, err := t.catalog.index(ctx)
	return &t, err
}
