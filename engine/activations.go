package engine

import (
	"context"
	"slices"

	"caliper/config"
	"caliper/model"
)

// SessionActivation is the decision to put the bridge in, for one session of
// a configuration.
type SessionActivation struct {
	Session    string // raw text of the configuration
	Deferrable int    // tokens of its deferrable tools, counted by the snapshot's Tokenizer
	Activation
}

// Activations decides for every session of the configuration, in its order,
// what Build would decide for it, without its indexes. Sessions of the same
// scope are decided once. The error is ctx's.
func (s *Snapshot) Activations(ctx context.Context) ([]SessionActivation, error) {
	sessions := s.Config.Sessions
	out := make([]SessionActivation, len(sessions))
	for i, session := range sessions {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		same := slices.IndexFunc(sessions[:i], func(other config.Session) bool { return sameScope(other, session) })
		if same >= 0 {
			out[i] = out[same]
		} else {
			out[i].Deferrable = s.Tokenizer.Tokens(s.deferrableUnits(s.facts.scopes.grant(session)))
			out[i].Activation = Activate(s.Config.ToolSearch, s.Config.ContextLength, out[i].Deferrable)
		}
		out[i].Session = session.Name
	}
	return out, nil
}

// deferrableUnits returns the size of what a scope, by Tool.Index, may hide
// behind the bridge.
func (s *Snapshot) deferrableUnits(granted []bool) int {
	units := 0
	for _, t := range s.Registry.Tools {
		if s.cataloged(t, granted) {
			units += int(s.units[t.Index])
		}
	}
	return units
}

// cataloged reports whether a tool is in the catalog of a scope.
func (s *Snapshot) cataloged(t *model.Tool, granted []bool) bool {
	return granted[t.Index] && s.class[t.Index] == Deferrable
}

// Flip is a session for which tool search is active in one snapshot and not
// in the other.
type Flip struct{ Old, New SessionActivation }

// Flips returns the sessions that both configurations have and for which the
// decision is not the same, in the order of the new one. The error is ctx's.
func Flips(ctx context.Context, old, new *Snapshot) ([]Flip, error) {
	was, err := old.Activations(ctx)
	if err != nil {
		return nil, err
	}
	now, err := new.Activations(ctx)
	if err != nil {
		return nil, err
	}
	before := make(map[string]SessionActivation, len(was))
	for _, a := range was {
		before[a.Session] = a
	}
	var out []Flip
	for _, a := range now {
		if b, ok := before[a.Session]; ok && b.Active != a.Active {
			out = append(out, Flip{Old: b, New: a})
		}
	}
	return out, nil
}
