package queries

import (
	"slices"
	"sync/atomic"

	"caliper/engine/lint"
)

// arrivals are the findings of one run of lint while it goes on, in the order in
// which they stand at its end. The run adds them, and the screen reads them whenever it
// likes. A new list is made when there is an eighth more, so that all lists
// together cost a few times what the last one does.
type arrivals struct {
	sorted  atomic.Pointer[[]lint.Finding] // never changed once it is there; nil: none yet
	pending []lint.Finding                 // found since, for the run only
}

// add takes in a finding. The run calls it for one after another.
func (a *arrivals) add(f lint.Finding) {
	a.pending = append(a.pending, f)
	old := a.list()
	if len(a.pending) <= len(old)/8 {
		return
	}
	slices.SortStableFunc(a.pending, lint.Compare)
	list := merged(old, a.pending)
	a.pending = a.pending[:0]
	a.sorted.Store(&list)
}

// merged returns two sorted lists as one, in which those of a stand before their equals
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
