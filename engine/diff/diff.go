// Package diff compares two snapshots: which tools were added, removed and
// changed, what the session costs now, and which labelled queries find other
// tools.
//
// A tool is compared by the definition that the model is sent: differences in white
// space and in the spelling of strings and numbers do not count, the order of
// members counts. A relevant tool of
// a labelled query regresses when it was within the limit and no longer is.
// Example: with a limit of 5, rank 4 before and rank 7 after is a regression;
// rank 4 before and core tool after is no regression, because the model always has it.
//
// Invariants:
//   - comparing a snapshot with itself finds nothing
//   - comparing in the other direction exchanges added and removed
//   - a Diff holds names and figures only, never a tool or a snapshot
//
// Cost: two look-ups for each tool, a pass over the definitions that differ,
// and two searches for each labelled query.
package diff

import (
	"context"
	"encoding/json"
	"slices"
	"strings"

	"caliper/engine"
	"caliper/engine/labels"
	"caliper/model/words"
)

// Diff is the difference of two snapshots. It holds only names and figures, no
// reference to the snapshots, and never changes.
type Diff struct {
	Old, New           engine.Budget // without their toolsets
	OldLimit, NewLimit int           // how many hits the model gets unless it asks for a number

	OldRegistry, NewRegistry RegistrySize

	// The tools of the two registries, whatever the sessions are granted, as
	// Changes returns them.
	Added, Removed, Changed []ToolChange

	// ModelBytesChanged reports that the tools array the model is sent is not
	// the same to the byte, so that a prompt cache that begins with it is lost.
	ModelBytesChanged bool

	Compared    int           // labelled queries that were asked of both
	Queries     []QueryChange // those whose hits within the limit changed, in the order given
	Regressions int           // see RankChange
	Unknown     []string      // relevant names that neither registry has, as first mentioned

	More Rest // what Head has left out
}

// RegistrySize is how large a registry is, whatever the session is granted.
type RegistrySize struct {
	Tools  int
	Tokens int // of the definitions that a session granted everything is sent without the bridge
}

// Rest counts the entries that are left out of the lists of a Diff.
type Rest struct{ Added, Removed, Changed, Queries, Unknown int }

// Compare returns what changed from old to new. Each labelled query is asked
// of both catalogs, whether or not search is active, and each with the limit
// of its own configuration. With counts of different methods the figures of
// Old and New cannot be compared; Budget.Tokenizer is the method. The error is ctx's.
func Compare(ctx context.Context, old, new *engine.Snapshot, queries []labels.Query) (Diff, error) {
	d := Diff{
		Old:      old.Budget(false),
		New:      new.Budget(false),
		OldLimit: old.Config.ToolSearch.DefaultLimit,
		NewLimit: new.Config.ToolSearch.DefaultLimit,
		Compared: len(queries),

		OldRegistry: sizeOf(old),
		NewRegistry: sizeOf(new),
	}
	d.Old.Toolsets, d.New.Toolsets = nil, nil
	d.Added, d.Removed, d.Changed = Changes(old.Registry, new.Registry)
	if err := ctx.Err(); err != nil {
		return Diff{}, err
	}
	d.ModelBytesChanged = !sameAssembly(old, new)
	missing := map[string]bool{}
	for _, q := range queries {
		if err := ctx.Err(); err != nil {
			return Diff{}, err
		}
		if c, changed := compareQuery(old, new, q); changed {
			d.Queries = append(d.Queries, c)
			d.Regressions += c.regressions()
		}
		for _, name := range q.Relevant {
			if !missing[name] && old.Registry.Called(name) == nil && new.Registry.Called(name) == nil {
				missing[name] = true
				d.Unknown = append(d.Unknown, name)
			}
		}
	}
	return d, nil
}

// Flipped reports whether search is active in one snapshot and not in the
// other.
func (d Diff) Flipped() bool { return d.Old.Active != d.New.Active }

// AddedCount returns how many tools were added, left out or not.
func (d Diff) AddedCount() int { return len(d.Added) + d.More.Added }

// RemovedCount returns how many tools were removed, left out or not.
func (d Diff) RemovedCount() int { return len(d.Removed) + d.More.Removed }

// ChangedCount returns how many tools were changed, left out or not.
func (d Diff) ChangedCount() int { return len(d.Changed) + d.More.Changed }

// sizeOf returns the size of the snapshot's registry.
func sizeOf(s *engine.Snapshot) RegistrySize {
	units := 0
	for _, t := range s.Registry.Tools {
		if t.Available && s.Class(t) != engine.Dropped {
			units += s.ToolUnits(t)
		}
	}
	return RegistrySize{Tools: len(s.Registry.Tools), Tokens: s.Tokenizer.Tokens(units)}
}

// sameAssembly reports whether two snapshots send the model the same bytes.
// The result equals comparing their definitions, but none is written.
func sameAssembly(a, b *engine.Snapshot) bool {
	was, now := a.Assembly(), b.Assembly()
	if !slices.EqualFunc(was.BridgeTools(), now.BridgeTools(), slices.Equal[json.RawMessage]) {
		return false
	}
	var c comparer
	return slices.EqualFunc(was.Tools, now.Tools, c.sameDefinition)
}

// maxKeptText bounds every text of a Diff that Head returns, in code points.
const maxKeptText = 200

// Head returns a diff with at most n entries in each list, and n relevant
// tools in each query, that keeps nothing of the registries alive and counts
// in More what it leaves out. Texts are cut after 200 characters, with an ellipsis, so that
// its size is bounded whatever the registries hold.
func (d Diff) Head(n int) Diff {
	d.Old.Session, d.New.Session = kept(d.Old.Session), kept(d.New.Session)
	d.Added = head(d.Added, n, &d.More.Added, ToolChange.kept)
	d.Removed = head(d.Removed, n, &d.More.Removed, ToolChange.kept)
	d.Changed = head(d.Changed, n, &d.More.Changed, ToolChange.kept)
	d.Queries = head(d.Queries, n, &d.More.Queries, func(q QueryChange) QueryChange { return q.kept(n) })
	d.Unknown = head(d.Unknown, n, &d.More.Unknown, kept)
	return d
}

// head returns copies of the first n elements of a list and adds the number
// of the others to more.
func head[T any](list []T, n int, more *int, keep func(T) T) []T {
	n = min(max(n, 0), len(list))
	*more += len(list) - n
	if n == 0 {
		return nil
	}
	out := make([]T, n)
	for i, e := range list[:n] {
		out[i] = keep(e)
	}
	return out
}

// kept returns a copy of a text that is at most maxKeptText long.
func kept(s string) string {
	if len(words.First(s, maxKeptText)) < len(s) {
		return words.Clip(s, maxKeptText-1)
	}
	return strings.Clone(s)
}
