package cli

import (
	"cmp"
	"errors"
	"slices"
	"strconv"
	"strings"
	"time"

	"caliper/config"
	"caliper/engine/replay"
	"caliper/engine/tokens"
	"caliper/model/words"
	"caliper/tui/workbench"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
)

// flags are what every command understands.
type flags struct {
	registry []string
	config   string
	bench    workbench.Flags
	theme    string
	queries  string
	results  []string
	replay   []string
	prices   string // of the explorer's replay
	noState  bool
	noCache  bool
	noMouse  bool
	json     bool
	markdown bool // of the commands that have it
	demo     bool
	tour     bool // of the demo, asked for by its command

	// calibrated is the --tokenizer that replay fits, "calibrated", or that with a colon
	// and a model; empty for any other. Before it is fitted, chars4 counts.
	calibrated string

	generations []string // the two of --generation A,B; nil for one or none

	demoFolder string // folder of a demo that --registry names; empty for none
}

// The groups of flags on a help page, by the annotation that holds them.
const groupAnnotation = "caliper_group"

const (
	groupData     = "Data"
	groupOutput   = "Output"
	groupCalls    = "Calls"    // only dry runs read them, so that only their pages and the explorer's show them
	groupExplorer = "Explorer" // only the explorer reads them, so that only its page shows them
)

// register adds the flags to a command and those below it.
func (f *flags) register(cmd *cobra.Command) {
	set := flagSet{cmd.PersistentFlags(), cmd, groupData}
	set.texts(&f.registry, "registry", "PATH", "registry dump, or a folder of them or of a demo; may be repeated")
	set.text(&f.config, "config", "PATH", "config file")
	set.on(&f.demo, "demo", "the demo, for commands that do not take it unasked")
	// SECURITY: an empty name would mean the default session, which may be
	// granted more than the one a script failed to name.
	set.text(&f.bench.Session, "session", "NAME", "session, instead of default or the first one")
	set.value("context", "N", "tokens of context, instead of the config's; 0 is unknown", func(s string) error {
		n, err := strconv.Atoi(s)
		if err != nil || n < 0 {
			return errors.New("want a number of tokens, 0 or more")
		}
		f.bench.Context = &n
		return nil
	})
	set.text(&f.bench.Learn, "learn", "FILE", "labelled queries that ranker learned learns from, instead of the config's")
	set.text(&f.bench.Overrides, "overrides", "FILE", "descriptions, tool: text in YAML, in place of the registry's")
	byDefault(set.value("tokenizer", "METHOD", "chars4, o200k_base, cl100k_base, rendered:PROVIDER; replay: calibrated", func(s string) (err error) {
		model, fitted := strings.CutPrefix(s, replay.CalibratedPrefix)
		if fitted || s == replay.CalibratedAll {
			f.calibrated, f.bench.Tokenizer = s, tokens.Chars4
			return notEmpty(model)
		}
		f.calibrated = ""
		if f.bench.Tokenizer, err = tokens.ParseMethod(s); err != nil {
			return errors.New("want " + words.Or(tokens.Names()))
		}
		return nil
	}), string(tokens.Chars4))
	generation := set.value("generation", "G", "the two hosts of Hermes by date; of compare both", func(s string) error {
		f.bench.Generation, f.generations = s, nil
		if two := strings.Split(s, ","); len(two) == 2 { // of compare
			f.bench.Generation, f.generations = "", two
			if two[0] == two[1] {
				return errors.New("want two that differ")
			}
			return cmp.Or(oneOf(two[0], config.Generations...), oneOf(two[1], config.Generations...))
		}
		return oneOf(s, config.Generations...)
	})
	byDefault(generation, string(config.June2026))
	generation.Hidden = true // a former name of --host; the page of compare has it in its text
	set.value("host", "NAME", "the agent whose search is simulated, as hosts lists them", func(s string) error {
		f.bench.Host = s
		return oneOf(s, config.Hosts...)
	})
	set.on(&f.noCache, "no-cache", "neither read nor keep in the cache folder what was computed or read")
	set.in(groupCalls).on(&f.bench.Strict, "strict", "dry run: refuse arguments that do not fit a tool")
	set.value("message", "TEXT", "the turn's message, which tools.selection selects for", func(s string) error {
		f.bench.Message = message(s)
		return notEmpty(strings.TrimSpace(s))
	})
	set = set.in(groupOutput)
	set.on(&f.json, "json", "print one JSON value")
	f.theme = "auto"
	byDefault(set.value("theme", "THEME", "auto, light, dark or plain", func(s string) error {
		f.theme = s
		return oneOf(s, themes...)
	}), f.theme)
	set = set.in(groupExplorer)
	set.text(&f.queries, "queries", "PATH", "explorer: labelled queries, watched; else queries.jsonl beside the registry")
	set.texts(&f.results, "result", "FILE", "explorer: result of a tool, to see what is rescued, watched; may be repeated")
	set.on(&f.noState, "no-state", "explorer: neither read nor write the state of last time")
	set.on(&f.noMouse, "no-mouse", "explorer: leave the mouse to the terminal")
	set.texts(&f.replay, "replay", "PATH", "explorer: replay this log, or folder of logs, watched; may be repeated")
	set.text(&f.prices, "prices", "FILE", "explorer: prices of models for replay, instead of those that come with caliper")
}

// flagSet adds flags to a command. Each is checked where it is read; kind is the name that the help
// page gives its value.
type flagSet struct {
	set   *pflag.FlagSet
	cmd   *cobra.Command
	group string // on the help page; empty: the command's own
}

// in returns the set that adds flags of a group.
func (f flagSet) in(group string) flagSet { return flagSet{f.set, f.cmd, group} }

// on adds a flag that is given or not.
func (f flagSet) on(to *bool, name, usage string) {
	f.set.BoolVar(to, name, false, usage)
	f.mark(f.set.Lookup(name))
}

// mark puts a flag into the group.
func (f flagSet) mark(flag *pflag.Flag) *pflag.Flag {
	if f.group != "" {
		flag.Annotations = map[string][]string{groupAnnotation: {f.group}}
	}
	return flag
}

// value adds a flag that is read by a function.
func (f flagSet) value(name, kind, usage string, read func(string) error) *pflag.Flag {
	return f.mark(f.set.VarPF(&checked{kind: kind, set: read}, name, "", usage))
}

// text adds a flag for a text that is not empty. Another text is refused when the flag is
// repeated: the first would be dropped without a word.
func (f flagSet) text(to *string, name, kind, usage string) *pflag.Flag {
	given := false
	return f.value(name, kind, usage, func(s string) error {
		if given && *to != s {
			return errTwice
		}
		*to, given = s, true
		return notEmpty(s)
	})
}

// written adds a flag for a file that is written. It refuses "-", which readers take for
// a standard stream: a file of that name is hard to see and to remove.
func (f flagSet) written(to *string, name, kind, usage string) {
	flag := f.text(to, name, kind, usage).Value.(*checked)
	text := flag.set
	flag.set = func(s string) error {
		if s == "-" {
			return errors.New("want a file; ./- is one of this name")
		}
		return text(s)
	}
}

// texts adds a flag for texts that are not empty, which may be repeated.
func (f flagSet) texts(to *[]string, name, kind, usage string) {
	f.value(name, kind, usage, func(s string) error {
		*to = append(*to, s)
		return notEmpty(s)
	})
}

// number adds a flag for a number within bounds; what names such a number.
func (f flagSet) number(to *int, name, kind, usage, what string, least, most int) *pflag.Flag {
	return f.value(name, kind, usage, func(s string) (err error) {
		if *to, err = strconv.Atoi(s); err != nil || *to < least || *to > most {
			return errors.New("want " + what)
		}
		return nil
	})
}

// time adds a flag for a duration above 0; such is one in its message.
func (f flagSet) time(to *time.Duration, name, usage, such string) *pflag.Flag {
	return f.value(name, "TIME", usage, func(s string) (err error) {
		if *to, err = time.ParseDuration(s); err != nil || *to <= 0 {
			return errors.New("want a time such as " + such)
		}
		return nil
	})
}

// choice adds a flag that has one of some values, which a shell completes.
func (f flagSet) choice(name, kind, usage string, choices []string, read func(string) error) {
	f.value(name, kind, usage, read)
	f.completed(name, choices)
}

// completed has a shell complete a flag with some values.
func (f flagSet) completed(name string, choices []string) {
	_ = f.cmd.RegisterFlagCompletionFunc(name, oneOfThese(choices...))
}

// list adds a flag for some words, with commas between them and each once. named returns
// the word that is meant, "" for none; noun is what one is, and what tells which there are.
func (f flagSet) list(to *[]string, name, kind, usage, noun, what string, named func(word string) string) {
	f.value(name, kind, usage, func(s string) error {
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

// among returns what finds a word among some.
func among(words []string) func(string) string {
	return func(word string) string {
		if slices.Contains(words, word) {
			return word
		}
		return ""
	}
}

// rankers adds the flag that names one ranker or several; none is the config's.
func (f flagSet) rankers(to *[]string, usage string) {
	f.list(to, "ranker", "R[,R]", usage, "ranker", strings.Join(rankerNames(), ", "), among(rankerNames()))
}

// out adds the flag for a file to write to; "-" is standard output, as without the flag.
func (f flagSet) out(file *string) {
	f.set.VarP(&checked{kind: "FILE", set: func(s string) error {
		if *file = s; s == "-" {
			*file = ""
		}
		return notEmpty(s)
	}}, "out", "o", "file to write instead of standard output (-o); it is replaced in one step")
}

// byDefault sets what a flag is unless it is given.
func byDefault(f *pflag.Flag, text string) { f.Value.(*checked).text, f.DefValue = text, text }

// saysDefault sets what a flag is unless it is given, and says so on the help page.
func saysDefault(f *pflag.Flag, text string) {
	byDefault(f, text)
	f.Usage += "; " + text + " by default"
}

// asMarkdown is the usage of --markdown.
const asMarkdown = "print it all as Markdown, to be pasted into an issue"

// oneOf refuses a text that is none of some values.
func oneOf(s string, values ...string) error {
	if !slices.Contains(values, s) {
		return errors.New("want " + words.Or(values))
	}
	return nil
}

// notEmpty refuses an empty value, as an unset variable of a script gives.
func notEmpty(s string) error {
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
