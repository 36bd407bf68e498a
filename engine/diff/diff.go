// Package diff compares two snapshots: which tools were added, removed and
// changed, what the session costs now, which labelled queries find other
// tools, and whether the change may be merged (see The gate).
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
//
// # The gate
//
// Judge decides whether a change of a registry, of a configuration or of
// descriptions may be merged: it compares what stands before the change, the base, with
// what stands after it, the head, and says pass or fail with the reasons.
//
// What fails:
//
//   - Scope: a session reaches what it must not. That is a violation of the audit that
//     the base does not have, a tool that a session is granted and that the base would
//     not grant it, a call that the base's policy denies or keeps for approval and the
//     head's does neither, and one that the base's policy denies and the head's only
//     keeps for approval.
//   - Sessions: the head has no session of a name that the base has.
//   - Activation: tool search is switched on or off in a session.
//   - Lint: an error that the base does not have, of the same code about the same tool. One
//     of them is tested: see Unfindable tools in the gate.
//   - Removed: the head does not have a tool that met a need of a labelled query, and no
//     other tool of the label meets it.
//   - Recall: it falls, and by the paired test chance alone rarely does as much.
//   - Tokens: the session sends more than GateOptions.MaxTokens, where that is given.
//
// A new tool in a toolset that a session is granted already is no violation: the lists
// of the base, read with the registry of the head, grant it too. A session that only
// the head has is compared with nothing.
//
// # Recall in the gate
//
// The recall of a labelled query is the share of its needs that are met. A need is met
// when one of its tools is within the limit of the configuration, or is sent in full
// because it is a core tool. A tool that the registry no longer has meets nothing. The
// limit is each side's own, so that a lower limit is a loss. So is min_confidence: a
// side that has too little confidence in what a query finds gives the model no hit, and
// core tools alone meet the needs of the query.
//
// Before and after are compared query by query with retrieval.ComparePaired, the queries of
// one task together (Fisher's randomization test). Recall fails when the mean difference
// is below 0 and P is at most GateOptions.Alpha. P has two sides and only losses fail, so
// that a change of nothing fails in at most half of Alpha.
//
// For example, 80 queries have a recall of 0.90 before. A change loses the tool of six
// and wins none: the difference is -6/80 = -0.075. Of the 2⁶ choices of signs of the six
// only two are as far from 0, so that P = 2/64 = 0.031, and the gate fails. With five
// lost P is 2/32 = 0.0625, and it passes: five of 80 may be chance.
//
// The queries are asked in one session. Every session that no longer reaches a tool at all,
// because it is not granted there any more or is gone, is asked the queries of such tools
// alone: what a dropped toolset costs is not to be lost in what its absence wins elsewhere.
// With m such sessions P is m times as large, at most 1 (Bonferroni), because each is one
// more chance of a false alarm.
//
// The recall of each wording (package wording) is told beside, with its interval, and decides
// nothing: a fall where no word of the name is in the query is a fall of meaning.
//
// A tool that met a need and that the head does not have is no matter of chance: the change
// fails, however few queries expect it, unless another tool of the label meets the need.
//
// # Unfindable tools in the gate
//
// Whether a tool is found by its own words depends on the words of all others, as ranks
// do: a new wording here makes a tool unfindable there. The error dark_tool is therefore
// tested as recall is, over the tools of both catalogs, each 1 where its own words find it
// and 0 where they do not. A tool that only the head has needs no test: the change brought
// its error.
//
// Invariants of the gate:
//   - a state compared with itself passes, and so does one whose files are only written
//     in another order or with other white space
//   - the order of the queries changes no verdict but where P is drawn at random (more
//     than 13 tasks that differ) and is within its error of Alpha
//   - a GateResult holds names and figures only, in a total order
//   - equal inputs give equal results
//
// Its cost: two audits of all sessions, twice the errors of lint, and two searches for each
// labelled query.
//
// Its non-goals: saying whether a change that passes is good; evaluation on sessions whose
// grants have not changed.
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
	sizeOf := func(s *engine.Snapshot) RegistrySize {
		units := 0
		for _, t := range s.Registry.Tools {
			if t.Available && s.Class(t) != engine.Dropped {
				units += s.ToolUnits(t)
			}
		}
		return RegistrySize{Tools: len(s.Registry.Tools), Tokens: s.Tokenizer.Tokens(units)}
	}
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
	was, now := old.Assembly(), new.Assembly()
	d.ModelBytesChanged = !slices.EqualFunc(was.BridgeTools(), now.BridgeTools(), slices.Equal[json.RawMessage]) || !slices.EqualFunc(was.Tools, now.Tools, sameDefinition)
	missing := map[string]bool{}
	for _, q := range queries {
		if err := ctx.Err(); err != nil {
			return Diff{}, err
		}
		if c, changed := compareQuery(old, new, q); changed {
			d.Queries = append(d.Queries, c)
			for _, r := range c.Ranks {
				if r.Regressed {
					d.Regressions++
				}
			}
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

// Counts returns how many tools were added, removed and changed, left out or not.
func (d Diff) Counts() (added, removed, changed int) {
	return len(d.Added) + d.More.Added, len(d.Removed) + d.More.Removed, len(d.Changed) + d.More.Changed
}

// maxKeptText bounds every text of a Diff that Head returns, in code points.
const maxKeptText = 200

// Head returns a diff with at most n entries in each list, and n relevant
// tools in each query, that keeps nothing of the registries alive and counts
// in More what it leaves out. Texts are cut after 200 characters, with an ellipsis, so that
// its size is bounded whatever the registries hold.
func (d Diff) Head(n int) Diff {
	d.Old.Session, d.New.Session = clipped(d.Old.Session), clipped(d.New.Session)
	tool := func(t ToolChange) ToolChange {
		return ToolChange{Name: clipped(t.Name), Toolset: clipped(t.Toolset), Parts: slices.Clone(t.Parts)}
	}
	d.Added = head(d.Added, n, &d.More.Added, tool)
	d.Removed = head(d.Removed, n, &d.More.Removed, tool)
	d.Changed = head(d.Changed, n, &d.More.Changed, tool)
	uncounted := 0 // of lists that are short
	d.Queries = head(d.Queries, n, &d.More.Queries, func(q QueryChange) QueryChange {
		q.ID, q.Text = clipped(q.ID), clipped(q.Text)
		q.Ranks = head(q.Ranks, n, &q.More, func(r RankChange) RankChange {
			r.Tool = clipped(r.Tool)
			if r.Gated != nil {
				g := *r.Gated
				g.Gate, g.Word = clipped(g.Gate), clipped(g.Word)
				g.Stems = head(g.Stems, 8, &uncounted, clipped)
				r.Gated = &g
			}
			return r
		})
		// No limit is above 50.
		q.Entered = head(q.Entered, len(q.Entered), &uncounted, clipped)
		q.Left = head(q.Left, len(q.Left), &uncounted, clipped)
		return q
	})
	d.Unknown = head(d.Unknown, n, &d.More.Unknown, clipped)
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

// clipped returns a copy of a text that is at most maxKeptText long.
func clipped(s string) string {
	if len(words.First(s, maxKeptText)) < len(s) {
		return words.Clip(s, maxKeptText-1)
	}
	return strings.Clone(s)
}
