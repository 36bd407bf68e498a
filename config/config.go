// Package config turns the bytes of an agent's config.yaml into the effective configuration of
// tool search, with the origin of every value and a warning wherever the file may mean something
// else than its author thinks.
//
// The effective values are those that the reference agent has for the same bytes, as the
// conformance vectors in testdata/config.json record. Every clamp, fallback and misspelt key is a
// warning with line, column, a stable code and the dotted path of the setting. A value that bounds
// what a session may reach fails closed. Files, the environment, command lines, names of tools and
// sections that belong to others are not looked at here.
//
// Package yamltext reads the document. The parser collects the value of every setting and checks
// the structure. Then every row of the table of settings (table.go) puts its value into a Config
// by the rule of its kind, or by its own (rules.go), so that Override can do the same again with
// another value. Set writes settings into a file.
//
// Invariants:
//   - parsing ends soon and in bounded memory, whatever the input
//   - every value of a Config is in the range of its Spec
//   - a scope or a rule that cannot be read grants nothing and denies
//   - the same bytes have the same warnings, in the order of the file
//   - no warning holds the value of a variable of the environment
//
// Codes of warnings about structure: unknown_key, duplicate_key, not_a_mapping, not_a_list,
// not_a_name, unquoted_name, legacy_boolean, quoted_off, section_fallback, shadowed_section. About
// values: clamped, truncated, not_a_number, boolean_number, unusual_number (it reads as another
// number than it looks), quotes_matter, context_not_positive, unknown_mode, unknown_generation,
// not_read (by the agent of this generation), unknown_ranker, unknown_strategy, unknown_embedder,
// not_a_url, not_a_path, not_a_boolean, unknown_tool, rescue_off, unset_variable. About the model:
// not_a_model, model_not_read, unknown_model, context_not_read, context_unknown. About what fails
// closed: unusable_sessions, unusable_session, unusable_scope, unusable_policy, unusable_rule,
// unusable_match, unusable_action, unusable_stage. At the end of a long list: more_warnings. The
// codes of errors come from yamltext.Load: too_large, bad_character, malformed, several_documents,
// alias_expansion and unloadable.
//
// # Overrides
//
// ParseOverrides reads and SetOverride changes descriptions.yaml: one mapping of a tool's name, as
// the model sees it or qualified, to the description that is used in place of the registry's.
//
//	mcp_mail_search: Find mail by words.
//	mcp-tide/horn: |
//	  Sound the horn.
//	  Use it for fog.
//
// The last value of a repeated name counts, with a warning. A value that is not a text is an error
// with line and column. SetOverride keeps every other text, and every byte of lines that are not the tool's.
package config

import "slices"

// Mode says when the bridge is put into the assembly.
type Mode string

// The three modes of tools.tool_search.enabled.
const (
	Auto Mode = "auto"
	On   Mode = "on"
	Off  Mode = "off"
)

// Action is the effect of a policy rule on a call that it matches.
type Action string

// The actions of a policy rule.
const (
	Deny    Action = "deny"
	Approve Action = "approve" // somebody must approve the call before it runs
	Observe Action = "observe" // the call is seen and goes on
)

// Stage is where on its way a call meets a policy rule; empty: the policy itself, before every
// hook.
type Stage string

// The stages at which the agent's hooks see a call, in its order.
const (
	StagePre       Stage = "pre"
	StageGuardrail Stage = "guardrail"
	StageApproval  Stage = "approval"
	StagePost      Stage = "post" // the call has run: rules can only observe it
)

// Stages are the stages of the hooks in the agent's order. It must not be changed.
var Stages = []Stage{StagePre, StageGuardrail, StageApproval, StagePost}

// The rankers: the reference agent's, ours, the reference agent's later rules,
// ours with what the user's labelled queries taught, meaning alone, and ours with meaning.
const (
	RankerBM25     = "bm25"
	RankerFielded  = "fielded"
	RankerGated    = "bm25-gated"
	RankerLearned  = "learned"
	RankerSemantic = "semantic"
	RankerHybrid   = "hybrid"
)

// Rankers are the values of tools.tool_search.ranker, default first. It must not be changed.
var Rankers = []string{RankerBM25, RankerFielded, RankerGated, RankerLearned, RankerHybrid, RankerSemantic}

// The strategies of tools.selection. SelectEager and SelectToolSearch choose
// nothing before the model is called, SelectLazy sends names, and the others
// select tools for a message.
const (
	SelectEager      = "eager"
	SelectLazy       = "lazy"
	SelectToolSearch = "tool_search"
	SelectKeyword    = "keyword"
	SelectSemantic   = "semantic"
	SelectHybrid     = "hybrid"
)

// Strategies are the values of tools.selection, as they are compared. It must not be changed.
var Strategies = []string{SelectEager, SelectLazy, SelectToolSearch, SelectKeyword, SelectSemantic, SelectHybrid}

// DefaultSession is the session where the file names none, or nothing but other sessions. It is
// granted every toolset.
const DefaultSession = "default"

// Config is the effective configuration: every value is in range.
type Config struct {
	// ContextLength is the model's context in tokens; nil when unknown. A
	// number below 1 is kept as written, because the reported threshold is
	// computed from it, but counts as unknown in the decision to activate.
	ContextLength *int
	Host          string // one of Hosts, whose search is simulated
	Model         Model  // that the context is of, and where its length comes from
	ToolSearch    ToolSearch
	Core          []string // names of the core tools, the built-in list unless replaced
	Defer         []string // core tools that september-2026 defers nevertheless, sorted; the curated list unless replaced
	Selection     string   // strategy of pre-selection, "eager" unless set
	PreSelection  PreSelection
	Rescue        Rescue
	Plugins       Plugins
	Sessions      []Session
	OnlySessions  bool       // the file has nothing but sessions, none of them called default
	Agent         AgentScope // what the agent's own sections take away from every session
	Always, Never []string   // names of tools that another agent's files always send, or never
	Policy        []Rule
	Hooks         []Hook // the agent's own that see tool calls; they are never run
}

// Choosable returns Sessions, and the default one where the file only adds to it.
func (c Config) Choosable() []Session {
	if c.OnlySessions {
		return append(slices.Clone(c.Sessions), Session{Name: DefaultSession})
	}
	return c.Sessions
}

// ToolSearch is the section tools.tool_search.
type ToolSearch struct {
	Generation   Generation
	Enabled      Mode
	ThresholdPct float64 // 0..100; in september-2026 it limits the listing alone
	DefaultLimit int     // 1..MaxLimit
	MaxLimit     int     // 1..50
	Ranker       string  // one of Rankers
	Meaning      float64 // 0..10: the weight of meaning in the scores of RankerHybrid
	LearnOver    string  // RankerFielded or RankerHybrid: to whose scores RankerLearned adds
	Learn        string  // file of the labelled queries that RankerLearned learns from, relative to the config file; empty for none
	// MinConfidence is 0..1: a search with less confidence answers that nothing fits; 0
	// never does.
	MinConfidence float64
	Listing       Mode // of september-2026: whether tool_search lists the deferred tools
	ListingMost   int  // 200..60,000 tokens, of september-2026
}

// Session is one named scope. A nil Enabled grants every toolset, an empty
// one none; Disabled is subtracted last. Names are raw text of the file.
type Session struct {
	Name     string
	Enabled  []string
	Disabled []string
	Line     int // of its key in the config file; 0 when it is not from a file

	// Platform: the session is one of platform_toolsets, whose list the agent
	// reads in another way: a bundle stands for many toolsets, and every MCP server is
	// granted unless the list names one, or NoServers.
	Platform bool
	Known    []string // of a platform: toolsets of plugins that it has only when Enabled names them

	// What the files of another agent say, whose ranks and limits the session has.
	Withheld []Withheld
	InFull   bool // its model has no search, and is sent every tool
}

// Withheld is a tool that a list keeps from a session.
type Withheld struct {
	Tool      string // qualified name
	Key, File string // the list
}

// Rule is one policy rule. Match is a glob over the real tool name, never empty.
type Rule struct {
	Match  string `json:"match"`
	Action Action `json:"action"`
	Stage  Stage  `json:"stage,omitempty"`
	Line   int    `json:"-"` // of the rule in the config file; 0 when it is not from a file
	Col    int    `json:"-"`
}

// Default returns the configuration of an empty file under june-2026, with fresh slices.
func Default() Config { return DefaultOf(June2026) }
