package replay

import (
	"cmp"
	"hash/maphash"
	"slices"

	"caliper/engine/replay"
	"caliper/tui/report"
	"caliper/tui/report/replays"
)

// replayed is a report, what it was computed of, and what follows from it for the screen: a log
// may have hundreds of thousands of sessions, so that nothing of that is done while it is drawn.
type replayed struct {
	*replay.Report
	inputs  replay.Inputs
	order   []int            // the numbers of the sessions as they are listed
	numbers map[uint64]int32 // the number of a session, by the hash of its key
	names   sessionNames

	verdict *report.Report // in words
}

// newReplayed returns a report with what follows from it.
func newReplayed(rep *replay.Report, of replay.Inputs) *replayed {
	r := &replayed{Report: rep, inputs: of, numbers: make(map[uint64]int32, rep.Len()), names: noNames, verdict: replays.ReplayVerdict(rep)}
	type listed struct{ session, loops, missed int }
	list := make([]listed, 0, rep.Len())
	for i, s := range rep.Each() {
		list = append(list, listed{i, s.Loops, s.Deferrable - s.Found})
		r.names.add(s)
		if key := keyOf(s); !r.has(key) {
			r.numbers[hashOf(key)] = int32(i)
		}
	}
	slices.SortStableFunc(list, func(a, b listed) int { // those with most loops first, then those with most misses
		return cmp.Or(b.loops-a.loops, b.missed-a.missed)
	})
	r.order = make([]int, len(list))
	for i, l := range list {
		r.order[i] = l.session
	}
	return r
}

// keyOf returns what a session is known by when its log is read again.
func keyOf(s replay.Session) string { return s.File + "\x00" + s.ID }

var seed = maphash.MakeSeed()

// hashOf returns the hash of the key of a session.
func hashOf(key string) uint64 { return maphash.String(seed, key) }

// numberOf returns the number of the session with a key. Where no session has the key, it
// returns the one listed first; -1 when the report has no session.
func (r *replayed) numberOf(key string) int {
	if i, ok := r.numbers[hashOf(key)]; ok {
		return int(i)
	}
	if len(r.order) == 0 {
		return -1
	}
	return r.order[0]
}

// has reports whether there is a session with a key.
func (r *replayed) has(key string) bool {
	_, ok := r.numbers[hashOf(key)]
	return ok
}
