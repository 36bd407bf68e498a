package lint

import (
	"slices"
	"strings"
)

// Code is the kind of a finding.
type Code string

// The codes, in the order in which findings of one severity stand.
const (
	DarkTool          Code = "dark_tool"          // error: none of its own words find it
	NameClash         Code = "name_clash"         // error: another tool bears its name
	BridgeName        Code = "bridge_name"        // error: it bears a bridge name, and is never sent
	NameRule          Code = "name_rule"          // error: a provider refuses its name; warning: a client leaves the tool out for it
	BrokenSchema      Code = "broken_schema"      // error: its parameters are no schema of an object
	RootKeyword       Code = "root_keyword"       // error: a keyword at the top of the parameters for which a provider refuses the request
	ParameterName     Code = "parameter_name"     // error: a provider refuses the name of a parameter
	LargeEnum         Code = "large_enum"         // error: a provider refuses so many values of a strict tool
	OutputSchema      Code = "output_schema"      // error: clients take no tool of a server with such a schema of the output
	ClientSchema      Code = "client_schema"      // error: clients of MCP take no tool of a server that lists it as it is
	Deferral          Code = "deferral"           // error: a provider refuses which tools are deferred, or how
	TooManyTools      Code = "too_many_tools"     // error: the session sends more tools than a provider takes
	DanglingReference Code = "dangling_reference" // error: a $ref leads to nothing
	BareArray         Code = "bare_array"         // error: an array says nothing of its items, and OpenAI and VS Code refuse it
	TalksToModel      Code = "talks_to_model"     // error: its text gives the model orders, as attacks do
	MalformedGlob     Code = "malformed_glob"     // error: a policy rule that is for every tool because its glob is malformed
	NameNotFound      Code = "name_not_found"     // warning: other words find it, its name's do not
	SentenceNotFound  Code = "sentence_not_found" // warning: other words find it, its first sentence does not
	CoreName          Code = "core_name"          // warning: an MCP tool takes the name of a core tool
	HiddenCharacters  Code = "hidden_characters"  // warning: its text has characters that nobody sees
	NearDuplicate     Code = "near_duplicate"     // warning: another tool says nearly the same
	NoDescription     Code = "no_description"     // warning
	Placeholder       Code = "placeholder"        // warning: a description such as TODO
	SharedDescription Code = "shared_description" // warning: other tools have the same description
	LongDescription   Code = "long_description"   // warning: longer than some providers take
	LongInstructions  Code = "long_instructions"  // warning: a client cuts the instructions of a server
	ExternalReference Code = "external_reference" // warning: a $ref leads out of the schema
	UndefinedRequired Code = "undefined_required" // warning: a required parameter is not defined
	TaskOnly          Code = "task_only"          // warning: it runs only as a task, and a plain call is refused
	IdleRule          Code = "idle_rule"          // warning: a policy rule that matches no tool
	SkillUnread       Code = "skill_unread"       // error: a SKILL.md file that is no skill: without front matter, name or description
	SkillName         Code = "skill_name"         // warning: the name of a skill breaks the format
	SkillFolder       Code = "skill_folder"       // warning: a skill is not named as its folder
	SkillDescription  Code = "skill_description"  // warning: the description of a skill is longer than the format allows
	SkillYAML         Code = "loose_yaml"         // warning: the front matter of a skill is no YAML
	SkillCut          Code = "skill_cut"          // warning: an agent cuts the description of a skill, or leaves it out, for its length
	RepeatsName       Code = "repeats_name"       // info: the description repeats the name
	ShortDescription  Code = "short_description"  // info: too short to distinguish the tool
	CutDescription    Code = "cut_description"    // info: longer than tool_search shows
	CommandsModel     Code = "commands_model"     // info: its text commands the model, as many honest ones do
	SchemaNoise       Code = "schema_noise"       // info: keywords that do not help a model
	SchemaStructure   Code = "schema_structure"   // info: structure costs several times what the text does
	UncheckedSchema   Code = "unchecked_schema"   // info: part of the schema cannot be checked
	WeightlessWord    Code = "weightless_word"    // info: a word of more than half of the catalog
)

// codes is every code in order.
var codes = []Code{
	DarkTool, NameClash, BridgeName, NameRule, BrokenSchema, RootKeyword, ParameterName, LargeEnum, OutputSchema, ClientSchema, Deferral, TooManyTools,
	SkillUnread, DanglingReference, BareArray, TalksToModel, MalformedGlob,
	NameNotFound, SentenceNotFound, CoreName, HiddenCharacters, NearDuplicate, NoDescription, Placeholder,
	SharedDescription, LongDescription, LongInstructions, ExternalReference, UndefinedRequired, TaskOnly, IdleRule,
	SkillName, SkillFolder, SkillDescription, SkillYAML, SkillCut, RepeatsName,
	ShortDescription, CutDescription, CommandsModel, SchemaNoise, SchemaStructure, UncheckedSchema, WeightlessWord,
}

// Codes returns every code, in the order in which findings of one severity
// stand.
func Codes() []Code { return slices.Clone(codes) }

// meanings are the headings of the codes.
var meanings = map[Code]string{
	DarkTool:          "neither name, first sentence nor parameter names find it within the limit",
	NameClash:         "several tools have one name, so a call by it is ambiguous",
	BridgeName:        "has the name of a bridge tool, and is never sent",
	NameRule:          "a provider refuses the name",
	BrokenSchema:      "the parameters are not the schema of an object",
	RootKeyword:       "a union or a reference at the top of the parameters, for which providers refuse the whole request",
	ParameterName:     "a provider refuses the name of a parameter",
	LargeEnum:         "more values than a provider takes of a strict tool",
	OutputSchema:      "a schema of the output for which clients take no tool of the server, or no result of the tool",
	Deferral:          "a provider refuses the request for what is deferred, or how",
	TooManyTools:      "more tools than a provider takes in a request",
	DanglingReference: "a $ref leads to nothing",
	BareArray:         "an array that says nothing of its items, which OpenAI and VS Code refuse",
	TalksToModel:      "text that gives the model orders, as attacks do",
	MalformedGlob:     "a policy rule whose glob is malformed, so that it is for every tool",
	NameNotFound:      "the words of its own name do not find it within the limit",
	SentenceNotFound:  "its own first sentence does not find it within the limit",
	CoreName:          "an MCP tool takes the name of a core tool, and is always sent",
	HiddenCharacters:  "text with characters that nobody sees",
	NearDuplicate:     "two tools say nearly the same",
	NoDescription:     "no description",
	Placeholder:       "a description that only holds the place of one",
	SharedDescription: "several tools have the same description",
	LongDescription:   "a description longer than some providers take",
	LongInstructions:  "a client cuts the instructions of a server",
	ExternalReference: "a $ref leads out of the schema, where nobody follows it",
	UndefinedRequired: "a required parameter that is not defined",
	ClientSchema:      "TypeScript clients of MCP refuse a whole list of tools over it, so serve lists it in another form",
	TaskOnly:          "runs only as a task, so its server refuses a plain call",
	IdleRule:          "a policy rule that matches no tool, and does nothing",
	SkillUnread:       "a SKILL.md file that lacks what the format of Agent Skills asks of a skill",
	SkillName:         "the name of a skill breaks the format of Agent Skills",
	SkillFolder:       "a skill is not named as its folder, as the format asks",
	SkillDescription:  "the description of a skill is longer than the format allows",
	SkillYAML:         "the front matter of a skill is not YAML, for which Copilot CLI leaves it out",
	SkillCut:          "an agent cuts a skill's description, or leaves the skill out, for its length",
	RepeatsName:       "the description says no more than the name",
	ShortDescription:  "a description too short to tell the tool from others",
	CutDescription:    "tool_search cuts the description",
	CommandsModel:     "text that commands the model: shouted, or to use this tool before others",
	SchemaNoise:       "schema keywords that tell a model nothing",
	SchemaStructure:   "the structure of the schema costs several times its text",
	UncheckedSchema:   "part of the schema cannot be checked",
	WeightlessWord:    "a word of more than half of the catalog, by which nothing is found",
}

// Label returns the code in plain words, for people: "unfindable tool". Commands and
// JSON have the code.
func (c Code) Label() string {
	if c == DarkTool {
		return "unfindable tool"
	}
	return strings.ReplaceAll(string(c), "_", " ")
}

// Meaning returns what the code is about, in a few words.
func (c Code) Meaning() string { return meanings[c] }
