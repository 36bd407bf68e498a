package workbench

import "caliper/engine"

// Phase is what a load is doing, as far as that takes long for a large
// registry.
type Phase int

// The phases of a load, in their order. A load passes over what it need not do
// again.
const (
	PhaseReading   Phase = iota // the files are taken in
	PhaseParsing                // the registry's text is parsed
	PhaseCounting               // the tokens of every definition are counted
	PhaseIndexing               // what is searched is indexed
	PhaseSelecting              // tools are selected for the message
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
