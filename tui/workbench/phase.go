package workbench

import "caliper/engine"

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
