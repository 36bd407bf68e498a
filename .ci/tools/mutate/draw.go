package main

import (
	"bytes"
	"cmp"
	"context"
	"encoding/binary"
	"hash/fnv"
	"path"
	"slices"
	"strings"
)

// gates are the files that decide what a session may call, with all files of
// engine/serve: every mutant must be noticed.
var gates = []string{"engine/activation.go", "engine/arguments.go", "engine/authorize.go", "engine/batch.go", "engine/bridge.go",
	"engine/calls.go", "engine/correction.go", "engine/direct.go",
	"engine/policy.go", "engine/scope/executor.go", "engine/scope/executor_platform.go", "engine/scope/scope.go", "engine/scope/scope_platform.go"}

// shares are the groups and the share of mutants that their own tests must
// notice.
var shares = []struct {
	group string
	least float64
}{{"config", 0.85}, {"model", 0.85}, {"engine", 0.85}, {"watch", 0.85}, {"gates", 1}}

// groupOf returns the group of a file: gates, or its first folder.
func groupOf(file string) string {
	if slices.Contains(gates, file) || path.Dir(file) == "engine/serve" {
		return "gates"
	}
	first, _, _ := strings.Cut(file, "/")
	return first
}

// draw returns the sample, ordered by package so that builds are reused.
func draw(c context.Context, packages []*pkg, equivalent *equivalents, o options) ([]*mutant, error) {
	groups := map[string][]*mutant{}
	for _, p := range packages {
		for _, name := range p.GoFiles {
			// SECURITY: a mutant of code that ends processes may end any
			// process of the user's.
			if bytes.Contains(p.sources[name], []byte("syscall.Kill(")) || bytes.Contains(p.sources[name], []byte("unix.Kill(")) {
				continue
			}
			for _, m := range p.mutants(name) {
				if !o.files.MatchString(m.path()) || !o.match.MatchString(m.key()) || equivalent.holds(m) {
					continue
				}
				m.group = groupOf(m.path())
				groups[m.group] = append(groups[m.group], m)
			}
		}
	}
	var sample []*mutant
	for _, all := range groups {
		rank := make(map[*mutant]uint64, len(all))
		for _, m := range all {
			rank[m] = hash(o.seed, m)
		}
		slices.SortStableFunc(all, func(a, b *mutant) int { return cmp.Compare(rank[a], rank[b]) })
		drawn := 0
		for _, m := range all {
			if o.n > 0 && drawn == o.n {
				break
			}
			if c.Err() != nil {
				return nil, c.Err()
			}
			if m.pkg.compiles(m.file, m.source()) {
				sample = append(sample, m)
				drawn++
			}
		}
	}
	slices.SortStableFunc(sample, func(a, b *mutant) int {
		return cmp.Or(cmp.Compare(a.path(), b.path()), cmp.Compare(a.start, b.start), cmp.Compare(a.text, b.text))
	})
	return sample, nil
}

// hash returns the rank of a mutant in the sample of a seed.
func hash(seed uint64, m *mutant) uint64 {
	h := fnv.New64a()
	_ = binary.Write(h, binary.LittleEndian, seed)
	_, _ = h.Write([]byte(m.key()))
	sum := h.Sum64()
	sum ^= sum >> 33
	sum *= 0xff51afd7ed558ccd // FNV alone orders texts with a common end alike
	return sum ^ sum>>33
}
