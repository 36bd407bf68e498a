package cli

import (
	"cmp"
	"errors"
	"slices"
	"strconv"
	"strings"

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
	demo     bool
	tour     bool // of the demo, asked for by its command

	// calibrated is the --tokenizer that replay fits, "calibrated", or that with a colon
	// and a model; empty for any other. What is counted before it is fitted, chars4 counts.
	calibrated string

	generations []string // the two of --generation A,B; nil for one or none

	demoFolder string // folder of a demo that --registry names; empty for none
}

// The groups of flags on a help page, by the annotation that holds them.
const groupAnnotation = "caliper_group"

const (
	groupData     = "Data"
	groupOutput   = "Output"
	groupCalls    = "Calls" // only dry runs read them, so that only their pages and the explorer's show them
	groupExplorer = ""      // only the explorer reads them, so that only its page shows them
)

// register adds the flags to a set.
func (f *flags) register(set *pflag.FlagSet) {
	mark(textsFlag(set, &f.registry, "registry", "PATH", "registry dump, or a folder of them or of a demo; may be repeated"), groupData)
	mark(textFlag(set, &f.config, "config", "PATH", "config file"), groupData)
	set.BoolVar(&f.demo, "demo", false, "the demo, for commands that do not take it unasked")
	mark(set.Lookup("demo"), groupData)
	// SECURITY: an empty name would mean the default session, which may be
	// granted more than the one a script failed to name.
	mark(textFlag(set, &f.bench.Session, "session", "NAME", "session, instead of default or the first one"), groupData)
	mark(valueFlag(set, "context", "N", "tokens of context, instead of the config's; 0 is unknown", f.setContext), groupData)
	mark(textFlag(set, &f.bench.Learn, "learn", "FILE", "labelled queries that ranker learned learns from, instead of the config's"), groupData)
	mark(textFlag(set, &f.bench.Overrides, "overrides", "FILE", "descriptions, tool: text in YAML, in place of the registry's"), groupData)
	tokenizer := valueFlag(set, "tokenizer", "METHOD", "chars4, o200k_base, cl100k_base, rendered:PROVIDER; replay: calibrated", func(s string) (err error) {
		if s == replay.CalibratedAll {
			f.calibrated, f.bench.Tokenizer = s, tokens.Chars4
			return nil
		}
		if model, ok := strings.CutPrefix(s, replay.CalibratedPrefix); ok {
			f.calibrated, f.bench.Tokenizer = s, tokens.Chars4
			return notEmpty(model)
		}
		f.calibrated = ""
		if f.bench.Tokenizer, err = tokens.ParseMethod(s); err != nil {
			return errors.New("want " + words.Or(tokens.Names()))
		}
		return nil
	})
	byDefault(mark(tokenizer, groupData), string(tokens.Chars4))
	generation := valueFlag(set, "generation", "G", "rules of the agent: june-2026 or september-2026; of compare also both", func(s string) error {
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
	byDefault(mark(generation, groupData), string(config.June2026))
	set.BoolVar(&f.noCache, "no-cache", false, "neither read nor keep in the cache folder what was computed or read")
	mark(set.Lookup("no-cache"), groupData)
	set.BoolVar(&f.bench.Strict, "strict", false, "dry run: refuse arguments that do not fit a tool")
	mark(set.Lookup("strict"), groupCalls)
	mark(valueFlag(set, "message", "TEXT", "the turn's message, which tools.selection selects for", func(s string) error {
		f.bench.Message = message(s)
		return notEmpty(strings.TrimSpace(s))
	}), groupData)
	set.BoolVar(&f.json, "json", false, "print one JSON value")
	mark(set.Lookup("json"), groupOutput)
	f.theme = "auto"
	theme := valueFlag(set, "theme", "THEME", "auto, light, dark or plain", func(s string) error {
		f.theme = s
		return oneOf(s, themes...)
	})
	byDefault(mark(theme, groupOutput), f.theme)
	mark(textFlag(set, &f.queries, "queries", "PATH", "explorer: labelled queries, watched; else queries.jsonl beside the registry"), groupExplorer)
	mark(textsFlag(set, &f.results, "result", "FILE", "explorer: result of a tool, to see what is rescued, watched; may be repeated"), groupExplorer)
	set.BoolVar(&f.noState, "no-state", false, "explorer: neither read nor write the state of last time")
	mark(set.Lookup("no-state"), groupExplorer)
	set.BoolVar(&f.noMouse, "no-mouse", false, "explorer: leave the mouse to the terminal")
	mark(set.Lookup("no-mouse"), groupExplorer)
}

// mark puts a flag into a group.
func mark(f *pflag.Flag, group string) *pflag.Flag {
	f.Annotations = map[string][]string{groupAnnotation: {group}}
	return f
}

// setContext reads a number of tokens.
func (f *flags) setContext(s string) error {
	n, err := strconv.Atoi(s)
	if err != nil || n < 0 {
		return errors.New("want a number of tokens, 0 or more")
	}
	f.bench.Context = &n
	return nil
}

// valueFlag adds a flag that is checked where it is read. kind is what the help
// page calls its value.
func valueFlag(set *pflag.FlagSet, name, kind, usage string, read func(string) error) *pflag.Flag {
	return set.VarPF(&checked{kind: kind, set: read}, name, "", usage)
}

// textFlag adds a flag for a text that is not empty. Another text is refused when the flag is
// repeated: the first would be dropped without a word.
func textFlag(set *pflag.FlagSet, to *string, name, kind, usage string) *pflag.Flag {
	given := false
	return valueFlag(set, name, kind, usage, func(s string) error {
		if given && *to != s {
			return errTwice
		}
		*to, given = s, true
		return notEmpty(s)
	})
}

// writtenFlag adds a flag for a file that is written. It refuses "-", which readers take for
// a standard stream: a file of that name is hard to see and to remove.
func writtenFlag(set *pflag.FlagSet, to *string, name, kind, usage string) {
	f := textFlag(set, to, name, kind, usage).Value.(*checked)
	text := f.set
	f.set = func(s string) error {
		if s == "-" {
			return errors.New("want a file; ./- is one of this name")
		}
		return text(s)
	}
}

// textsFlag adds a flag for texts that are not empty, which may be repeated.
func textsFlag(set *pflag.FlagSet, to *[]string, name, kind, usage string) *pflag.Flag {
	return valueFlag(set, name, kind, usage, func(s string) error {
		*to = append(*to, s)
		return notEmpty(s)
	})
}

// choiceFlag adds a flag that has one of some values, which a shell completes.
func choiceFlag(cmd *cobra.Command, name, kind, usage string, choices []string, read func(string) error) {
	valueFlag(cmd.Flags(), name, kind, usage, read)
	_ = cmd.RegisterFlagCompletionFunc(name, cobra.FixedCompletions(choices, cobra.ShellCompDirectiveNoFileComp))
}

// byDefault sets what a flag is unless it is given.
func byDefault(f *pflag.Flag, text string) { f.Value.(*checked).text, f.DefValue = text, text }

// saysDefault sets what a flag is unless it is given, and says so on the help page.
func saysDefault(f *pflag.Flag, text string) {
	byDefault(f, text)
	f.Usage += "; " + text + " by default"
}

// markdownFlag adds --markdown.
func markdownFlag(cmd *cobra.Command, to *bool) {
	cmd.Flags().BoolVar(to, "markdown", false, "print it all as Markdown, to be pasted into an issue")
}

// oneOf refuses what is none of some values.
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

// Set reads a value, or returns what is wrong with it.
func (c *checked) Set(s string) error {
	c.text = s
	return c.set(s)
}
