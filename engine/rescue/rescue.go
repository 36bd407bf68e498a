// Package rescue decides which tool results are too long for a context, and
// makes what the model gets in their place: a handle, one block with an excerpt
// and the id under which the rest is kept, by a Store.
//
// Decide goes by the tool and its toolset, and by the size. Example: with
// max_result_chars 12,000, a result of mcp_pump_log with 24,023 characters is
// rescued (rule mcp_name), and one with 12,000 passes whole (rule within_limit).
// Handle shows the first and the last lines of a text, or the first and the last
// items of JSON, within excerpt_max_chars.
//
// Invariants:
//   - a handle has at most excerpt_max_chars characters, and fewer than the
//     result, whatever the result holds
//   - every line of content has a gutter that begins with a digit or a slash and
//     ends with "| ", and no line of ours does: content cannot pass for ours
//   - a handle is marked as a preview, unless it has fewer than 9 characters
//   - the requests that it proposes are valid and find something
//
// Non-goals: answering requests for slices of results (package fetch), and keeping
// secrets from the user who owns the folder of the store.
//
// # Store
//
// A Store keeps rescued results on disk by the hash of their content, for any number
// of processes at once.
//
// Goals: a put that returned is there after a crash, whole; nothing is served
// whose hash is not its id; a session reads what it put and learns nothing of
// the rest; the folder never holds more than its cap; no kill at any moment
// needs a repair.
//
// Layout:
//
//	caliper-rescue-store            empty; makes the folder ours
//	lock                            shared by readers, exclusive to writers
//	blobs/ab/<id>                   content; id is its SHA-256 in hexadecimal
//	refs/<session hash>/<id>.json   one reference; its mtime is the last use
//	tombstones/<session hash>/<id>.json  a reference that was; its mtime is the end
//	quarantine/<id>                 content that failed its hash; its mtime is when
//	temp/<pid>-<random>/            one put at work, locked for as long as it lives
//
// Every fact is a file of its own and there is no index: what one file loses,
// no other file loses. A reference becomes a tombstone by a rename, so that no
// moment knows both or neither. What can be slow (reading the input, fsync)
// happens outside the lock; what has to be seen at once (the renames of a put,
// making room, a sweep) happens inside it, exclusively, so that no sweep comes
// between a blob and its reference.
package rescue

import (
	"time"

	"caliper/config"
)

// Meta is the facts of a blob that are known without reading it, and the file of a reference.
type Meta struct {
	ID      string    `json:"id"`      // SHA-256 of the blob in 64 lower-case hexadecimal digits
	Session string    `json:"session"` // that the reference belongs to; in the file it is for people, what counts is the folder
	Tool    string    `json:"tool"`    // that gave the result; foreign text
	Kind    Kind      `json:"kind"`    // that the blob looks like
	Bytes   int64     `json:"bytes"`
	Chars   int       `json:"chars"` // code points
	Lines   int       `json:"lines"`
	Stored  time.Time `json:"stored"` // when the session's reference was made
}

// Kind names what a blob holds, in the words that the screen shows.
type Kind string

// The kinds, in the order in which Detect tries them.
const (
	Binary     Kind = "binary"
	JSONArray  Kind = "JSON array"
	JSONObject Kind = "JSON object"
	JSONLines  Kind = "JSON lines"
	HTML       Kind = "HTML"
	Code       Kind = "code"
	Diff       Kind = "diff"
	XML        Kind = "XML"
	Text       Kind = "text"
)

// IsJSON reports whether items and JSON pointers make sense for the kind.
func (k Kind) IsJSON() bool { return k == JSONArray || k == JSONObject }

// Limits are the settings of rescue. Lengths are in code points; the texts of ErrorLinePatterns make a line
// look like an error, in any case of letters, and without any the words of this package do.
type Limits = config.Rescue
