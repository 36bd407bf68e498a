package selection

import (
	"time"

	"caliper/engine"
	"caliper/model"
)

// Reason is why a tool was selected. A tool has one: the first that holds in
// the order core, all, mentioned, ranked, sticky.
type Reason string

// The reasons.
const (
	All       Reason = "all"       // everything is sent, or there are no more candidates than K
	Core      Reason = "core"      // on the list of those always sent
	Mentioned Reason = "mentioned" // the message names it
	Ranked    Reason = "ranked"    // among the best
	Sticky    Reason = "sticky"    // selected for an earlier message of the session
)

// Selected is a tool and how it was chosen.
type Selected struct {
	Tool         *model.Tool
	Reason       Reason   // empty for a tool that just missed
	KeywordRank  int      // rank by keyword, from 1; 0: not listed, or there is no such ranking
	SemanticRank int      // rank by similarity, in the same way
	Similarity   *float64 // how near tool and message are by the embedder, for a model their cosine; nil: they were not compared, or nothing of the message is near
	Score        float64  // fused: the sum over the rankings with a weight, see fuse
}

// Note is a finding about a selection: a stable code, and a sentence that is
// safe for a terminal.
type Note struct{ Code, Text string }

// The codes of notes.
const (
	NoteFewCandidates  = "few_candidates"  // rule 2
	NoteNothingFound   = "nothing_found"   // no ranking lists a tool
	NoteNoEmbedder     = "no_embedder"     // there is none, so keywords only
	NoteEmbedderFailed = "embedder_failed" // it returned an error, so keywords only
	NoteEmbedderSlow   = "embedder_slow"   // it did not answer in time, so keywords only
	NoteEmbedderWaking = "embedder_waking" // its model is being loaded, so keywords only
	NoteEmbedderStuck  = "embedder_stuck"  // earlier calls have not returned yet, so keywords only
	NoteNoneSimilar    = "none_similar"    // hybrid, and no tool is above the floor, so keywords only
	NoteNoKeyword      = "no_keyword"      // hybrid, and no tool has a word of the message, so similarity only
	NoteNoWeight       = "no_weight"       // both weights of hybrid are 0
	NoteExcluded       = "excluded_named"  // the message names a tool that is excluded
	NoteNoEscape       = "no_escape"       // tool search is off: the other tools cannot be reached
	NoteNotActive      = "not_active"      // strategy tool_search, and it is not active
	NoteSearchActive   = "search_active"   // strategy eager, and tool search is active
	NoteNamesOnly      = "names_only"      // strategy lazy
)

// Selection is the tools that one message is sent with. It must not be changed,
// because its slices may be shared.
type Selection struct {
	Message  string
	Strategy Strategy
	K        int
	Embedder string // identity of the similarity; empty when the strategy or the session has none

	// Floor is the similarity above which a tool is ranked; nil where none was compared.
	Floor *float64

	// Tools are the tools whose schemas are sent, in this order: the core in
	// registry order, then the tools of the session's history in its order, then
	// the others in registry order. So the order does not depend on the message,
	// and a selection that grows begins with the tools that were sent before. The
	// bridge comes last and is not among them.
	Tools []Selected
	// Missed are the best ranked tools that were not selected, at most five, best
	// first.
	Missed []Selected

	Candidates int             // tools that could be selected besides the core
	Assembly   engine.Assembly // the tools sent; the fields below follow from it
	Deferred   int             // tools behind the bridge
	Bridge     bool            // the bridge is sent, after the tools

	SchemaTokens int     // of all that is sent, bridge included; the snapshot's method, rounded once
	BridgeTokens int     // of the bridge alone
	EagerTokens  int     // if every granted schema were sent: the budget's figure
	SavedPct     float64 // of EagerTokens; negative when more is sent than that
	RoundTrips   int     // calls of the model that the strategy adds before the tool is called
	Took         time.Duration
	Notes        []Note

	// Bytes is the tools array that is sent, compact JSON.
	Bytes []byte
}

// History returns the qualified names of the tools that were sent and are not core
// tools, in the order of Tools. It is the history of the next Select of the session.
func (s Selection) History() []string {
	var names []string
	for _, t := range s.Tools {
		if t.Reason != Core {
			names = append(names, t.Tool.Qualified)
		}
	}
	return names
}
