package demo

import (
	"slices"
	"strings"
	"testing"
)

func TestQueries(t *testing.T) {
	d, s := decode(t), decodeConfig(t)
	bearers := map[string]int{}
	for _, tl := range d.catalog(t, s.Sessions["default"]) {
		bearers[tl.Function.Name]++
	}
	qs := decodeQueries(t)
	if len(qs) < 60 {
		t.Errorf("%d queries, want 60 or more", len(qs))
	}
	kinds := map[string]int{}
	seen := map[string]string{}
	for _, q := range qs {
		kind, _, _ := strings.Cut(q.ID, "-")
		kinds[kind]++
		for _, key := range []string{q.ID, q.Query} {
			if other, ok := seen[key]; ok {
				t.Errorf("%s: %q is used by %s too", q.ID, key, other)
			}
			seen[key] = q.ID
		}
		if len(q.Relevant) == 0 || strings.TrimSpace(q.Query) == "" {
			t.Errorf("%s: empty", q.ID)
		}
		for i, name := range q.Relevant {
			if bearers[name] != 1 {
				t.Errorf("%s: %d deferrable tools of the default session are called %s", q.ID, bearers[name], name)
			}
			if slices.Contains(q.Relevant[:i], name) {
				t.Errorf("%s: %s twice", q.ID, name)
			}
		}
		if kind != "ambiguous" && kind != "easy" && len(q.Relevant) > 1 {
			t.Errorf("%s: several tools are right, so it is ambiguous", q.ID)
		}
	}
	for _, kind := range []string{"easy", "plain", "hard", "ambiguous"} {
		if kinds[kind] < 10 {
			t.Errorf("%d %s queries, want 10 or more", kinds[kind], kind)
		}
	}
}
