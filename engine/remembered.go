package engine

import (
	"reflect"
	"slices"
	"weak"
)

// recent has the snapshots that a Builder made last and that somebody still uses, the newest first.
type recent []weak.Pointer[Snapshot]

const mostBuilt = 64

// of returns the snapshot of equal inputs without a message; nil for none. The builds that follow an undone
// trial, or the way to another session and back, get what they had.
func (b *recent) of(in Inputs) *Snapshot {
	for i, p := range *b {
		if s := p.Value(); s != nil && s.inputs.equal(in) {
			copy((*b)[1:], (*b)[:i])
			(*b)[0] = p
			return s
		}
	}
	return nil
}

// add remembers a snapshot without a message.
func (b *recent) add(s *Snapshot) {
	*b = slices.DeleteFunc(*b, func(p weak.Pointer[Snapshot]) bool { return p.Value() == nil })
	*b = slices.Insert((*b)[:min(len(*b), mostBuilt-1)], 0, weak.Make(s))
}

// equal reports whether two inputs without a message make the same snapshot.
func (in Inputs) equal(to Inputs) bool {
	return in.Registry == to.Registry && in.Session == to.Session && in.Tokenizer == to.Tokenizer && in.Lessons == to.Lessons &&
		in.Strict == to.Strict && in.OnDemand == to.OnDemand && slices.Equal(in.WithoutGates, to.WithoutGates) &&
		reflect.DeepEqual(in.Ranking, to.Ranking) && reflect.DeepEqual(in.Config, to.Config)
}

// Remember returns what find finds about a snapshot. The second time it returns the same without asking,
// for a snapshot never changes. A question is comparable and no other asker's. What is found must not be changed.
// An error is not remembered.
func Remember[R any](s *Snapshot, question any, find func() (R, error)) (R, error) {
	key := [...]any{s, question} // the variants of a snapshot share its findings
	if known, ok := s.findings.Load(key); ok {
		return known.(R), nil
	}
	found, err := find()
	if err == nil {
		s.findings.Store(key, found)
	}
	return found, err
}
