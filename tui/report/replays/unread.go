package replays

import (
	"slices"
	"strings"

	"caliper/engine/transcript"
	"caliper/model/safetext"
	"caliper/model/words"
)

// Unread are paths that could not be read for one reason.
type Unread struct {
	Paths     []string
	noun, why string // "path", "cannot be opened"
	foreign   bool   // it is a form of another program
}

// Text returns how many paths there are, and why they could not be read.
func (u Unread) Text() string {
	switch {
	case u.foreign && len(u.Paths) == 1:
		return "this is " + u.why + ", which replay does not read"
	case u.foreign:
		return words.CountThousands(len(u.Paths), u.noun) + " are " + u.why + ", which replay does not read"
	}
	return words.CountThousands(len(u.Paths), u.noun) + " " + u.why
}

// ReplayReads are the logs that replay reads.
const ReplayReads = "Claude Code (also its stream-json), Codex (also exec --json), Copilot CLI, Hermes (database, export, gateway), " +
	"requests with their responses in the format of OpenAI or Anthropic, and caliper's own record"

// NoSession tells that there is no session in logs, why, and which logs are read.
func NoSession(skipped []transcript.Skipped) string {
	text := "no session that can be read"
	for _, u := range UnreadLogs(skipped) {
		text += "; " + u.Text()
	}
	return text + "; replay reads " + ReplayReads
}

// UnreadLogs returns what among what was left out could not be read.
func UnreadLogs(skipped []transcript.Skipped) (unread []Unread) {
	add := func(u Unread, what string) {
		for _, s := range skipped {
			if s.What == what {
				u.Paths = append(u.Paths, s.File)
			}
		}
		if len(u.Paths) > 0 {
			unread = append(unread, u)
		}
	}
	add(Unread{noun: "path", why: "cannot be opened, or not while it is written"}, transcript.Unreadable)
	add(Unread{noun: "database", why: "cannot be copied to be read, since there is no folder for temporary files"}, transcript.NoCopy)
	add(Unread{noun: "file", why: "with answers in the pieces of a stream, which replay does not join"}, transcript.Stream)
	var parents []string
	for _, s := range skipped {
		if parent, ok := strings.CutPrefix(s.What, transcript.ForkOf); ok && !slices.Contains(parents, parent) {
			parents = append(parents, parent)
			add(Unread{noun: "fork", why: "left out, since the log of session " + safetext.Line(parent) + ", which has the history, was not read"}, s.What)
		}
	}
	for _, what := range transcript.Foreign {
		add(Unread{noun: "file", why: what, foreign: true}, what)
	}
	return unread
}
