package retrieval

import (
	"fmt"
	"strings"
	"sync"
	"testing"
)

func TestStem(t *testing.T) {
	for _, c := range []struct{ word, want string }{
		{"", ""}, {"a", "a"}, {"issues", "issu"}, {"issue", "issu"}, {"creating", "creat"}, {"created", "creat"},
		{"repositories", "repositori"}, {"repository", "repositori"}, {"files", "file"}, {"h264", "h264"}, {"3", "3"},
		{"yes", "yes"}, {"news", "news"}, {"having", "have"},
	} {
		var m StemMemory
		for range 2 {
			if got := m.English([]byte(c.word)); got != c.want || Stem(c.word) != c.want {
				t.Errorf("%q: %q, want %q", c.word, got, c.want)
			}
		}
	}
}

// TestMemory: known words cost nothing, and neither many nor long ones fill it.
func TestMemory(t *testing.T) {
	var m StemMemory
	word := []byte("listings")
	m.English(word)
	if n := testing.AllocsPerRun(100, func() { m.English(word) }); n > 0 {
		t.Errorf("%v allocations", n)
	}
	m.English([]byte(strings.Repeat("x", 65)))
	if len(m.stems) != 1 {
		t.Errorf("%d words", len(m.stems))
	}
	var wg sync.WaitGroup
	for g := range 4 {
		wg.Go(func() {
			for i := range maxStems {
				m.English(fmt.Appendf(nil, "w%d", i*4+g))
			}
		})
	}
	wg.Wait()
	if n := len(m.stems); n > maxStems {
		t.Errorf("%d words, want at most %d", n, maxStems)
	}
}
