package transcript

import (
	"reflect"
	"strings"
	"sync"
	"testing"
	"time"
)

// resting returns a session with words that tell it from others, and a call.
func resting(n int) Session {
	call := Call{ID: "c", Tool: "mail_send", Kind: Search, Answered: true, Lookup: &Lookup{Queries: []string{"q"}, Hits: []string{"a"}}}
	return Session{ID: "s", Agent: OpenAI, Arrays: []ToolArray{{}}, Contexts: []Context{{Entries: []Entry{
		{Parent: None, Kind: User, Words: strings.Repeat("x", n%100), Time: time.Unix(int64(n), 5).UTC()},
		{Parent: 0, Kind: Answer, Request: &Request{ID: "r", Usage: &Usage{Input: n}, Calls: []Call{call}}},
		{Parent: 1, Kind: Result, CallEntry: 1, Size: Size{Tokens: n}},
	}}, {Helper: "h", Deferred: true, Loaded: []Loaded{{1, []string{"t"}}}}}}
}

// TestPack: packed sessions come back as they were, in any order and for several goroutines; packing
// and unpacking twice changes nothing.
func TestPack(t *testing.T) {
	t.Parallel()
	const n = 3 * mostTogether // some packs
	p, sessions, list := new(Packer), make([]Session, n), make([]*Session, n)
	for i := range sessions {
		sessions[i] = resting(i)
		list[i] = &sessions[i]
	}
	p.Pack(list[:10]...)
	p.Pack(list...)
	p.Pack(list...)
	packs := map[*[]byte]bool{}
	for i := range sessions {
		packs[sessions[i].Packed.in] = true
		if ended := time.Unix(int64(i), 5); sessions[i].Contexts != nil || sessions[i].Before(ended) || !sessions[i].Before(ended.Add(1)) {
			t.Fatalf("session %d does not end at %v, or has contexts", i, ended)
		}
	}
	if len(packs) < 5 || len(packs) > n/100 {
		t.Errorf("%d packs", len(packs))
	}
	var all sync.WaitGroup
	for from := range 4 {
		all.Go(func() {
			for i := from; i < n; i += 37 {
				if got := sessions[i].Opened(); !reflect.DeepEqual(got, resting(i)) {
					t.Errorf("session %d is\n%+v", i, got)
				}
			}
		})
	}
	all.Wait()
	sessions[n-1].Unpack()
	sessions[n-1].Unpack()
	if !reflect.DeepEqual(sessions[n-1], resting(n-1)) {
		t.Errorf("it was unpacked as\n%+v", sessions[n-1])
	}
}
