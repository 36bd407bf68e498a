package replay

import (
	"time"

	"caliper/engine/selection"
	"caliper/engine/transcript"
	"caliper/model"
)

// Report is all that replay knows of sessions. It has values alone; names,
// words and queries in it are raw text of the logs.
type Report struct {
	Tokenizer string   // of the sessions that none of Fitted weighs
	Fitted    []Model  // the tokenizers that weigh the sessions of their models
	Rankers   []string // the first decides which tools are found
	Limit     int      // the cut line
	Prices    PriceList
	Embedder  string // by which semantic and hybrid select, as in config.PreSelection.EmbedModel

	Sessions    []Session // in the order of the input
	Totals      Totals
	Calls       []Call    // in the order of the sessions
	Chains      []Chain   // a session's in the order of the log
	Cache       Cache     // who broke the prefix of requests, and what would have kept it
	Searching   Searching // what the agents' own searches returned
	Unused      Unused    // what was there and never called
	Eager       EagerSet  // what to keep eager
	Unknown     []Unknown // by calls, most first, then by name
	Calibration []Model   // by name
	Skipped     []transcript.Skipped
	Verdict     Verdict
}

// Counts are what happened in a session, or in all.
type Counts struct {
	Requests   int // answers of the model
	Calls      int // of tools; searches and descriptions are none
	Deferrable int // calls of tools that tool search would defer: the sum of the four below
	Found      int // within the limit
	Below      int // behind it
	NoMatch    int // no score
	Unasked    int // of NoMatch, those before which neither a user nor the agent asked anything
	OutOfScope int // not granted
	Unknown    int // in no registry; not in Deferrable
	Loops      int
}

// Session is the facts that replay knows of one session.
type Session struct {
	ID      string
	Agent   transcript.Agent
	File    string
	Model   string
	Started time.Time // zero: the log has no times
	Counts
	Tokenizer string // name of what weighs it

	Logged *transcript.Usage // nil: unknown, because of Gap
	Gap    Gap
	Used   selection.Strategy // Eager or ToolSearch
	// Sending is the log's evidence about the tools that were sent.
	Sending Sending
	// Recomputed is the input of the strategy really used, computed bottom up,
	// and ErrorPct its deviation from the log in percent, without a sign. Both
	// are nil when the log's usage is unknown, where other tools were sent than the
	// registry has, and where it has sums alone and no other session is of this agent,
	// model and strategy.
	Recomputed *int
	ErrorPct   *float64

	Price      *Price // nil: the model is in no list
	Strategies []Row  // in the order that was asked for
}

// Gap is the reason why the usage of a session is unknown, or tells nothing of the tools.
type Gap int

const (
	NoGap      Gap = iota
	NoRequest      // the log has no answer of the model
	NoUsage        // the log has no usage
	WrongUsage     // it is missing for more than one request in ten, or too small for what they carried
	OtherTools     // it is known, and too small for the tools of the registry: others were sent
	OtherNames     // it is known, and the log lists deferred tools that the registry does not have
)

// Sending is the evidence of a log about the tools that a session sent.
type Sending int

const (
	Shown   Sending = iota // that they were sent, or that they were deferred
	Guessed                // nothing: that all were sent is a guess
	NoTools                // that no request sent any
)

// Row is a session, or all of them, under one strategy.
type Row struct {
	Strategy selection.Strategy
	Requests int
	Tokens   Tokens
	// Cost is in the currency of the prices; nil when no price is known. It is
	// the cost of the input: outputs are not recomputed.
	Cost *float64
	// Steps are the requests one by one; nil unless Inputs.Steps asks for them.
	Steps []Step
}

// Tokens are tokens of input, each sum rounded once. Input has the other two.
type Tokens struct{ Input, Cached, Written int }

// Step is one request under a strategy, with the parts of its input in tokens.
type Step struct {
	Context, Entry int // the answer in the log; a round trip has the entry of its call
	Request        int // its number in the session, from 1, as in Call.Request
	Trip           Trip
	Tools          float64 // the tools array
	Messages       float64 // what users and the model said, calls too
	Results        float64 // what tools returned
	Rest           float64 // input that is not in the log: the residual of the anchor
	Cached         float64 // of the whole, read from the cache
	Written        float64 // of the whole, written to it at a price
}

// Input returns the whole input of the request.
func (s Step) Input() float64 { return s.Tools + s.Messages + s.Results + s.Rest }

// Trip is the purpose of a request.
type Trip int

// A request is one of the log's, or a round trip that a strategy adds.
const (
	NoTrip Trip = iota
	SearchTrip
	DescribeTrip
)

// Totals are the sums over all sessions.
type Totals struct {
	Sessions int
	Counts
	Logged        transcript.Usage // of the sessions whose usage is known
	UnknownUsage  int              // sessions whose usage is not
	UnknownPrices int              // sessions whose model has no price
	Searched      int              // sessions that used tool search
	Guessed       int              // sessions whose log does not show whether tools were sent
	NoTools       int              // sessions that sent none
	// Strategies sum the rows of the sessions. Cost is the sum of those that
	// have one; nil when none has.
	Strategies []Row
}

// Status is the fate of a call under tool search.
type Status string

// The statuses. CoreTool and UnknownTool say why the question does not arise.
const (
	Found       Status = "found"        // within the limit
	Below       Status = "below"        // ranked, behind the limit
	NoMatch     Status = "no_match"     // no score
	OutOfScope  Status = "out_of_scope" // the session is not granted the tool
	UnknownTool Status = "unknown"      // in no registry
	CoreTool    Status = "core"         // sent with every request
)

// Call is one call of a tool.
type Call struct {
	Session        int // of Report.Session
	Context, Entry int // of the session: the answer that made the call
	Request        int // number of the answer in its session, from 1
	When           time.Time
	Name           string      // as it was logged
	Tool           *model.Tool // nil: in no registry
	Query          string      // the ranked text: the last query of the need, of several at once the one whose answer has the tool nearest its top, else the user's words
	Searches       []string    // the queries of the need before the call
	Ranks          []int       // in the order of Report.Rankers; 0: no rank
	Status         Status      // by the first ranker
	Answered       bool        // the log has its result
	Failed         bool        // it was refused or failed
	Led            string      // the query that led to the tool as the log shows it: the last one of the turn that was answered with it, or the user's words where all tools were sent; "" where none did
	Own            Own
	Reworded       []string // earlier queries of the need that the agent's own search answered with no tool, and whose words are all in Led
}

// Searched reports whether the agent searched for the tool of the call.
func (c Call) Searched() bool { return len(c.Searches) > 0 }

// Chain is one need for which the agent searched, described, or was refused.
type Chain struct {
	Session, Context int
	First, Last      int         // entries: the answers with the first and the last call of the need
	Searches         []string    // in order
	Repeated         int         // searches with the words of an earlier one
	Reformulated     int         // searches after the first with other words
	Idle             int         // names that were described and not called
	Refused          int         // calls that failed
	Called           *model.Tool // the tool that ended the need; nil: none did
	// Burnt are the tokens, input and output, of the requests that led nowhere;
	// Known is false when the log does not tell.
	Burnt int
	Known bool
}

// LoopSearches is the number of searches from which on a chain is a loop.
const LoopSearches = 3

// Loop reports whether the chain is a loop.
func (c Chain) Loop() bool { return len(c.Searches) >= LoopSearches }

// Unknown is a name that is in no registry.
type Unknown struct {
	Name  string
	Calls int
}

// Own is the answer of the agent's own search about the tool of a call.
type Own struct {
	Rank  int  // in the answer to Call.Query, from 1; 0: it is not there, or nothing was searched
	Told  bool // there was a search in the need, and the log has the answer to each
	Found bool // a search since the user's words was answered with it
}

// Searching compares the answers of the agents' own searches with those of the first ranker.
type Searching struct {
	Needs    int // in which the agent searched
	Searches int
	ByCount  [LoopSearches]int // needs with one search, with two, and with LoopSearches or more
	Told     int               // searches of which the log has the answer
	Empty    int               // of these, answered with no tool
	Uncalled int               // needs whose searches returned tools of the registry, of which none was called in it
	// Calls of deferrable tools after searches of which the log has the answers, by who finds the
	// tool: both, the agent's own search alone, the first ranker alone, nobody.
	Both, OwnAlone, RankerAlone, Nobody int
	// Idle are tools that searches returned and no session called, those that were returned most
	// often first, then by name.
	Idle []IdleTool
}

// IdleTool is a tool that was returned and never called.
type IdleTool struct {
	Tool     *model.Tool
	Returned int // how often
}

// PerNeed returns the searches a need.
func (s *Searching) PerNeed() float64 { return float64(s.Searches) / float64(max(1, s.Needs)) }

// Compared returns how many calls there are of which both are known.
func (s *Searching) Compared() int { return s.Both + s.OwnAlone + s.RankerAlone + s.Nobody }
