package rescue

import (
	"crypto/sha256"
	"encoding/hex"
	"path"
	"strings"
)

// MinPrefix is the shortest beginning of an id that Open takes, in digits.
const MinPrefix = 16

const idLength = 2 * sha256.Size

// parseID returns an id, or a beginning of one, in lower case.
//
// SECURITY: ids come from the model and become file names; only hexadecimal
// digits pass.
func parseID(text string) (string, error) {
	id := strings.ToLower(text)
	switch {
	case strings.Trim(id, "0123456789abcdef") != "" || len(id) != len(text):
		return "", &BadID{text, "not hexadecimal"}
	case len(id) < MinPrefix:
		return "", &BadID{text, "shorter than 16 digits"}
	case len(id) > idLength:
		return "", &BadID{text, "longer than 64 digits"}
	}
	return id, nil
}

// isID reports whether a file name is a whole id as we write it.
func isID(name string) bool {
	return len(name) == idLength && strings.Trim(name, "0123456789abcdef") == ""
}

// sessionHash is a session's folder name. SECURITY: a session is any string.
func sessionHash(session string) string {
	sum := sha256.Sum256([]byte(session))
	return hex.EncodeToString(sum[:])
}

func shardPath(id string) string { return path.Join(blobs, id[:2]) }
func blobPath(id string) string  { return path.Join(blobs, id[:2], id) }

// notePath is the path of a reference or a tombstone.
func notePath(kind, hash, id string) string { return path.Join(kind, hash, id+".json") }

// noteID returns the id that a reference or a tombstone is named after.
func noteID(name string) (string, bool) {
	id, ok := strings.CutSuffix(name, ".json")
	return id, ok && isID(id)
}
