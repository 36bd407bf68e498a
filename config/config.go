// Package config turns the bytes of an agent's config.yaml into the effective
// configuration of tool search, and into everything a person who tunes it
// wants to know about how it came to be.
//
// Goals: the effective values are those the reference agent arrives at from
// the same bytes, in all its odd corners, which the conformance vectors in
// testdata/config.json record; caliper differs from none of them, so there is
// no table of differences. Where the reference is silent, this package is not:
// every clamp, every fallback and every misspelt key is a warning with line,
// column, a stable code and the dotted path of the setting. A value that
// bounds what a session may reach fails closed. Whatever the input, parsing
// ends soon, in bounded memory, with every value in its range.
//
// Non-goals: finding, reading or watching files; asking for the environment,
// which a caller hands over; command lines; names of toolsets and tools, which only the registry can judge;
// sections that belong to others, which are neither checked nor kept.
//
// Scalars are resolved by YAML 1.1, as the reference does: yes and off are
// booleans, 010 is eight, 1:30 is ninety and 1e1 is a string. The rules are in
// scalar.go and number.go, the settings in table.go.
//
// The agent's hooks are read by its own rules (hooks.go) and never run; trials
// of ours are rules of the policy with a stage (policy.go).
//
// Codes of warnings. About structure: unknown_key, duplicate_key,
// not_a_mapping, not_a_list, not_a_name, unquoted_name, legacy_boolean,
// quoted_off, section_fallback, shadowed_section. About values: clamped, truncated,
// not_a_number, boolean_number, unusual_number (it reads as another number
// than it looks), quotes_matter, context_not_positive, unknown_mode,
// unknown_ranker, unknown_strategy, unknown_embedder, not_a_url,
// not_a_path, not_a_boolean, unknown_tool, rescue_off, unset_variable. About
// the model: not_a_model, model_not_read, unknown_model, context_not_read,
// context_unknown. About what fails
// closed: unusable_sessions, unusable_session, unusable_scope,
// unusable_policy, unusable_rule, unusable_match, unusable_action,
// unusable_stage. At the end
// of a long list: more_warnings. Codes of errors of Parse: too_large,
// bad_character, malformed, several_documents, alias_expansion, unloadable (a
// value that makes the reference's loader refuse the whole file).
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

// Action is what a policy rule does with a call that it matches.
type Action string

// The actions of a policy rule.
const (
	Deny    Action = "deny"
	Approve Action = "approve" // somebody must approve the call before it runs
	Observe Action = "observe" // the call is seen and goes on
)

// Stage is where on its way a call meets a policy rule. The empty stage is the
// policy itself, which is asked before every hook.
type Stage string

// The stages at which the agent's hooks see a call, in its order.
const (
	StagePre       Stage = "pre"
	StageGuardrail Stage = "guardrail"
	StageApproval  Stage = "approval"
	StagePost      Stage = "post" // the call has run: rules can only observe it
)

// Stages are the stages of the hooks, in the agent's order. It must not be
// changed.
var Stages = []Stage{StagePre, StageGuardrail, StageApproval, StagePost}

// Ranges of the numbers of tools.tool_search.
const (
	maxThresholdPct = 100.0
	maxSearchLimit  = 50
)

// DefaultSession is the name of the session that exists when the file names
// none. It is granted every toolset.
const DefaultSession = "default"

// Config is the effective configuration: every value is in range.
type Config struct {
	// ContextLength is the model's context in tokens; nil when unknown. A
	// number below 1 is kept as written, because the reported threshold is
	// computed from it, but counts as unknown in the decision to activate.
	ContextLength *int
	Model         Model // that the context is of, and where its length comes from
	ToolSearch    ToolSearch
	Core          []string // names of the core tools, the built-in list unless replaced
	Selection     string   // strategy of pre-selection, "eager" unless set
	PreSelection  PreSelection
	Rescue        Rescue
	Plugins       Plugins
	Sessions      []Session
	Policy        []Rule
	Hooks         []Hook // the agent's own that see tool calls; they are never run
}

// ToolSearch is the section tools.tool_search.
type ToolSearch struct {
	Enabled      Mode
	ThresholdPct float64 // 0..100
	DefaultLimit int     // 1..MaxLimit
	MaxLimit     int     // 1..50
	Ranker       string  // one of Rankers
}

// Session is one named scope. A nil Enabled grants every toolset, an empty
// one none; Disabled is subtracted last. Names are raw text of the file.
type Session struct {
	Name     string
	Enabled  []string
	Disabled []string
	Line     int // of its key in the config file; 0 when it is not from a file
}

// Rule is one policy rule. Match is a glob over the real tool name, never
// empty.
type Rule struct {
	Match  string `json:"match"`
	Action Action `json:"action"`
	Stage  Stage  `json:"stage,omitempty"`
	Line   int    `json:"-"` // of the rule in the config file; 0 when it is not from a file
	Col    int    `json:"-"`
}

// Default returns the configuration of an empty file: the reference's own
// defaults, its core list, and one session that is granted everything. Every
// call returns fresh slices.
func Default() Config {
	return Config{
		Model: Model{Origin: ContextUnknown},
		ToolSearch: ToolSearch{
			Enabled:      Auto,
			ThresholdPct: 10,
			DefaultLimit: 5,
			MaxLimit:     20,
			Ranker:       RankerBM25,
		},
		Core:         slices.Clone(builtinCore),
		Selection:    SelectEager,
		PreSelection: defaultPreSelection(),
		Rescue:       defaultRescue(),
		Plugins:      Plugins{Disabled: []string{}},
		Sessions:     []Session{{Name: DefaultSession}},
	}
}
