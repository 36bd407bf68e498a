package report

import (
	"slices"
	"strings"

	"caliper/config"
	"caliper/engine/tokens"
	"caliper/model/safetext"
)

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
