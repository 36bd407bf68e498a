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
			granted := s.facts.scopes.grant(session)
			out[i].Activation, out[i].Deferrable = s.decision(granted)
		}
		out[i].Session = session.Name
	}
	return out, nil
}

// decision returns the decision to put the bridge in for a scope, by
// Tool.Index, and a message that selects nothing, and the tokens of the tools
// that are deferrable then.
func (s *Snapshot) decision(granted []bool) (Activation, int) {
	activation, units := s.activate(granted), s.deferrableUnits(granted)
	if PreSelects(s.Config.Selection) {
		d := s.divide(granted)
		a := d.assemble(s.Config.ToolSearch.Enabled, s.Config.Selection, s.unselected(granted), activation.Active)
		activation.Active = a.Bridge
		units = s.sum(d.sendable) - s.sum(a.Tools)
	}
	return activation, s.Tokenizer.Tokens(units)
}

// sum returns the size of tools.
func (s *Snapshot) sum(tools []*model.Tool) int {
	units := 0
	for _, t := range tools {
		units += int(s.units[t.Index])
	}
	return units
}

// activate returns what tool search decides for a scope by itself.
func (s *Snapshot) activate(granted []bool) Activation {
	return Activate(s.Config.ToolSearch, s.Config.ContextLength, s.Tokenizer.Tokens(s.deferrableUnits(granted)))
}

// deferrableUnits returns the size of what tool search may hide of a scope by
// itself.
func (s *Snapshot) deferrableUnits(granted []bool) int {
	units := 0
	for _, t := range s.Registry.Tools {
		if granted[t.Index] && Classify(t.Name, s.core, true) == Deferrable {
			units += int(s.units[t.Index])
		}
	}
	return units
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
