package report

import (
	"bytes"
	"encoding/json"
	"fmt"
	"path/filepath"
	"runtime"
	"runtime/debug"
	"slices"
	"strings"

	"caliper/config"
	"caliper/engine"
	"caliper/engine/reach"
	"caliper/engine/tokens"
	"caliper/model/safetext"
	"caliper/tui/workbench"
)

// Case holds the facts that every report for an issue begins with: the program,
// and the settings that its figures depend on.
type Case struct {
	Program  string // what made it, as Program returns it
	Snapshot *engine.Snapshot
	Posture  reach.Posture // what decides the search of the agent
	// ConfigName and ConfigData are the config file that the state was made of; empty
	// for none.
	ConfigName string
	ConfigData []byte
	Settings   []config.Setting // the effective ones, without trials; those that are not the defaults are written
	Tried      []Tried          // what the snapshot has on top of the settings; with any, all figures are a what-if
	Edited     []workbench.Edit // descriptions that it has instead of the registry's; with any, all figures are a what-if
}

// Tried is a setting that the explorer tries on top of the files and the flags:
// a key of the configuration, KeyTokenizer, or one that only the explorer has.
type Tried struct {
	Key      string
	Was, Now any // without it and with it; nil: unset
}

// KeyTokenizer is the key of the method that counts tokens, which no
// configuration has and every command takes.
const KeyTokenizer = "tokenizer"

// Program returns the version of this program, of Go, and the platform.
func Program() string {
	version := "unknown"
	if info, ok := debug.ReadBuildInfo(); ok && info.Main.Version != "" {
		version = info.Main.Version
	}
	return fmt.Sprintf("caliper %s, %s, %s/%s", version, runtime.Version(), runtime.GOOS, runtime.GOARCH)
}

// Begin returns a report that begins with the program and the settings.
func (c Case) Begin(title string) *Report {
	r := new(Report)
	r.Heading(2, title)
	c.surroundings(r)
	return r
}

// Issue returns the report that a command prints, for an issue: after what it depends on,
// with at most maxRows rows of a table, and before the command line that prints it again.
func (c Case) Issue(title string, of *Report, again *command) *Report {
	r := c.Begin(title)
	r.Add(of.cut())
	return c.again(r, again)
}

// surroundings adds the program and the facts that the report depends on: the settings whose
// values are not the defaults, and the tried values with those that hold without them.
func (c Case) surroundings(r *Report) {
	s := c.Snapshot
	var files []string
	for _, source := range s.Registry.Sources {
		files = append(files, filepath.Base(source.Name))
	}
	b := s.Budget(false)
	list := []Text{Or(Name(c.Program), "an unknown version of caliper")}
	if tried := c.tried(); tried != "" {
		list = append(list, Textf("WHAT IF: a draft of %s on top of the files, see below", tried))
	}
	granted := names(s.Session.Enabled)
	if s.Session.Enabled == nil {
		granted = TextOf("every toolset")
	}
	active, limit := "not active", Textf("the threshold at %d", b.ThresholdTokens)
	if b.Active {
		active = "active"
	}
	if b.Listing != nil {
		limit = Textf("a listing of %d tokens at most", b.Listing.Limit)
	}
	r.List(append(list,
		Textf("registry: %d tools in %d toolsets, from %s", len(s.Registry.Tools), len(s.Registry.Toolsets), Or(names(files), "no file")),
		Textf("session: %s, granted %d tools; enabled: %s; disabled: %s", Name(s.Session.Name), b.Tools, Or(granted, "none"), Or(names(s.Session.Disabled), "none")),
		Textf("tool search: %s, with %d deferrable tools of %d tokens, by %s, and %s", active, b.DeferredCount, b.DeferredTokens,
			Name(b.Tokenizer), limit),
		Textf("agent: %s", b.Generation),
	)...)
	defaults := map[string]string{}
	none, _ := config.Parse("", nil)
	for _, s := range none.Settings {
		defaults[s.Key] = value(s.Value)
	}
	changed := Columns("setting", "value", "from")
	for _, s := range c.Settings { // those of sessions are left out: a line above is about the one that matters
		if v := value(s.Value); v != defaults[s.Key] && !strings.HasPrefix(s.Key, "sessions.") {
			changed.Row(Name(s.Key), Name(v), settingOrigin(s))
		}
	}
	if changed.Empty() {
		r.Say("All settings have their defaults.")
	} else {
		r.Table(changed)
	}
	if c.tried() == "" {
		return
	}
	r.Heading(3, "What if")
	r.Say("All figures here are a what-if: the explorer puts this draft on top of what the files and the flags say.")
	if len(c.Edited) > 0 {
		Rows(r, Columns("tool", "draft description"), c.Edited, MaxRows, func(e workbench.Edit) []any { return []any{Name(e.Tool), Name(e.Description)} })
	}
	if len(c.Tried) == 0 {
		return
	}
	t := Columns("setting", "draft", "without draft", "from")
	for _, x := range c.Tried {
		var from Text
		if at := slices.IndexFunc(c.Settings, func(s config.Setting) bool { return s.Key == x.Key }); at >= 0 {
			from = settingOrigin(c.Settings[at])
		}
		t.Row(Name(x.Key), Name(value(x.Now)), Name(value(x.Was)), from)
	}
	r.Table(t)
}

// names returns names as a list in a line.
func names(list []string) Text {
	const shown = 12
	out := Names(list, shown)
	if more := len(list) - shown; more > 0 {
		out = append(out, Textf(", %d more", more)...)
	}
	return out
}

// value returns the value of a setting as JSON.
func value(v any) string {
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	if e.Encode(v) != nil {
		return "?"
	}
	return strings.TrimSuffix(b.String(), "\n")
}

// settingOrigin returns where a setting comes from.
func settingOrigin(s config.Setting) Text {
	if s.Origin == config.OriginFile && s.Line > 0 {
		return Name(fmt.Sprintf("%s:%d", filepath.Base(s.File), s.Line))
	}
	return Name(s.Origin)
}

// tried returns the number of tried values as text, empty for none.
func (c Case) tried() string {
	var out []string
	if n := len(c.Tried); n > 0 {
		out = append(out, Count(n, "setting").String())
	}
	if n := len(c.Edited); n > 0 {
		out = append(out, Count(n, "description").String())
	}
	return strings.Join(out, " and ")
}

// again adds how to reproduce the report: the settings to write first, the
// command, and what the command cannot reproduce. It adds nothing when the
// command line is too long to paste, and for nil. It returns the report.
func (c Case) again(r *Report, last *command) *Report {
	if last == nil {
		return r
	}
	line := last.String()
	if len(line) > maxLine {
		return r
	}
	r.Heading(3, "Again")
	var first []string
	var only Text
	settable := config.Settable()
	for _, t := range c.Tried {
		switch {
		case t.Key == config.KeyContext, t.Key == KeyTokenizer: // flags
		case slices.Contains(settable, t.Key):
			set := &command{name: "config set", arguments: []string{t.Key, word(t.Now)}}
			first = append(first, set.String())
		default:
			if len(only) > 0 {
				only = append(only, TextOf(" and ")...)
			}
			only = append(only, Textf("%s at %s", Name(t.Key), Name(value(t.Was)))...)
		}
	}
	if len(c.Edited) > 0 {
		r.Say("The registry must be a copy that has the draft descriptions.")
	}
	if len(first) > 0 {
		r.Say("First, with a copy of the config file as `--config`; with `--dry-run` the change is only shown:")
		r.Fence("sh", strings.Join(first, "\n"))
		r.Say("Then, with the same `--registry` and that copy:")
	} else {
		r.Say("With the same `--registry` and `--config`:")
	}
	r.Fence("sh", line)
	if len(only) > 0 {
		r.Say("This brings back all but the ranking: commands rank with %s. Other values exist in the explorer only, as knobs of its Budget screen.", only)
	}
	return r
}

// word returns a value as an argument of `config set`: a text without quotes.
func word(v any) string {
	if text, ok := v.(string); ok {
		return text
	}
	return value(v)
}

// Event is one thing that happened in the explorer: a reload, an error or a
// dry run.
type Event struct {
	Clock   string // when, of the day
	Title   string
	Details []string
}

// maxLog is how many characters of events are written.
const maxLog = 30_000

// Activity returns the report of events, the newest first, out of so many that
// happened. What the explorer has loaded by now stands before them.
func (c Case) Activity(events []Event, of int) *Report {
	r := new(Report)
	r.Heading(2, "caliper, what happened")
	r.Say("Now:")
	c.surroundings(r)
	r.Heading(3, "Events")
	switch {
	case len(events) == of:
		r.Say("All that happened, the newest first:")
	case len(events) == 1:
		r.Say("One of %d events:", of)
	default:
		r.Say("%d of %d events, the newest first:", len(events), of)
	}
	var b strings.Builder
	for _, e := range events {
		fmt.Fprintf(&b, "%s %s\n", e.Clock, e.Title)
		for _, detail := range e.Details {
			fmt.Fprintf(&b, "    %s\n", detail)
		}
	}
	r.add(block{kind: fence, name: "text", raw: b.String(), number: maxLog})
	return r
}

// maxLine is the longest command line in bytes. Nobody would paste a longer
// one, and it must not be cut.
const maxLine = 2000

// command is a command line that reproduces a report.
type command struct {
	name      string
	flags     []string
	arguments []string
}

// Command returns the command line of a command with arguments, in the session
// of the case and with its settings that are flags. It leaves out empty
// arguments after the first.
func (c Case) Command(name string, arguments ...string) *command {
	if last := len(arguments) - 1; last > 0 && arguments[last] == "" {
		arguments = arguments[:last]
	}
	out := &command{name: name, arguments: arguments}
	out.add("--session", c.Snapshot.Session.Name)
	var length any // of the context, where a flag must give it
	var context, host bool
	for _, s := range c.Settings {
		if s.Key == config.KeyContext && s.Origin == config.OriginFlag {
			length, context = s.Value, true
		}
		host = host || (s.Key == config.KeyHost || s.Key == config.KeyGeneration) && s.Origin == config.OriginFlag
	}
	for _, t := range c.Tried {
		if t.Key == config.KeyContext {
			length, context = t.Now, true
		}
		host = host || t.Key == config.KeyHost
	}
	if length == nil { // which is unknown
		length = 0
	}
	if context {
		out.add("--context", value(length))
	}
	if host {
		out.add("--host", c.Snapshot.Host().Name)
	}
	if c.Snapshot.Tokenizer != tokens.Chars4 {
		out.add("--tokenizer", string(c.Snapshot.Tokenizer))
	}
	if c.Snapshot.Strict {
		out.add("--strict")
	}
	return out
}

// add adds a flag with its value, if it has one.
func (c *command) add(words ...string) { c.flags = append(c.flags, words...) }

// String returns the command line for a POSIX shell as one line, even when a
// name, a query or an argument has several.
func (c *command) String() string {
	line := append(strings.Fields("caliper "+c.name), c.flags...)
	if slices.ContainsFunc(c.arguments, func(a string) bool { return strings.HasPrefix(a, "-") }) {
		line = append(line, "--")
	}
	line = append(line, c.arguments...)
	for i, w := range line {
		line[i] = safetext.Line(w)
	}
	return CommandLine(line...)
}

// CommandLine returns arguments quoted for a POSIX shell.
//
// SECURITY: users paste the line into a shell, and an argument may hold any
// text. Within single quotes only a single quote is special.
func CommandLine(words ...string) string {
	special := func(r rune) bool {
		return !(r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' || r >= '0' && r <= '9' || strings.ContainsRune("_-./:@+", r))
	}
	line := ""
	for i, word := range words {
		if i > 0 {
			line += " "
		}
		if word == "" || strings.ContainsFunc(word, special) {
			word = "'" + strings.ReplaceAll(word, "'", `'\''`) + "'"
		}
		line += word
	}
	return line
}
