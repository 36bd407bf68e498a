package retrieval

import (
	"slices"
	"sync"
	"testing"
)

// TestChampions: lists are kept until there is no room, also when many keep at
// the same time.
func TestChampions(t *testing.T) {
	var c Champions[DocSum]
	if list, room := c.Find(7); list != nil || !room {
		t.Errorf("empty: %v, %v", list, room)
	}
	var wg sync.WaitGroup
	for g := range 4 {
		wg.Go(func() {
			for id := range uint32(MaxChampions) {
				c.Keep(id*4+uint32(g), []DocSum{{Doc: id*4 + uint32(g)}})
			}
		})
	}
	wg.Wait()
	if c.Len() != MaxChampions {
		t.Errorf("%d lists", c.Len())
	}
	found := 0
	for id := range uint32(4 * MaxChampions) {
		list, room := c.Find(id)
		if room {
			t.Fatal("there is room")
		}
		if list != nil {
			if found++; !slices.Equal(list, []DocSum{{Doc: id}}) {
				t.Fatalf("list of %d: %v", id, list)
			}
		}
	}
	if found != MaxChampions {
		t.Errorf("%d lists found", found)
	}
}
