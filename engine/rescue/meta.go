package rescue

import "time"

// Meta is what is known of a blob without reading it.
type Meta struct {
	// ID is the SHA-256 of the blob in 64 lower-case hexadecimal digits.
	ID string
	// Tool is the name of the tool that gave the result. It is foreign text.
	Tool string
	// Session is the session that the reference belongs to.
	Session string
	// Bytes is the length of the blob.
	Bytes int64
	// Chars and Lines count the blob by Counter's definitions.
	Chars, Lines int
	// Kind is what the blob looks like.
	Kind Kind
	// Stored is when the session's reference was made.
	Stored time.Time
}

// Kind names what a blob holds, in the words that the screen shows.
type Kind string

// The kinds, in the order in which Detect tries them.
const (
	Binary     Kind = "binary"
	JSONArray  Kind = "JSON array"
	JSONObject Kind = "JSON object"
	HTML       Kind = "HTML"
	Code       Kind = "code"
	Text       Kind = "text"
)

// IsJSON reports whether items and JSON pointers make sense for the kind.
func (k Kind) IsJSON() bool { return k == JSONArray || k == JSONObject }
