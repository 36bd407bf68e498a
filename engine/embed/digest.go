package embed

import (
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"

	"caliper/model"
)

// digest is the SHA-256 of what a vector was made from.
type digest [sha256.Size]byte

// digestOf returns the digest of everything of a tool that Template reads:
// its name, its description and the names of its parameters in order, each
// behind its length, so that no two tools have the same bytes.
func digestOf(t *model.Tool) digest {
	b := appendText(nil, t.Name)
	b = appendText(b, t.Description)
	for _, name := range t.PropertyNames() {
		b = appendText(b, name)
	}
	return sha256.Sum256(b)
}

// appendText appends the length of s in bytes, as 32 bits little endian, and
// s.
func appendText(b []byte, s string) []byte {
	return append(binary.LittleEndian.AppendUint32(b, uint32(len(s))), s...)
}

// origin returns the source of the vectors of an index as bytes: the identity
// without its dimension, and the name of the template.
func origin(i Identity) []byte {
	var b []byte
	for _, s := range []string{i.Provider, i.Model, i.QueryPrefix, i.DocumentPrefix, templateName} {
		b = appendText(b, s)
	}
	return b
}

// FileName returns the name of the index file of an identity, without a
// folder: 32 hexadecimal digits of a SHA-256 and ".vectors". The name does not
// depend on the dimension, which may not be known before the file is read.
func FileName(i Identity) string {
	sum := sha256.Sum256(origin(i))
	return hex.EncodeToString(sum[:16]) + ".vectors"
}
