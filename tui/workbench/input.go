package workbench

import (
	"context"

	"caliper/config"
	"caliper/engine"
	"caliper/engine/embed"
	"caliper/engine/tokens"
	"caliper/model"
	"caliper/watch"
)

// Input is the input of one load. A nil Config means that no file was given and
// the defaults apply.
type Input struct {
	// Registry has the files of the registry. In a file of a folder, a tool without a toolset is
	// in the one of shapes.ToolsetName, and the others are read when such a file cannot be.
	Registry []watch.File
	Config   *watch.File
	Queries  *watch.File // labelled queries; nil or a missing file for none
	Flags    Flags
	Rivals   []string // rankers, of config.Rankers, and hosts to compare with the active one

	// Similarity returns the semantic ranking for the selection of
	// Flags.Message, or an error. Nil: only the built-in embedder is used.
	Similarity func(ctx context.Context, c config.PreSelection, tools []*model.Tool) (embed.Similarity, error)

	// OnDemand puts off the work that a small answer does not need; see engine.Inputs. The
	// state then has no Budget.
	OnDemand bool

	// Progress is called at the beginning of each phase, in the goroutine of the
	// load; it may be nil.
	Progress func(Phase)
}

// Flags are the settings that a command line or a key adds to the configuration
// file.
type Flags struct {
	Session string
	Context *int
	Ranker  string // one of config.Rankers; empty for the configured one
	Learn   string // file of labelled queries to learn from; empty for the configured one
	// Overrides is the file of descriptions that are used in place of the registry's;
	// empty for none.
	Overrides string
	// Generation is one of config.Generations; empty for the configuration's.
	Generation string
	Host       string // one of config.Hosts; empty for the configuration's
	Tokenizer  tokens.Method
	Strict     bool   // refuse arguments that do not match a tool's parameters
	Knobs      []Knob // settings that are tried and override all others
	Edits      []Edit // descriptions that are tried

	// Message is the user's message for the assembly; empty for none. History
	// holds the selections of the previous turns.
	Message string
	History []string

	// WithoutGates are the scope gates that the dry run leaves out, to show what
	// they stop; see engine.Inputs.
	WithoutGates []string
}

// Edit is a description that is tried in place of a tool's own. It exists only
// in memory, and in the file that keeps trials from one run to the next.
type Edit struct {
	Tool        string `json:"tool"` // qualified name; ignored when the registry does not have the tool
	Description string `json:"text"`
}

// Knob is one setting that is tried without being written: a key of the
// configuration with a value as for config.File.Override, or one of KnobK1 and KnobB with a
// float64, or KnobTokenizer with a string.
type Knob config.Change

// The knobs that no configuration file has: the ranking's, and the
// method that counts tokens, which overrides Flags.Tokenizer.
const (
	KnobK1        = "bm25.k1"
	KnobB         = "bm25.b"
	KnobTokenizer = "tokenizer"
)

// Written reports whether a configuration file can hold the knob.
func (k Knob) Written() bool {
	return k.Key != KnobK1 && k.Key != KnobB && k.Key != KnobTokenizer
}

// InGeneration returns the input of a state as another generation of the agent would
// read it. A ranker that the configuration has by default, said or unsaid, becomes that
// of the generation: the agent itself has no such setting.
func InGeneration(in Input, saved State, g config.Generation) Input {
	in.Flags.Generation, in.Flags.Host = string(g), ""
	search := saved.Snapshot.Config.ToolSearch
	if in.Flags.Ranker == "" && search.Ranker == config.DefaultOf(search.Generation).ToolSearch.Ranker {
		in.Flags.Ranker = config.DefaultOf(g).ToolSearch.Ranker
	}
	return in
}

// Phase is a step of a load that takes long for a large registry.
type Phase int

// The phases of a load in their order. A load skips phases whose results can be
// reused.
const (
	PhaseReading   Phase = iota // read the files
	PhaseParsing                // parse the registry
	PhaseCounting               // count the tokens of every definition
	PhaseIndexing               // build the search index
	PhaseSelecting              // select tools for the message
)

// enter reports that a phase begins.
func (in *Input) enter(p Phase) {
	if in.Progress != nil {
		in.Progress(p)
	}
}

// began reports that a part of a build begins.
func (in *Input) began(w engine.Work) {
	switch w {
	case engine.WorkCounting:
		in.enter(PhaseCounting)
	case engine.WorkIndexing:
		in.enter(PhaseIndexing)
	}
}
