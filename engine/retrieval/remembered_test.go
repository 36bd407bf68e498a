package retrieval

import (
	"encoding/binary"
	"slices"
	"sync"
	"testing"
)

// TestRemembered: lists are kept until there are enough, also when many keep at the same
// time, and those that are known can be replaced.
func TestRemembered(t *testing.T) {
	var r Remembered[DocSum]
	key := func(id uint32) []byte { return binary.BigEndian.AppendUint32(nil, id) }
	if list, known := r.Find(key(7)); known {
		t.Errorf("empty: %v", list)
	}
	var wg sync.WaitGroup
	for g := range uint32(4) {
		wg.Go(func() {
			for id := range uint32(maxRemembered) {
				r.Keep(key(id*4+g), []DocSum{{Doc: id*4 + g}})
			}
		})
	}
	wg.Wait()
	found := 0
	for id := range uint32(4 * maxRemembered) {
		list, known := r.Find(key(id))
		if !known {
			continue
		}
		if found++; !slices.Equal(list, []DocSum{{Doc: id}}) {
			t.Fatalf("list of %d: %v", id, list)
		}
		r.Keep(key(id), nil)
		if list, known := r.Find(key(id)); !known || list != nil {
			t.Fatalf("list of %d, replaced: %v, %t", id, list, known)
		}
	}
	if found != maxRemembered {
		t.Errorf("%d lists found", found)
	}
}
