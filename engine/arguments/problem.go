package arguments

import (
	"strings"

	"caliper/model/safetext"
)

// Problem is one thing that is wrong with arguments, or that cannot be known.
type Problem struct {
	Path        string `json:"path"`                  // such as labels[0].name; empty for the arguments as a whole
	Message     string `json:"message"`               // such as "expected string, got number"
	Uncheckable bool   `json:"uncheckable,omitempty"` // not a fault of the arguments: this was not checked
	Ref         string `json:"-"`                     // the reference that is not followed, when that is why it was not checked
	Broken      bool   `json:"-"`                     // not checked because the schema is none by its own dialect
	Keyword     string `json:"-"`                     // of the schema that the arguments break; empty for none
}

// String returns "path: message", or the message alone.
func (p Problem) String() string {
	if p.Path == "" {
		return p.Message
	}
	return p.Path + ": " + p.Message
}

// maxProblems is how many problems are listed.
const maxProblems = 50

// finding is a problem before it is written for reading.
type finding struct {
	at []step // empty when Path is known already
	Problem
}

// step is one step from a value into it: to a member, or to an item.
type step struct {
	name string
	item int // of an array; -1 for a member
}

// uncheckable returns a finding about a part that is not checked.
func uncheckable(path, message string) finding {
	return finding{Problem: Problem{Path: path, Message: message, Uncheckable: true}}
}

// into appends the name of a member to a path.
func into(path, name string) string {
	if !isWord(name) {
		return path + "[" + quote(name) + "]"
	}
	if path == "" {
		return name
	}
	return path + "." + name
}

// isWord reports whether a name is made of ASCII letters, digits and _ - $ @,
// so that a path with it cannot be misread.
func isWord(name string) bool {
	return name != "" && len(name) <= maxShown && strings.Trim(name, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-$@") == ""
}

// maxShown is how many characters of a foreign text are shown.
const maxShown = 60

// show makes a foreign text short and safe for a terminal.
func show(text string) string {
	if len(text) > maxShown {
		n := 0
		for i := range text {
			if n == maxShown {
				text = text[:i] + "…"
				break
			}
			n++
		}
	}
	return safetext.Line(text)
}

// quote shows a foreign text in quotes.
func quote(text string) string { return `"` + show(text) + `"` }
