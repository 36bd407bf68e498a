package transcript

import "time"

// Agent is the program that wrote a log.
type Agent string

// The agents whose logs are read. OpenAI and Anthropic are request logs in the
// format of these providers, whoever wrote them; Caliper is our own record.
const (
	Claude    Agent = "claude"
	Codex     Agent = "codex"
	Hermes    Agent = "hermes"
	OpenAI    Agent = "openai"
	Anthropic Agent = "anthropic"
	Caliper   Agent = "caliper"
	Copilot   Agent = "copilot"
)

// Session is one conversation as it was logged. Its helpers (subagents, side
// chains) are contexts of it, not sessions of their own.
type Session struct {
	// ID is the agent's own; for a request log, which has none, the path of
	// its file with "#n" for the n-th session of the file from the second on.
	ID    string
	Agent Agent
	// File is the path of the file in which the session was first seen.
	File string
	// Model is the model of the last request that named one; "" when none did.
	Model string
	// Started is the time of the first entry; zero when the log has no times.
	Started time.Time
	// Contexts has the main line first, then the helpers in the order in
	// which the log mentions them. It is empty only while Packed has them.
	Contexts []Context
	// Packed has the contexts where Options.Pack asked for it; see Opened.
	Packed *Packed
	// Defers: this version of the agent defers the tools of servers unless it is
	// told otherwise, and that its log does not show whether it did.
	Defers bool
	// Sums is the logged usage of the session as a whole, where there is none
	// of single requests (Hermes); nil otherwise.
	Sums *Usage
	// Arrays are the different tools arrays that the log holds, in the order
	// of their first use; Request.Tools counts in it. Empty where a log does
	// not hold definitions.
	Arrays []ToolArray
	// Settings are the different settings of its requests, in the order of their first use.
	Settings []Settings
	// Listed are the tools that the log lists as deferred, each once, in the order in which
	// it names them.
	Listed []Listed
}

// Listed is a tool that a log lists as deferred.
type Listed struct {
	Name string
	// Definition is its JSON as the log has it; nil where the log has the name alone, as
	// of a tool that no search found.
	Definition []byte
}

// Context is one line of messages with a cache of its own: the session's main
// line or a helper's.
type Context struct {
	// Helper names the helper; "" for the main line.
	Helper string
	// Entries are in the order of the log, never of the clock.
	Entries []Entry
	// Deferred: the log itself shows that tools were deferred, even
	// if the model never searched.
	Deferred bool
	// Bridge: the log names the three bridge tools among those that were
	// sent, or that the agent always sends them when it defers.
	Bridge bool
	// Loaded are the tools that stay loaded after a compaction, by the entry.
	Loaded []Loaded
	// Lists are what the model was told of deferred tools, in the order of the log.
	Lists []Listing
}

// Listing tells the model that tools are deferred, and of others that they are gone.
type Listing struct {
	Entry       int // it holds for the requests from this entry on, which may be missing
	Names, Gone []string
}

// Loaded are tools whose definitions the model is sent from an entry on, which begins the
// history after a compaction, because a search found them before it. The entry may be
// missing where a log ends with the compaction.
type Loaded struct {
	Entry int
	Tools []string
}

// ToolArray is a tools array as it was sent: the JSON of each definition as
// the log has it, in its order.
type ToolArray struct {
	Definitions [][]byte
}

// None is the parent of an entry that begins a history.
const None = -1

// Kind is the kind of an entry.
type Kind int8

const (
	// User is a message of the user's role: the user's words, or what the
	// agent said in the user's name.
	User Kind = iota
	// System is the system prompt or a message of the developer's role.
	System
	// Answer is one answer of the model: a request, its text and its calls.
	Answer
	// Result is the result of a call.
	Result
	// Summary stands for a history that was compacted.
	Summary
)

// Entry is one message of a context.
type Entry struct {
	// Parent is the index, in the same context, of the entry before this one
	// in the history that the model saw; None for the first.
	Parent int
	Time   time.Time
	Size   Size
	// Words are the user's own words; "" for every other entry. Text in the
	// user's role that the agent put there (environment, reminders, results)
	// has none.
	Words string
	// Request is set for an Answer alone.
	Request *Request
	// CallEntry and Call say, for a Result, which entry of this context made
	// the call and which of its calls it was.
	CallEntry, Call int
	// Kind is the kind of the entry.
	Kind Kind
	// Copy: this entry repeats an earlier one: it is in
	// the history, and neither its request nor its calls count again.
	Copy bool
}

// Request is one answer of the model and what it cost.
type Request struct {
	// ID is the agent's own id of the message; "" when it has none.
	ID    string
	Model string
	// Usage is nil when the log says nothing of this request.
	Usage *Usage
	Calls []Call
	// Tools is the index in Session.Arrays of the array that this request
	// sent; None when the log does not say.
	Tools int
	// Settings is the number of the request's settings in Session.Settings, from 1; 0 when
	// the log does not say.
	Settings int
}

// Usage is the tokens a provider counted. Input was neither read from the
// cache nor written to it: a request's whole input is the sum of the three,
// whatever the log's own fields contain.
type Usage struct {
	Input, CacheRead, CacheWrite, Output int
	HourWrite                            int // of CacheWrite, what the provider keeps for an hour, at a price of its own
}

// mostTokens is far beyond what a request can hold: a larger figure is none.
const mostTokens = 1 << 40

// Possible reports whether a provider can have counted this: no figure is beyond all
// bounds, and neither the whole input nor the output is below zero. A part of the input
// may be, where a log corrects another part by it. What a log says otherwise is not
// known.
func (u Usage) Possible() bool {
	return max(u.Input, u.CacheRead, u.CacheWrite, u.Output) <= mostTokens &&
		min(u.Input, u.CacheRead, u.CacheWrite) >= -mostTokens && u.Total() >= 0 && u.Output >= 0
}

// Total returns the tokens of the whole input, cached or not.
func (u Usage) Total() int { return u.Input + u.CacheRead + u.CacheWrite }

// CallKind is the purpose of a call of the model.
type CallKind int

const (
	// Use is the call of a tool, directly or through a bridge.
	Use CallKind = iota
	// Search asks for tools by words.
	Search
	// Describe asks for tools by name: a description, or a search that
	// selects names. It is a round trip, but no query.
	Describe
	// Wrap runs a script that calls tools. What it called stands beside it, so it is none of
	// the calls that count.
	Wrap
)

// Asks reports whether a call asked for tools: it is a search or a description.
func (c *Call) Asks() bool { return c.Kind == Search || c.Kind == Describe }

// Call is one call of a tool.
type Call struct {
	// ID is the agent's own; it may repeat from message to message.
	ID   string
	Kind CallKind
	// Tool is the tool that was called, a bridge's wrapping taken off; for a
	// search or a describe the name of the searching tool.
	Tool string
	// Lookup is nil for a call that asked for no tools, as most do; see Asked.
	Lookup *Lookup
	// Size is the size of the name and the arguments as they were sent.
	Size Size
	// Answered: the log has its result; Failed: the result says
	// that the call was refused or failed.
	Answered, Failed bool
}

// Lookup is a call's question about tools, and its answer.
type Lookup struct {
	// Queries are the words of a Search, in the order in which they were sent.
	Queries []string
	// Names are what a Describe asked for.
	Names []string
	// Hits are the names of the tools that a Search was answered with; none where the
	// log does not say.
	Hits []string
	// Told: the log has the answer of a Search, so that no Hits are no tools.
	Told bool
	// Expanded are the tools whose definitions the provider puts in place of
	// the references that a search returned; the log holds their names alone,
	// so their size is not in the result's.
	Expanded []string
}

// Asked returns the lookup of a call; an empty one where it has none.
func (c *Call) Asked() Lookup {
	if c.Lookup == nil {
		return Lookup{}
	}
	return *c.Lookup
}

// Ask sets the lookup of a call; none where it is empty.
func (c *Call) Ask(l Lookup) {
	c.Lookup = nil
	if l.Queries != nil || l.Names != nil || l.Hits != nil || l.Expanded != nil || l.Told {
		asked := l // a copy, so that only here l needs memory of its own
		c.Lookup = &asked
	}
}

// Found notes the names of the tools that a Search was answered with, which may be none; it
// does nothing to any other call.
func (c *Call) Found(names []string) {
	if c.Kind == Search {
		l := c.Asked()
		l.Hits, l.Told = append([]string(nil), names...), true
		c.Ask(l)
	}
}

// Expand notes the tools whose definitions a result stands for.
func (c *Call) Expand(names []string) {
	l := c.Asked()
	l.Expanded = names
	c.Ask(l)
}
