package reach

// Code is the finding of a step.
type Code string

// The codes.
const (
	NotReached Code = "not_reached" // an earlier step fails
	InFull     Code = "in_full"     // the tool is sent in full, so that no search is needed

	HasEntry    Code = "has_entry" // the client has the server
	DumpOnly    Code = "dump_only" // no configuration of the client was read, and the dump has the server
	OwnTool     Code = "own_tool"  // the agent's own, of no server
	NoServer    Code = "no_server" // the registry names no server of it, and the agent need not have it
	NoTool      Code = "no_tool"   // nothing has the tool; Names are similar ones
	NoEntry     Code = "no_entry"  // no configuration that was read has the server
	SwitchedOff Code = "switched_off"
	BadEntry    Code = "bad_entry" // the entry is of no use: Text

	InDump      Code = "in_dump"
	NotListed   Code = "not_listed"   // the server lists other tools
	NotAsked    Code = "not_asked"    // nobody has asked the server
	NotStarted  Code = "not_started"  // it gave no list: Text
	Unavailable Code = "unavailable"  // the agent's own check of the tool failed
	ListRefused Code = "list_refused" // the client takes no tool of the server, for the schema of the tool in Names

	NoFilter    Code = "no_filter" // none leaves it out
	FilteredOut Code = "filtered_out"
	NotRead     Code = "not_read" // settings that may leave it out and are not understood: Names
	NoFile      Code = "no_file"  // no configuration of the client was read

	OwnName    Code = "own_name"
	CutName    Code = "cut_name"    // it is cut, or numbered, and its own
	SharedName Code = "shared_name" // Names have it too
	LongName   Code = "long_name"   // of more than Limit characters, which Text refuses
	LeftOut    Code = "left_out"    // the client leaves it out, and says nothing, for the limits in Names
	BadName    Code = "bad_name"    // with a character that Text refuses

	IsGranted    Code = "is_granted"
	NotEnabled   Code = "not_enabled"    // the list of the session lacks the toolset
	NoToolset    Code = "no_toolset"     // the list names a toolset that nothing has, in Names, and not the tool's
	Disabled     Code = "disabled"       // a list takes the toolset away
	NotListedFor Code = "not_listed_for" // the lists of the subagent in Names leave out Text
	Replaced     Code = "replaced"       // it has the name of a tool of the bridge

	SentInFull  Code = "sent_in_full"
	SearchLeads Code = "search_leads" // it is deferred, and the model has a search
	NoSearch    Code = "no_search"    // it is deferred, and the model has none
	NotSelected Code = "not_selected" // the selection Text leaves it out of this message, and nothing leads to it
	OnModel     Code = "on_model"     // whether there is a search depends on a model that is not known
	OnSize      Code = "on_size"      // there is one where the definitions are large, as Text says
	InCode      Code = "in_code"      // the model Text has no search, but programs that read the list of tools
	OnCode      Code = "on_code"      // it depends on the program that uses the library
	TooMany     Code = "too_many"     // Rank tools are sent, and Text takes Limit
	Refused     Code = "refused"      // Text refuses the definition

	RankedIn   Code = "ranked_in"
	BelowLimit Code = "below_limit" // it ranks behind Limit
	ByChance   Code = "by_chance"   // equals cross the limit, and chance decides
	Untold     Code = "untold"      // whether it is found cannot be told, for the reason in Names
	NoWords    Code = "no_words"    // the search reads no word of the query in it
	OtherNamed Code = "other_named" // the query is another tool's name
	NoText     Code = "no_text"     // it has no description

	Arguments    Code = "arguments"     // Names are its parameters
	NoArguments  Code = "no_arguments"  // it has no parameters
	NotDescribed Code = "not_described" // tool_describe refuses it
	NoSchema     Code = "no_schema"     // the parameters are no object that can be read

	PassesGates Code = "passes_gates"
	Approval    Code = "approval"     // a person is asked
	RuleDenies  Code = "rule_denies"  // a rule of the gate Text
	GateRefuses Code = "gate_refuses" // the gate Text, for the code in Names
	TaskOnly    Code = "task_only"    // its server runs it only as a task
	NoRules     Code = "no_rules"     // what the agent asks before a call was not read
)
