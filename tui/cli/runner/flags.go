package runner

import (
	"cmp"
	"errors"
	"slices"
	"strconv"
	"strings"
	"time"

	"caliper/config"
	"caliper/engine"
	"caliper/engine/replay"
	"caliper/engine/tokens"
	"caliper/model/words"
	"caliper/tui/report"
	"caliper/tui/workbench"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
)

// Flags are what every command understands.
type Flags struct {
	Registry []string
	Config   string
	Bench    workbench.Flags
	Theme    string
	Queries  string
	Results  []string
	Replay   []string
	Prices   string // of the explorer's replay
	NoState  bool
	noCache  bool
	NoMouse  bool
	JSON     bool
	Markdown bool // of the commands that have it
	Demo     bool
	Tour     bool // of the demo, asked for by its command

	// calibrated is the --tokenizer that replay fits, "calibrated", or that with a colon
	// and a model; empty for any other. Before it is fitted, chars4 counts.
	Calibrated string

	Generations []string // the two of --generation A,B; nil for one or none

	DemoFolder string // folder of a demo that --registry names; empty for none
}

// The groups of flags on a help page, by the annotation that holds them.
const groupAnnotation = "caliper_group"

const (
	groupData     = "Data"
	groupOutput   = "Output"
	groupCalls    = "Calls"    // only dry runs read them, so that only their pages and the explorer's show them
	GroupExplorer = "Explorer" // only the explorer reads them, so that only its page shows them
)

// Register adds the flags to a command and those below it.
func (f *Flags) Register(cmd *cobra.Command) {
	set := FlagSet{cmd.PersistentFlags(), cmd, groupData}
	set.Texts(&f.Registry, "registry", "PATH", "dump or SKILL.md, or a folder of them or of a demo; may be repeated")
	set.Text(&f.Config, "config", "PATH", "config file")
	set.On(&f.Demo, "demo", "the demo, for commands that do not take it unasked")
	// SECURITY: an empty name would mean the default session, which may be
	// granted more than the one a script failed to name.
	set.Text(&f.Bench.Session, "session", "NAME", "session, instead of default or the first one")
	set.Value("context", "N", "tokens of context, instead of the config's; 0 is unknown", func(s string) error {
		n, err := strconv.Atoi(s)
		if err != nil || n < 0 {
			return errors.New("want a number of tokens, 0 or more")
		}
		f.Bench.Context = &n
		return nil
	})
	set.Text(&f.Bench.Learn, "learn", "FILE", "labelled queries that ranker learned learns from, instead of the config's")
	set.Text(&f.Bench.Overrides, "overrides", "FILE", "descriptions, tool: text in YAML, in place of the registry's")
	ByDefault(set.Value("tokenizer", "METHOD", "chars4, o200k_base, cl100k_base, rendered:PROVIDER; replay: calibrated", func(s string) (err error) {
		model, fitted := strings.CutPrefix(s, replay.CalibratedPrefix)
		if fitted || s == replay.CalibratedAll {
			f.Calibrated, f.Bench.Tokenizer = s, tokens.Chars4
			return NotEmpty(model)
		}
		f.Calibrated = ""
		if f.Bench.Tokenizer, err = tokens.ParseMethod(s); err != nil {
			return errors.New("want " + words.Or(tokens.Names()))
		}
		return nil
	}), string(tokens.Chars4))
	generation := set.Value("generation", "G", "the two hosts of Hermes by date; of compare both", func(s string) error {
		f.Bench.Generation, f.Generations = s, nil
		if two := strings.Split(s, ","); len(two) == 2 { // of compare
			f.Bench.Generation, f.Generations = "", two
			if two[0] == two[1] {
				return errors.New("want two that differ")
			}
			return cmp.Or(OneOf(two[0], config.Generations...), OneOf(two[1], config.Generations...))
		}
		return OneOf(s, config.Generations...)
	})
	ByDefault(generation, string(config.June2026))
	generation.Hidden = true // a former name of --host; the page of compare has it in its text
	set.Value("host", "NAME", "the agent whose search is simulated, as hosts lists them", func(s string) error {
		f.Bench.Host = s
		return OneOf(s, config.Hosts...)
	})
	set.On(&f.noCache, "no-cache", "neither read nor keep in the cache folder what was computed or read")
	set.in(groupCalls).On(&f.Bench.Strict, "strict", "dry run: refuse arguments that do not fit a tool")
	set.Value("message", "TEXT", "the turn's message, which tools.selection selects for", func(s string) error {
		f.Bench.Message = Message(s)
		return NotEmpty(strings.TrimSpace(s))
	})
	set = set.in(groupOutput)
	set.On(&f.JSON, "json", "print one JSON value")
	f.Theme = "auto"
	ByDefault(set.Value("theme", "THEME", "auto, light, dark or plain", func(s string) error {
		f.Theme = s
		return OneOf(s, Themes...)
	}), f.Theme)
	set = set.in(GroupExplorer)
	set.Text(&f.Queries, "queries", "PATH", "explorer: labelled queries, watched; else queries.jsonl beside the registry")
	set.Texts(&f.Results, "result", "FILE", "explorer: result of a tool, to see what is rescued, watched; may be repeated")
	set.On(&f.NoState, "no-state", "explorer: neither read nor write the state of last time")
	set.On(&f.NoMouse, "no-mouse", "explorer: leave the mouse to the terminal")
	set.Texts(&f.Replay, "replay", "PATH", "explorer: replay this log, or folder of logs, watched; may be repeated")
	set.Text(&f.Prices, "prices", "FILE", "explorer: prices of models for replay, instead of those that come with caliper")
}

// FlagSet adds flags to a command. Each is checked where it is read; kind is the name that the help
// page gives its value.
type FlagSet struct {
	Set   *pflag.FlagSet
	Cmd   *cobra.Command // nil where nothing is completed
	Group string         // on the help page; empty: the command's own
}

// in returns the set that adds flags of a group.
func (f FlagSet) in(group string) FlagSet { return FlagSet{f.Set, f.Cmd, group} }

// On adds a flag that is given or not.
func (f FlagSet) On(to *bool, name, usage string) {
	f.Set.BoolVar(to, name, false, usage)
	f.Mark(f.Set.Lookup(name))
}

// Mark puts a flag into the group.
func (f FlagSet) Mark(flag *pflag.Flag) *pflag.Flag {
	if f.Group != "" {
		flag.Annotations = map[string][]string{groupAnnotation: {f.Group}}
	}
	return flag
}

// Value adds a flag that is read by a function.
func (f FlagSet) Value(name, kind, usage string, read func(string) error) *pflag.Flag {
	return f.Mark(f.Set.VarPF(&checked{kind: kind, set: read}, name, "", usage))
}

// Text adds a flag for a text that is not empty. Another text is refused when the flag is
// repeated: the first would be dropped without a word.
func (f FlagSet) Text(to *string, name, kind, usage string) *pflag.Flag {
	given := false
	return f.Value(name, kind, usage, func(s string) error {
		if given && *to != s {
			return errTwice
		}
		*to, given = s, true
		return NotEmpty(s)
	})
}

// Written adds a flag for a file that is written. It refuses "-", which readers take for
// a standard stream: a file of that name is hard to see and to remove.
func (f FlagSet) Written(to *string, name, kind, usage string) {
	flag := f.Text(to, name, kind, usage).Value.(*checked)
	text := flag.set
	flag.written = true
	flag.set = func(s string) error {
		if s == "-" {
			return errors.New("want a file; ./- is one of this name")
		}
		return text(s)
	}
}

// Texts adds a flag for texts that are not empty, which may be repeated.
func (f FlagSet) Texts(to *[]string, name, kind, usage string) {
	f.Value(name, kind, usage, func(s string) error {
		*to = append(*to, s)
		return NotEmpty(s)
	})
}

// Number adds a flag for a number within bounds; what names such a number.
func (f FlagSet) Number(to *int, name, kind, usage, what string, least, most int) *pflag.Flag {
	return f.Value(name, kind, usage, func(s string) (err error) {
		if *to, err = strconv.Atoi(s); err != nil || *to < least || *to > most {
			return errors.New("want " + what)
		}
		return nil
	})
}

// Time adds a flag for a duration above 0; such is one in its message.
func (f FlagSet) Time(to *time.Duration, name, usage, such string) *pflag.Flag {
	return f.Value(name, "TIME", usage, func(s string) (err error) {
		if *to, err = time.ParseDuration(s); err != nil || *to <= 0 {
			return errors.New("want a time such as " + such)
		}
		return nil
	})
}

// Choice adds a flag that has one of some values, which a shell completes.
func (f FlagSet) Choice(name, kind, usage string, choices []string, read func(string) error) {
	f.Value(name, kind, usage, read)
	f.Completed(name, choices)
}

// Completed has a shell complete a flag with some values.
func (f FlagSet) Completed(name string, choices []string) {
	_ = f.Cmd.RegisterFlagCompletionFunc(name, OneOfThese(choices...))
}

// List adds a flag for some words, with commas between them and each once. named returns
// the word that is meant, "" for none; noun is what one is, and what tells which there are.
func (f FlagSet) List(to *[]string, name, kind, usage, noun, what string, named func(word string) string) {
	f.Value(name, kind, usage, func(s string) error {
		var list []string
		for word := range strings.SplitSeq(s, ",") {
			switch word = named(word); {
			case word == "":
				return errors.New("want " + what)
			case slices.Contains(list, word):
				return errors.New("want every " + noun + " once")
			}
			list = append(list, word)
		}
		*to = list
		return nil
	})
}

// Among returns what finds a word among some.
func Among(words []string) func(string) string {
	return func(word string) string {
		if slices.Contains(words, word) {
			return word
		}
		return ""
	}
}

// Rankers adds the flag that names one ranker or several; none is the config's.
func (f FlagSet) Rankers(to *[]string, usage string) {
	f.List(to, "ranker", "R[,R]", usage, "ranker", strings.Join(RankerNames(), ", "), Among(RankerNames()))
}

// Out adds the flag for a file to write to; "-" is standard output, as without the flag.
func (f FlagSet) Out(file *string) {
	f.Set.VarP(&checked{kind: "FILE", written: true, set: func(s string) error {
		if *file = s; s == "-" {
			*file = ""
		}
		return NotEmpty(s)
	}}, "out", "o", "file to write instead of standard output (-o); it is replaced in one step")
}

// ByDefault sets what a flag is unless it is given.
func ByDefault(f *pflag.Flag, text string) { f.Value.(*checked).text, f.DefValue = text, text }

// SaysDefault sets what a flag is unless it is given, and says so on the help page.
func SaysDefault(f *pflag.Flag, text string) {
	ByDefault(f, text)
	f.Usage += "; " + text + " by default"
}

// AsMarkdown is the usage of --markdown.
const AsMarkdown = "print it all as Markdown, to be pasted into an issue"

// OneOf refuses a text that is none of some values.
func OneOf(s string, values ...string) error {
	if !slices.Contains(values, s) {
		return errors.New("want " + words.Or(values))
	}
	return nil
}

// NotEmpty refuses an empty value, as an unset variable of a script gives.
func NotEmpty(s string) error {
	if s == "" {
		return errors.New("want a value that is not empty")
	}
	return nil
}

// checked is a flag that is checked where it is read.
type checked struct {
	kind string // what the help page calls the value
	text string // as given last; at first the default
	set  func(string) error

	written bool // it names a file that the command writes
}

// String returns the value as it was given.
func (c *checked) String() string { return c.text }

// Type returns the kind of value.
func (c *checked) Type() string { return c.kind }

// Set reads a value, or returns its fault.
func (c *checked) Set(s string) error {
	c.text = s
	return c.set(s)
}

// Message returns a message as text.
func Message(text string) string { return strings.ToValidUTF8(text, "\ufffd") }

// What the names of files end in.
var (
	DumpSuffixes   = []string{"json", "jsonc", "jsonl", "ndjson", "txt", "yaml", "yml"}
	ConfigSuffixes = []string{"yaml", "yml"}
	LabelSuffixes  = []string{"jsonl", "json"}
	ClientSuffixes = []string{"json", "jsonc", "toml", "yaml", "yml"}
)

// Themes are the values of --theme.
var Themes = []string{"auto", "light", "dark", "plain"}

// FilesOf completes names of files that end in one of some suffixes, and folders.
func FilesOf(suffixes []string) cobra.CompletionFunc {
	return cobra.FixedCompletions(suffixes, cobra.ShellCompDirectiveFilterFileExt)
}

// AnyFile completes names of files.
var AnyFile = cobra.FixedCompletions(nil, cobra.ShellCompDirectiveDefault)

// OneOfThese completes one of some words.
func OneOfThese(choices ...string) cobra.CompletionFunc {
	return cobra.FixedCompletions(choices, cobra.ShellCompDirectiveNoFileComp)
}

// CompleteLast completes the last of a list of words that are separated by commas, each
// once.
func CompleteLast(words []string) cobra.CompletionFunc {
	return func(_ *cobra.Command, _ []string, typed string) (out []string, _ cobra.ShellCompDirective) {
		before := typed[:strings.LastIndex(typed, ",")+1]
		for _, word := range words {
			if !slices.Contains(strings.Split(before, ","), word) {
				out = append(out, before+word)
			}
		}
		return out, cobra.ShellCompDirectiveNoFileComp
	}
}

// CompleteTool offers the tools that the session is granted for a first
// argument, each with its toolset.
func (r *Run) CompleteTool(cmd *cobra.Command, args []string, prefix string) ([]string, cobra.ShellCompDirective) {
	if len(args) > 0 {
		return nil, cobra.ShellCompDirectiveDefault
	}
	st, err := r.LoadForCompletion(cmd)
	if err != nil {
		return nil, cobra.ShellCompDirectiveNoFileComp
	}
	var out []string
	for _, t := range st.Snapshot.ByName() {
		if st.Snapshot.Granted(t) && st.Snapshot.Class(t) != engine.Dropped &&
			strings.HasPrefix(t.Qualified, prefix) && Completable(t.Qualified) {
			out = append(out, cobra.CompletionWithDesc(t.Qualified, t.ShownToolset()))
		}
	}
	return out, cobra.ShellCompDirectiveNoFileComp
}

// CompleteSession offers the sessions of the config.
func (r *Run) CompleteSession(cmd *cobra.Command, _ []string, prefix string) ([]string, cobra.ShellCompDirective) {
	r.Flags.Bench.Session = "" // the one being typed
	st, err := r.LoadForCompletion(cmd)
	if err != nil {
		return nil, cobra.ShellCompDirectiveNoFileComp
	}
	var out []string
	for _, s := range st.Config.Choosable() {
		if strings.HasPrefix(s.Name, prefix) && Completable(s.Name) {
			out = append(out, s.Name)
		}
	}
	return out, cobra.ShellCompDirectiveNoFileComp
}

// LoadForCompletion is load for a command line that is being typed, whose
// flags cobra parses more than once.
func (r *Run) LoadForCompletion(cmd *cobra.Command) (workbench.State, error) {
	slices.Sort(r.Flags.Registry)
	r.Flags.Registry = slices.Compact(r.Flags.Registry)
	st, err := r.Load(cmd.Context())
	r.DemoUnasked = false // nobody reads it
	return st, err
}

// Completable reports whether a name can be offered to a shell.
//
// SECURITY: names come from servers, and shells put what they are offered on
// the command line: only characters that no shell interprets are let through.
func Completable(name string) bool {
	return report.CommandLine(name) == name
}
