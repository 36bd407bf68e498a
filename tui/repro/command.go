package repro

import (
	"slices"
	"strings"

	"caliper/config"
	"caliper/engine/tokens"
	"caliper/model"
)

// maxLine is how long a command line is at most, in bytes. Nobody would paste a
// longer one, and it must not be cut.
const maxLine = 2000

// command is a command line that does the same again.
type command struct {
	name      string
	flags     []string
	arguments []string
}

// command returns the line of a command with arguments, in the session and
// with the settings of the case that are flags. An empty argument behind the
// first is left out.
func (c Case) command(name string, arguments ...string) *command {
	if last := len(arguments) - 1; last > 0 && arguments[last] == "" {
		arguments = arguments[:last]
	}
	out := &command{name: name, arguments: arguments}
	out.add("--session", c.Snapshot.Session.Name)
	if length, given := c.context(); given {
		out.add("--context", value(length))
	}
	if c.Snapshot.Tokenizer != tokens.Chars4 {
		out.add("--tokenizer", string(c.Snapshot.Tokenizer))
	}
	if c.Snapshot.Strict {
		out.add("--strict")
	}
	return out
}

// context returns the context length that a flag must give, 0 for one that is
// unknown, and whether one must.
func (c Case) context() (length any, given bool) {
	for _, s := range c.Settings {
		if s.Key == keyContext && s.Origin == config.OriginFlag {
			length, given = s.Value, true
		}
	}
	for _, t := range c.Tried {
		if t.Key == keyContext {
			length, given = t.Now, true
		}
	}
	if length == nil {
		length = 0
	}
	return length, given
}

// add adds a flag with its value, if it has one.
func (c *command) add(words ...string) { c.flags = append(c.flags, words...) }

// String returns the command line for a POSIX shell. It is one line, however
// many a name, a query or the arguments of a call have.
func (c *command) String() string {
	words := append(strings.Fields("caliper "+c.name), c.flags...)
	if slices.ContainsFunc(c.arguments, func(a string) bool { return strings.HasPrefix(a, "-") }) {
		words = append(words, "--")
	}
	words = append(words, c.arguments...)
	for i, w := range words {
		words[i] = quoted(model.Sanitize(w))
	}
	return strings.Join(words, " ")
}

// quoted returns a word as a POSIX shell reads it back.
//
// SECURITY: somebody will paste the line into a shell. Within single quotes
// only a single quote is special.
func quoted(word string) string {
	special := func(r rune) bool {
		return !(r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' || r >= '0' && r <= '9' || strings.ContainsRune("_-./:@+", r))
	}
	if word != "" && !strings.ContainsFunc(word, special) {
		return word
	}
	return "'" + strings.ReplaceAll(word, "'", `'\''`) + "'"
}
