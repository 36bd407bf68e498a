package engine

import (
	"context"
	"math"
	"slices"

	"caliper/config"
	"caliper/model"
)

// UnknownContextThreshold is the number of deferrable tokens at which auto
// activates when the context length is unknown. Source: the reference agent,
// June 2026.
const UnknownContextThreshold = 20_000

// UnknownContextListing is the most tokens of a listing when the context length is
// unknown. Source: the reference agent, September 2026.
const UnknownContextListing = 10_000

// Activation is the decision to put the bridge into an assembly.
type Activation struct {
	Active    bool
	Threshold int // deferrable tokens at which auto activates; 1 in september-2026
	// Reported is the figure the reference agent prints for the threshold; 0 when
	// there is nothing to defer. In june-2026 it is the percentage of the context, 0
	// when the context is unknown; in september-2026 it is the budget of the listing
	// while tool search is active, and the percentage otherwise.
	Reported int
}

// Activate decides whether tool search is active. A context length that is nil, zero
// or negative is unknown. With nothing to defer no mode activates. In june-2026 auto
// goes by the threshold, and equality with it activates. In september-2026 every mode
// but off activates as soon as there is a token to defer.
func Activate(c config.ToolSearch, contextLength *int, deferrableTokens int) Activation {
	a := Activation{Threshold: UnknownContextThreshold}
	pct := percentage(c, contextLength)
	if knownContext(contextLength) != nil {
		a.Threshold = pct
	}
	if deferrableTokens > 0 {
		a.Reported = pct
	}
	later := c.Generation == config.September2026
	if later {
		a.Threshold = 1
	}
	switch {
	case c.Enabled == config.Off, deferrableTokens <= 0:
	case c.Enabled == config.On, later:
		a.Active = true
	default:
		a.Active = deferrableTokens >= a.Threshold
	}
	if later && a.Active {
		a.Reported = ListingBudget(c, contextLength)
	}
	return a
}

// ListingBudget returns the most tokens that the listing of september-2026 may take:
// tools.tool_search.listing_max_tokens, or the percentage of the context if that is
// less, which is UnknownContextListing when the context is unknown.
func ListingBudget(c config.ToolSearch, contextLength *int) int {
	if knownContext(contextLength) == nil {
		return min(c.ListingMost, UnknownContextListing)
	}
	return min(c.ListingMost, percentage(c, contextLength))
}

// percentage returns the configured percentage of a context length, its fraction cut
// off. The product is taken in this order because the reference's floats are: 29 % of
// 100 is 28, not 29.
func percentage(c config.ToolSearch, contextLength *int) int {
	if contextLength == nil {
		return 0
	}
	return clampInt(float64(*contextLength) * (c.ThresholdPct / 100))
}

// clampInt truncates towards zero and keeps the result within int.
func clampInt(f float64) int {
	switch {
	case math.IsNaN(f):
		return 0
	case f >= math.MaxInt:
		return math.MaxInt
	case f <= math.MinInt:
		return math.MinInt
	}
	return int(f)
}

// SessionActivation is the decision to put the bridge in, for one session of
// a configuration.
type SessionActivation struct {
	Session    string // raw text of the configuration
	Deferrable int    // tokens of its deferrable tools, counted by the snapshot's Tokenizer
	Activation
}

// Activations returns the decision that Build would make for every session of the
// configuration, in its order. It builds no index, and decides once for sessions of
// the same scope. The error is ctx's.
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
			out[i].Activation, out[i].Deferrable = s.Decide(s.Grant(session))
			out[i].Active = out[i].Active && !session.InFull
		}
		out[i].Session = session.Name
	}
	return out, nil
}

// Grant returns, by Tool.Index, which tools of the registry a session is
// granted, whether or not the configuration has it.
func (s *Snapshot) Grant(session config.Session) []bool {
	return s.facts.scopes.Grant(session, s.Config)
}

// Decide returns whether the bridge is in the assembly for a scope and a message
// that selects nothing, and the tokens of the tools that are deferrable then.
// granted has the scope by Tool.Index.
func (s *Snapshot) Decide(granted []bool) (Activation, int) {
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
	const few = 1000 // tools that are not worth counting all for
	if len(tools) > few {
		_ = s.sizes.All()
	}
	units := 0
	for _, t := range tools {
		units += s.sizes.Of(t)
	}
	return units
}

// activate returns the decision for a scope without pre-selection. Activate asks
// no more of the tokens than whether there are any, and whether they reach the
// threshold: the tools are only counted up to there.
func (s *Snapshot) activate(granted []bool) Activation {
	if h := s.Host(); h.Generation == "" {
		n := 0
		for i, g := range granted {
			if g && s.classByName[i] == Deferrable {
				n++
			}
		}
		return Activation{Active: h.Searches(n)}
	}
	enough := max(1, Activate(s.Config.ToolSearch, s.Config.ContextLength, 0).Threshold)
	units := 0
	for _, t := range s.Registry.Tools {
		if granted[t.Index] && s.classByName[t.Index] == Deferrable {
			if units += s.sizes.Of(t); s.Tokenizer.Tokens(units) >= enough {
				break
			}
		}
	}
	return Activate(s.Config.ToolSearch, s.Config.ContextLength, s.Tokenizer.Tokens(units))
}

// deferrableUnits returns the size of the tools of a scope that tool search may
// defer without pre-selection.
func (s *Snapshot) deferrableUnits(granted []bool) int {
	units, all := 0, s.sizes.All()
	for _, t := range s.Registry.Tools {
		if granted[t.Index] && s.classByName[t.Index] == Deferrable {
			units += int(all[t.Index])
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
