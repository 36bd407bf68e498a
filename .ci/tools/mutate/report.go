package main

import (
	"fmt"
	"maps"
	"slices"
	"sync"
	"time"
)

// count are the mutants of a package or a group.
type count struct{ Tried, Noticed, Late, Untestable int }

// report collects the outcomes.
type report struct {
	verbose   bool
	mutex     sync.Mutex
	packages  map[string]*count
	groups    map[string]*count
	survivors []*mutant // not noticed
}

// add counts one outcome and prints the mutant when it was not noticed.
func (r *report) add(m *mutant, o outcome) {
	r.mutex.Lock()
	defer r.mutex.Unlock()
	if r.packages == nil {
		r.packages, r.groups = map[string]*count{}, map[string]*count{}
	}
	for _, c := range []*count{entry(r.packages, m.pkg.folder), entry(r.groups, m.group)} {
		switch o {
		case invalid:
			continue
		case untestable:
			c.Untestable++
			continue
		case timedOut:
			c.Late++
			c.Noticed++
		case noticed:
			c.Noticed++
		}
		c.Tried++
	}
	switch {
	case o == survived:
		r.survivors = append(r.survivors, m)
		fmt.Printf("not noticed: %s\n\n", m)
	case r.verbose && o == noticed:
		fmt.Printf("noticed: %s\n\n", m)
	case r.verbose && o == timedOut:
		fmt.Printf("noticed, for the tests did not end: %s\n\n", m)
	}
}

// entry returns the count of a name, a new one the first time.
func entry(counts map[string]*count, name string) *count {
	if counts[name] == nil {
		counts[name] = &count{}
	}
	return counts[name]
}

// judged is how many mutants a share is judged by: fewer say little of a share
// below the whole.
const judged = 20

// print prints what the run found of each package, and whether each group of some sums
// reaches its share, which it reports.
func (r *report) print(sums map[string]*count, sampled int, took time.Duration, unused []string) bool {
	for _, name := range slices.Sorted(maps.Keys(r.packages)) {
		fmt.Printf("%-28s %s\n", name, r.packages[name])
	}
	fmt.Println()
	enough := true
	for _, s := range shares {
		c := sums[s.group]
		if c == nil || c.Tried+c.Untestable == 0 {
			continue
		}
		verdict := "ok"
		switch few := float64(c.Noticed) < s.least*float64(c.Tried); {
		case c.Untestable > 0 || few && s.least == 1, few && c.Tried >= judged:
			verdict, enough = "TOO FEW", false
		case few:
			verdict = "too small a sample to judge"
		}
		fmt.Printf("%-28s %s, wanted %.0f %%: %s\n", s.group, c, 100*s.least, verdict)
	}
	for _, key := range unused {
		fmt.Printf("listed as equivalent, but no such mutant any more:\n%s\n\n", key)
	}
	fmt.Printf("%d mutants in %s\n", sampled, took.Round(time.Second))
	return enough
}

// String returns the share in words.
func (c *count) String() string {
	text := fmt.Sprintf("%3d of %3d noticed", c.Noticed, c.Tried)
	if c.Tried > 0 {
		text += fmt.Sprintf(" (%3.0f %%)", 100*float64(c.Noticed)/float64(c.Tried))
	}
	if c.Late > 0 {
		text += fmt.Sprintf(", %d of them by a timeout", c.Late)
	}
	if c.Untestable > 0 {
		text += fmt.Sprintf(", %d could not be tried", c.Untestable)
	}
	return text
}
