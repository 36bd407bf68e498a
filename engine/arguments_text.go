package engine

import (
	"encoding/json"
	"strings"
)

// ArgumentsOf returns the arguments value that a typed text stands for: nil
// for blank text, which stands for arguments left out, the text itself when it
// is JSON, else a JSON string that holds the text. So text that is not JSON
// meets the gate for arguments as that of a model does which sends its
// arguments badly encoded.
func ArgumentsOf(text string) json.RawMessage {
	switch {
	case strings.TrimSpace(text) == "":
		return nil
	case json.Valid([]byte(text)):
		return json.RawMessage(text)
	}
	return encode(text)
}
