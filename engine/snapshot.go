package engine

import (
	"slices"
	"sync"

	"caliper/config"
	"caliper/engine/arguments"
	"caliper/engine/retrieval"
	"caliper/engine/scope"
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

	inputs      Inputs    // that it is built from
	unasked     *Snapshot // of the same inputs without a message; nil for this one
	facts       *facts
	validator   *arguments.Validator
	classifier  Classifier
	classByName []Class               // by Tool.Index: the classes without regard to a selection
	executor    func() *scope.Session // made when it is first asked for; it does not read granted
	granted     []bool                // by Tool.Index
	sizes       *tokens.Sizes         // in units of Tokenizer
	division    division
	corpora     corpora   // to index other tools
	findings    *sync.Map // of Remember

	// The rest follows from the assembly.
	assembly   Assembly
	activation Activation // what tool search decides by itself
	class      []Class    // by Tool.Index
	sent       []bool     // by Tool.Index
	catalog    *catalog
}

// Status is the fate of a tool in a session.
type Status uint8

// The statuses, from the nearest to the model to the farthest.
const (
	Sent        Status = iota // in the assembly in full
	Deferred                  // behind the bridge
	Unreachable               // not selected, with no bridge to lead to it
	NotGranted                // outside the session's scope
	Unavailable               // its availability check failed
	Replaced                  // it has a bridge name, so it is never sent
)

// String returns the word for the status used on screen and in JSON.
func (s Status) String() string {
	return [...]string{"sent", "deferred", "unreachable", "out of scope", "unavailable", "replaced by the bridge"}[s]
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
	case s.sent[t.Index]:
		return Sent
	case s.assembly.Bridge:
		return Deferred
	default:
		return Unreachable
	}
}

// Class returns the class of a tool of this registry in the assembly.
func (s *Snapshot) Class(t *model.Tool) Class { return s.class[t.Index] }

// Core reports whether a tool of this registry has the name of a core tool.
func (s *Snapshot) Core(t *model.Tool) bool { return s.classifier.core[t.Name] }

// Granted reports whether a tool of this registry is in the session's scope.
func (s *Snapshot) Granted(t *model.Tool) bool { return s.granted[t.Index] }

// Catalog returns the tools that the bridge leads to, or would lead to where it
// is not sent, in catalog order, by name. The slice must not be changed.
//
//go:noinline // or each caller has a copy
func (s *Snapshot) Catalog() []*model.Tool { return s.catalog.list().tools }

// Activation returns the decision to put the bridge in. Under pre-selection it
// does not go by the threshold.
func (s *Snapshot) Activation() Activation {
	a := s.activation
	a.Active = s.assembly.Bridge
	return a
}

// Active reports whether the bridge is in the assembly.
func (s *Snapshot) Active() bool { return s.assembly.Bridge }

// Inputs returns what the snapshot is built from. Its slices must not be
// changed.
func (s *Snapshot) Inputs() Inputs { return s.inputs }

// Message returns the message that the assembly is for; empty for the assembly
// of a message that selects nothing.
func (s *Snapshot) Message() string { return s.inputs.Message }

// Unasked returns the snapshot of the same inputs without a message, from which a message
// selects; s itself where it has none. Equal calls return the same pointer.
func (s *Snapshot) Unasked() *Snapshot {
	if s.unasked != nil {
		return s.unasked
	}
	return s
}

// ToolTokens returns the tokens of one definition, counted by Tokenizer.
func (s *Snapshot) ToolTokens(t *model.Tool) int {
	return s.Tokenizer.Tokens(s.sizes.Of(t))
}

// ToolUnits returns the size of one definition in units of Tokenizer, for sums
// that are rounded once.
func (s *Snapshot) ToolUnits(t *model.Tool) int { return s.sizes.Of(t) }

// send sets the assembly, and all that follows from it but the catalog.
func (s *Snapshot) send(a Assembly) {
	s.assembly = a
	s.sent = make([]bool, len(s.Registry.Tools))
	for _, t := range a.Tools {
		s.sent[t.Index] = true
	}
	s.class = s.classByName
	if PreSelects(a.Strategy) {
		s.class = slices.Clone(s.classByName)
		for i, c := range s.class {
			if c != Dropped {
				s.class[i] = Deferrable
				if s.sent[i] {
					s.class[i] = Visible
				}
			}
		}
	}
}

// ByName returns every tool of the registry by name, whatever the session is
// granted. The slice must not be changed.
func (s *Snapshot) ByName() []*model.Tool { return s.facts.byName() }
