package queries

import (
	"slices"
	"sync"
	"sync/atomic"

	"caliper/engine/lint"
)

// arrivals are the findings of one run of lint while it goes on, in the order in
// which they stand at its end. The run adds them, and the screen reads them whenever it
// likes. A new list is made when there is an eighth more, so that all lists together
// are about nine times as long as the last one; and, so that nothing waits long when
// little is found, when another share of the work is done.
type arrivals struct {
	sorted atomic.Pointer[[]lint.Finding] // never changed once it is there; nil: none yet

	mu      sync.Mutex
	pending []lint.Finding // found since
	share   int            // of the work that was done at the last step
}

// shares is into how many parts the work is divided for arrivals.step. Lists that are
// made for a share are together at most as many times as long as the last one.
const shares = 16

// add takes in a finding. The run calls it for one after another.
func (a *arrivals) add(f lint.Finding) {
	a.mu.Lock()
	defer a.mu.Unlock()
	a.pending = append(a.pending, f)
	if len(a.pending) > len(a.list())/8 {
		a.sortIn()
	}
}

// step takes in how much of the work is done.
func (a *arrivals) step(done, total int) {
	a.mu.Lock()
	defer a.mu.Unlock()
	if share := done * shares / max(1, total); share > a.share {
		a.share = share
		a.sortIn()
	}
}

// sortIn makes a new list of the pending and the listed ones; the caller holds the
// lock.
func (a *arrivals) sortIn() {
	if len(a.pending) == 0 {
		return
	}
	slices.SortStableFunc(a.pending, lint.Compare)
	list := merged(a.list(), a.pending)
	a.pending = a.pending[:0]
	a.sorted.Store(&list)
}

// merged returns two sorted lists as one, in which a's stand before their equals
// of b.
func merged(a, b []lint.Finding) []lint.Finding {
	out := make([]lint.Finding, 0, len(a)+len(b))
	for len(a) > 0 && len(b) > 0 {
		if lint.Compare(b[0], a[0]) < 0 {
			out, b = append(out, b[0]), b[1:]
		} else {
			out, a = append(out, a[0]), a[1:]
		}
	}
	return append(append(out, a...), b...)
}

// list returns what has arrived.
func (a *arrivals) list() []lint.Finding {
	if list := a.sorted.Load(); list != nil {
		return *list
	}
	return nil
}

// arrived shows what the run of lint has found so far, unless there is a whole report,
// which stays until there is a new one.
func (s *Screen) arrived() {
	list := s.arriving.list()
	if f := &s.found; f.linted || len(list) <= len(f.report.Findings) {
		return
	}
	s.found.report, s.found.partial = lint.Report{Findings: list}, true
	s.orderView(viewFindings)
}
