package engine

import (
	"encoding/json"

	"caliper/config"
	"caliper/engine/arguments"
	"caliper/engine/retrieval"
	"caliper/engine/tokens"
	"caliper/model"
)

// Snapshot is one registry under one configuration, as one session meets it.
// It never changes and is safe for concurrent use.
type Snapshot struct {
	Registry  *model.Registry
	Config    config.Config
	Session   config.Session
	Tokenizer tokens.Method
	Ranking   retrieval.Params // of bm25
	Strict    bool             // arguments that do not fit are refused, which the June agent calls with

	facts     *facts
	validator *arguments.Validator
	core      map[string]bool
	class     []Class // by Tool.Index
	granted   []bool  // by Tool.Index
	units     []int32 // by Tool.Index, in units of Tokenizer
	catalog   []*model.Tool
	inCatalog map[*model.Tool]int // place in catalog, which is also its document in index
	index     retrieval.Ranker
	corpora   corpora // to index other tools

	activation  Activation
	bridge      []json.RawMessage
	bridgeUnits int
}

// Status is what became of a tool in a session.
type Status uint8

// The statuses, from the nearest to the model to the farthest.
const (
	Sent        Status = iota // in the assembly in full
	Deferred                  // behind the bridge
	NotGranted                // outside the session's scope
	Unavailable               // its availability check failed
	Replaced                  // bears a bridge name, so it is never sent
)

// String returns the word for the status used on screen and in JSON.
func (s Status) String() string {
	return [...]string{"sent", "deferred", "out of scope", "unavailable", "replaced by the bridge"}[s]
}

// Status returns what became of a tool of this registry.
func (s *Snapshot) Status(t *model.Tool) Status {
	switch {
	case !t.Available:
		return Unavailable
	case !s.granted[t.Index]:
		return NotGranted
	case s.class[t.Index] == Dropped:
		return Replaced
	case s.class[t.Index] == Deferrable && s.activation.Active:
		return Deferred
	default:
		return Sent
	}
}

// Class returns the class of a tool of this registry.
func (s *Snapshot) Class(t *model.Tool) Class { return s.class[t.Index] }

// Granted reports whether a tool of this registry is in the session's scope.
func (s *Snapshot) Granted(t *model.Tool) bool { return s.granted[t.Index] }

// Catalog returns the deferrable tools of the session in catalog order, by
// name. The slice must not be changed.
func (s *Snapshot) Catalog() []*model.Tool { return s.catalog }

// Activation returns the decision to put the bridge in.
func (s *Snapshot) Activation() Activation { return s.activation }

// Active reports whether the bridge is in the assembly.
func (s *Snapshot) Active() bool { return s.activation.Active }

// ToolTokens returns the tokens of one definition, counted by Tokenizer.
func (s *Snapshot) ToolTokens(t *model.Tool) int {
	return s.Tokenizer.Tokens(int(s.units[t.Index]))
}

// Assembly returns the tools array that the model is sent, one definition
// each: everything granted when the bridge is not active, else the visible
// tools and then the three bridge tools. Bridge names of the registry are
// left out in both cases.
func (s *Snapshot) Assembly() []json.RawMessage {
	out := []json.RawMessage{}
	for _, t := range s.Registry.Tools {
		if s.Status(t) == Sent {
			out = append(out, tokens.Compact(nil, tokens.Definition(t)))
		}
	}
	if s.activation.Active {
		out = append(out, s.bridge...)
	}
	return out
}

// decide settles activation and what follows from it.
func (s *Snapshot) decide() {
	deferrable := s.deferrableUnits(s.granted)
	s.activation = Activate(s.Config.ToolSearch, s.Config.ContextLength, s.Tokenizer.Tokens(deferrable))
	s.bridge = BridgeTools(len(s.catalog))
	for _, def := range s.bridge {
		s.bridgeUnits += s.Tokenizer.Units(def)
	}
}

// ByName returns every tool of the registry by name, whatever the session is
// granted. The slice must not be changed.
func (s *Snapshot) ByName() []*model.Tool { return s.facts.byName }
