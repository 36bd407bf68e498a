package cli

import (
	"errors"
	"strconv"
	"strings"

	"caliper/engine/tokens"
	"caliper/tui/workbench"

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
	noState  bool
	noMouse  bool
	json     bool
	demo     bool
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
	f.theme = "auto"
	add := func(group, name, usage string, v pflag.Value) *pflag.Flag {
		return mark(set.VarPF(v, name, "", usage), group)
	}
	add(groupData, "registry", "registry dump, or a folder of them; may be repeated",
		&checked{kind: "PATH", set: func(s string) error {
			f.registry = append(f.registry, s)
			return notEmpty(s)
		}})
	add(groupData, "config", "config file",
		&checked{kind: "PATH", set: func(s string) error {
			f.config = s
			return notEmpty(s)
		}})
	set.BoolVar(&f.demo, "demo", false, "the demo, for commands that do not take it unasked")
	mark(set.Lookup("demo"), groupData)
	add(groupData, "session", "session, instead of default or the first one",
		&checked{kind: "NAME", set: func(s string) error {
			f.bench.Session = s
			// SECURITY: an empty name would mean the default session, which
			// may be granted more than the one a script failed to name.
			return notEmpty(s)
		}})
	add(groupData, "context", "tokens of context, instead of the config's; 0 is unknown",
		&checked{kind: "N", set: f.setContext})
	add(groupData, "tokenizer", "how to count: chars4, o200k_base or cl100k_base",
		&checked{kind: "METHOD", text: string(tokens.Chars4), set: func(s string) (err error) {
			f.bench.Tokenizer, err = tokens.ParseMethod(s)
			if err != nil {
				return errors.New("want chars4, o200k_base or cl100k_base")
			}
			return nil
		}})
	set.BoolVar(&f.bench.Strict, "strict", false, "dry run: refuse arguments that do not fit a tool")
	mark(set.Lookup("strict"), groupCalls)
	add(groupData, "message", "the turn's message, which tools.selection selects for",
		&checked{kind: "TEXT", set: func(s string) error {
			f.bench.Message = message(s)
			return notEmpty(strings.TrimSpace(s))
		}})
	set.BoolVar(&f.json, "json", false, "print one JSON value")
	mark(set.Lookup("json"), groupOutput)
	add(groupOutput, "theme", "auto, light, dark or plain",
		&checked{kind: "THEME", text: f.theme, set: func(s string) error {
			f.theme = s
			switch s {
			case "auto", "light", "dark", "plain":
				return nil
			}
			return errors.New("want auto, light, dark or plain")
		}})
	add(groupExplorer, "queries", "explorer: labelled queries, as eval reads them, watched and added to",
		&checked{kind: "PATH", set: func(s string) error {
			f.queries = s
			return notEmpty(s)
		}})
	add(groupExplorer, "result", "explorer: result of a tool, to see what is rescued of it, watched; may be repeated",
		&checked{kind: "FILE", set: func(s string) error {
			f.results = append(f.results, s)
			return notEmpty(s)
		}})
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

// Set takes a value, or says what is wrong with it.
func (c *checked) Set(s string) error {
	c.text = s
	return c.set(s)
}
