package repro

import (
	"slices"
	"strings"

	"caliper/config"
	"caliper/engine/tokens"
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
	for _, s := range c.Settings {
		if s.Key == "model.context_length" && s.Origin == config.OriginFlag {
			out.add("--context", value(s.Value))
		}
	}
	if c.Snapshot.Tokenizer != tokens.Chars4 {
		out.add("--tokenizer", string(c.Snapshot.Tokenizer))
	}
	return out
}

// add adds a flag with its value, if it has one.
func (c *command) add(words ...string) { c.flags = append(c.flags, words...) }

// write writes the command line for a POSIX shell, unless it is too long.
func (c *command) write(d *document) {
	words := append([]string{"caliper", c.name}, c.flags...)
	if slices.ContainsFunc(c.arguments, func(a string) bool { return strings.HasPrefix(a, "-") }) {
		words = append(words, "--")
	}
	words = append(words, c.arguments...)
	for i, w := range words {
		words[i] = quoted(w)
	}
	line := strings.Join(words, " ")
	if len(line) > maxLine {
		return
	}
	d.heading(3, "Again")
	d.line("With the same `--registry` and `--config`:")
	d.fence("sh", line)
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
