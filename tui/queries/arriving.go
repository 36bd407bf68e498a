package queries

import (
	"slices"
	"sync"
	"sync/atomic"

	"caliper/engine/lint"
)

// arrivals are the findings of one run of lint while it goes on, in the order in which they stand
// at its end. The run adds them, and the screen reads them whenever it likes. A new list is made
// when there is an eighth more, so that the making of all takes about nine times as long as that of
// the last, and, so that nothing waits long when little is found, when another share of the work is done.
type arrivals struct {
	sorted atomic.Pointer[[]lint.Finding] // never changed once it is there; nil: none yet

	mu    sync.Mutex
	found []lint.Finding // as they came
	share int            // of the work that was done at the last step
}

// shares is into how many parts the work is divided for arrivals.step.
const shares = 16

// add takes in a finding. The run calls it for one after another.
func (a *arrivals) add(f lint.Finding) {
	a.mu.Lock()
	defer a.mu.Unlock()
	if a.found = append(a.found, f); len(a.found)-len(a.list()) > len(a.list())/8 {
		a.sort()
	}
}

// step takes in how much of the work is done.
func (a *arrivals) step(done, total int) {
	a.mu.Lock()
	defer a.mu.Unlock()
	if share := done * shares / max(1, total); share > a.share {
		a.share = share
		if len(a.found) > len(a.list()) {
			a.sort()
		}
	}
}

// sort makes a new list; the caller holds the lock.
func (a *arrivals) sort() {
	list := slices.Clone(a.found)
	slices.SortStableFunc(list, lint.Compare)
	a.sorted.Store(&list)
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
