package repro

import (
	"slices"
	"strings"

	"caliper/config"
)

// Tried is a setting that the explorer tries on top of the files and the flags:
// a key of the configuration, KeyTokenizer, or one that only the explorer has.
type Tried struct {
	Key      string
	Was, Now any // without it and with it; nil: unset
}

// Edited is a description that the explorer tries in place of a tool's own.
type Edited struct{ Tool, Description string }

// KeyTokenizer is the key of the method that counts tokens, which no
// configuration has and every command takes.
const KeyTokenizer = "tokenizer"

// The keys that commands take as flags: every one the first, search the other.
const (
	keyContext = "model.context_length"
	keyRanker  = "tools.tool_search.ranker"
)

// tried counts what is tried, empty for nothing.
func (c Case) tried() string {
	var out []string
	if n := len(c.Tried); n > 0 {
		out = append(out, counted(n, "setting"))
	}
	if n := len(c.Edited); n > 0 {
		out = append(out, counted(n, "description"))
	}
	return strings.Join(out, " and ")
}

// whatIf writes what is tried, with what holds without it.
func (c Case) whatIf(d *document) {
	if c.tried() == "" {
		return
	}
	d.heading(3, "What if")
	d.line("All figures here are a what-if: the explorer tries this on top of what the files and the flags say.")
	c.whatIfEdited(d)
	if len(c.Tried) == 0 {
		return
	}
	out := tableOf("setting", "tried", "without", "from")
	for _, t := range c.Tried {
		from := ""
		if at := slices.IndexFunc(c.Settings, func(s config.Setting) bool { return s.Key == t.Key }); at >= 0 {
			from = origin(c.Settings[at])
		}
		out.add(code(t.Key), code(value(t.Now)), code(value(t.Was)), from)
	}
	d.table(out)
}

// whatIfEdited writes the descriptions that are tried.
func (c Case) whatIfEdited(d *document) {
	if len(c.Edited) == 0 {
		return
	}
	out := tableOf("tool", "description that is tried")
	for _, e := range c.Edited[:min(len(c.Edited), maxRows)] {
		out.add(code(e.Tool), code(e.Description))
	}
	d.table(out)
	d.more(len(c.Edited) - maxRows)
}

// again writes how to do the same again: what must be set in the config file
// first, the command, and what it cannot bring back. A command line that is
// too long to be pasted is left out, and all of this with it.
func (c Case) again(d *document, last *command) {
	line := last.String()
	if len(line) > maxLine {
		return
	}
	d.heading(3, "Again")
	var first, only []string
	settable := config.Settable()
	for _, t := range c.Tried {
		switch {
		case t.Key == keyContext, t.Key == KeyTokenizer: // flags
		case slices.Contains(settable, t.Key):
			set := &command{name: "config set", arguments: []string{t.Key, word(t.Now)}}
			first = append(first, set.String())
		default:
			only = append(only, code(t.Key)+" at "+code(value(t.Was)))
		}
	}
	if len(c.Edited) > 0 {
		d.line("The registry must be a copy that has the descriptions that are tried.")
	}
	if len(first) > 0 {
		d.line("First, with a copy of the config file as `--config`; with `--dry-run` the change is only shown:")
		d.fence("sh", strings.Join(first, "\n"))
		d.line("Then, with the same `--registry` and that copy:")
	} else {
		d.line("With the same `--registry` and `--config`:")
	}
	d.fence("sh", line)
	if len(only) > 0 {
		d.line("This brings back all but the ranking: commands rank with " + strings.Join(only, " and ") +
			". Other values exist in the explorer only, as knobs of its Budget screen.")
	}
}

// word returns a value as `config set` takes it: a text bare.
func word(v any) string {
	if text, ok := v.(string); ok {
		return text
	}
	return value(v)
}
