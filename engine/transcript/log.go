package transcript

import (
	"errors"
	"strconv"
	"time"
)

// Log is the content of one file or one folder of logs.
type Log struct {
	// Sessions are in the order of their first line.
	Sessions []Session
	// Skipped counts the lines that are no part of any session, and what they
	// are: a kind that means nothing here, a torn line, an unknown one.
	Skipped []Skipped
}

// Skipped counts the lines of one kind that were left out of a file.
type Skipped struct {
	File string
	// Line is the first of them, counted from 1; 0 where a source has no lines.
	Line int
	// What names the kind as the log does ("progress"), or is one of ours:
	// "torn", "not JSON", "too long", "unknown", Unreadable, NoCopy.
	What  string
	Count int
	// Known: such lines are known to hold nothing of a conversation.
	Known bool
}

// Unreadable is Skipped.What of a file or folder that cannot be opened, or not while it is
// written.
const Unreadable = "unreadable"

// NoCopy is Skipped.What of a database that cannot be copied, because there is no folder for
// temporary files: it is read from a copy, so that nothing is left beside it.
const NoCopy = "no folder for a copy"

// Foreign are Skipped.What of files whose program is known, and whose form is not read.
const (
	ForeignGemini   = "a session of Gemini CLI"
	ForeignOpenCode = "a session of OpenCode"
	ForeignVSCode   = "a chat of VS Code"
	ForeignSpans    = "OpenTelemetry spans"
	ForeignBedrock  = "a log of Amazon Bedrock"
	ForeignArchive  = "an HTTP archive"
	ForeignJob      = "a log with times in which no agent printed its session"
)

// Foreign are all of these.
var Foreign = []string{ForeignGemini, ForeignOpenCode, ForeignVSCode, ForeignSpans, ForeignBedrock, ForeignArchive, ForeignJob}

// ForkOf begins Skipped.What of a fork whose history is in the log of another session, which was not
// read: it ends with the id of that session.
const ForkOf = "fork without the log of session "

// Stream is Skipped.What of answers that were logged in pieces, as they were streamed.
const Stream = "stream"

// NoLog is Skipped.What of a file of no form that is known.
const NoLog = "no log"

// Options say how a log is read. The zero value counts characters alone.
type Options struct {
	// Count returns the tokens of a text; nil when only characters count.
	Count Counter
	// Tokenizer names what counts; "" where it has no name, so that nothing is
	// kept of what it counted.
	Tokenizer string
	// Pack asks for sessions whose contexts are Packed, where a log may have so many that
	// they take more memory than half of it: for one that looks at each session once.
	Pack bool
	// Found is called once before anything is read, with the number of files that may be
	// logs and their bytes on disk: a packed log counts as it is packed, a database with
	// the files that belong to it. It is nil when nobody looks.
	Found func(files int, bytes int64)
	// Progress is called with the bytes read since its last call, or known
	// without reading them; nil when nobody looks. It is called from the
	// goroutine that reads.
	Progress func(bytes int)
}

// Agents are those whose logs are read.
var Agents = []Agent{Claude, Codex, Hermes, OpenAI, Anthropic, Caliper, Copilot}

// errSince is why a text is no point in time.
var errSince = errors.New("want 30d, 12h, 2w, or a date such as 2026-09-01")

// ParseSince reads a point in time: a date, or a number of hours, days or weeks before
// now.
func ParseSince(s string, now time.Time) (time.Time, error) {
	if t, err := time.Parse(time.DateOnly, s); err == nil {
		return t, nil
	}
	units := map[byte]time.Duration{'h': time.Hour, 'd': 24 * time.Hour, 'w': 7 * 24 * time.Hour}
	if s != "" {
		n, err := strconv.Atoi(s[:len(s)-1])
		unit, ok := units[s[len(s)-1]]
		if err == nil && ok && n >= 0 && n <= 100_000 {
			return now.Add(-time.Duration(n) * unit), nil
		}
	}
	return time.Time{}, errSince
}

// Before reports whether a session ended before a time. One without times did not.
func (s *Session) Before(since time.Time) bool {
	ended := LatestOf(s.Contexts)
	if s.Packed != nil {
		ended = s.Packed.Ended
	}
	return !ended.IsZero() && ended.Before(since)
}

// Since returns the sessions that went on at a time or after it, in their order; all for
// the zero time.
func Since(sessions []Session, since time.Time) []Session {
	if since.IsZero() {
		return sessions
	}
	var kept []Session
	for i := range sessions {
		if !sessions[i].Before(since) {
			kept = append(kept, sessions[i])
		}
	}
	return kept
}

// SECURITY: what a line is called is the log's to say, so that a hostile one could have
// as many kinds as lines, each as long as a line may be.
const (
	maxKinds = 100 // different kinds of one file
	maxKind  = 100 // bytes of the name of a kind

	mostKnown = 1000 // kinds, as some are the log's to name
)

// unknownKind is the kind of a line that says nothing, or too much, of what it is.
const unknownKind = "unknown"

// Skips counts the lines that are left out, by their file and kind. Its memory grows with
// the files, never with their lines. The zero value is ready.
type Skips struct {
	list  []Skipped
	at    map[[2]string]int // of a file and a kind: index in list
	kinds map[string]int    // of a file: how many
	known map[string]bool   // kinds that hold nothing of a conversation
}

// Know notes kinds that an agent is known to write beside a conversation.
func (s *Skips) Know(kinds ...string) {
	if s.known == nil {
		s.known = map[string]bool{}
	}
	for _, kind := range kinds {
		if len(s.known) < mostKnown && len(kind) <= maxKind {
			s.known[kind] = true
		}
	}
}

// Add counts a line of a file that is left out, and what it is: "unknown" where it has no
// name, or a longer one than a kind has, or where the file has too many kinds.
func (s *Skips) Add(file string, line int, what string) {
	if s.at == nil {
		s.at, s.kinds = map[[2]string]int{}, map[string]int{}
	}
	if what == "" || len(what) > maxKind {
		what = unknownKind
	}
	i, ok := s.at[[2]string{file, what}]
	if !ok && s.kinds[file] >= maxKinds {
		what = unknownKind
		i, ok = s.at[[2]string{file, what}]
	}
	if !ok {
		i = len(s.list)
		s.at[[2]string{file, what}] = i
		s.kinds[file]++
		s.list = append(s.list, Skipped{File: file, Line: line, What: what})
	}
	s.list[i].Count++
}

// List returns what was counted, each kind of a file at its first line.
func (s *Skips) List() []Skipped {
	for i := range s.list {
		s.list[i].Known = s.known[s.list[i].What]
	}
	return s.list
}
