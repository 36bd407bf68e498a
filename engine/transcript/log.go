package transcript

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
)

// Foreign are all of these.
var Foreign = []string{ForeignGemini, ForeignOpenCode, ForeignVSCode, ForeignSpans}

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
