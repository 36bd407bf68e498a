package main

import (
	"cmp"
	"fmt"
	"io"
	"slices"
)

// slowest is how many packages of a step are named.
const slowest = 8

// suite is the step whose packages are all named again at the end of the log.
const suite = "go test ./..."

// write writes the summary of the steps.
func write(w io.Writer, steps []results) {
	steps = merged(steps)
	for _, s := range steps {
		writeSkipped(w, s)
	}
	for _, s := range steps {
		writeSlowest(w, s)
	}
	for _, s := range steps {
		if len(s.Failed) > 0 {
			fmt.Fprintf(w, "\nfailed tests, %s: %d\n", s.Step, len(s.Failed))
			for _, name := range s.Failed {
				fmt.Fprintf(w, "  %s\n", name)
			}
		}
	}
	for _, s := range steps {
		writePackages(w, s)
	}
}

// merged returns the steps with those of one name joined.
func merged(steps []results) []results {
	var out []results
	for _, s := range steps {
		i := slices.IndexFunc(out, func(o results) bool { return o.Step == s.Step })
		if i < 0 {
			out = append(out, s)
			continue
		}
		out[i].Packages = append(out[i].Packages, s.Packages...)
		out[i].Failed = append(out[i].Failed, s.Failed...)
		out[i].Skipped = append(out[i].Skipped, s.Skipped...)
	}
	return out
}

// writePackages writes the result of every package of the suite, and of other
// steps those that failed.
func writePackages(w io.Writer, s results) {
	packages := s.Packages
	if s.Step != suite {
		packages = slices.DeleteFunc(slices.Clone(packages), func(p result) bool { return p.OK })
	}
	if len(packages) == 0 {
		return
	}
	fmt.Fprintf(w, "\n%s:\n", s.Step)
	for _, p := range packages {
		fmt.Fprintln(w, p.Line)
	}
}

// writeSkipped writes the tests that a step skipped, by reason.
func writeSkipped(w io.Writer, s results) {
	if len(s.Skipped) == 0 {
		return
	}
	fmt.Fprintf(w, "\nskipped tests, %s: %d\n", s.Step, len(s.Skipped))
	byReason := map[string][]skip{}
	var reasons []string
	for _, k := range s.Skipped {
		if byReason[k.Reason] == nil {
			reasons = append(reasons, k.Reason)
		}
		byReason[k.Reason] = append(byReason[k.Reason], k)
	}
	slices.SortStableFunc(reasons, func(a, b string) int { return cmp.Compare(len(byReason[b]), len(byReason[a])) })
	for _, reason := range reasons {
		fmt.Fprintf(w, "%4d %s\n", len(byReason[reason]), reason)
		for _, k := range byReason[reason] {
			fmt.Fprintf(w, "       %s %s\n", k.Package, k.Test)
		}
	}
}

// writeSlowest writes the packages of a step that took longest.
func writeSlowest(w io.Writer, s results) {
	packages := slices.Clone(s.Packages)
	slices.SortStableFunc(packages, func(a, b result) int { return cmp.Compare(b.Seconds, a.Seconds) })
	packages = slices.DeleteFunc(packages, func(p result) bool { return p.Seconds == 0 })
	if len(packages) == 0 {
		return
	}
	fmt.Fprintf(w, "\nslowest packages, %s:\n", s.Step)
	for _, p := range packages[:min(slowest, len(packages))] {
		fmt.Fprintf(w, "%8.1fs %s\n", p.Seconds, p.Name)
	}
}
