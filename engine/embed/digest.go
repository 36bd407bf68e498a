package embed

import (
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"strings"
	"unicode/utf8"

	"caliper/model"
	"caliper/model/words"
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

// templateName identifies the rules of Template. It must change whenever they
// change, so that an index of texts made by other rules is not used.
const templateName = "name words. description. parameters: names/2"

// maxText bounds a text that is embedded, in bytes. OpenAI's embedding models
// refuse more than 8,191 tokens (API reference, embeddings), and no token is
// shorter than a byte; the other models cut sooner than that by themselves.
const maxText = 8000

// Template returns the text of a tool that is embedded: the words of its
// name, its description, and the words of its parameters' names, at most 8,000
// bytes of valid UTF-8. White space is one space each. It is never empty.
func Template(t *model.Tool) string {
	var b strings.Builder
	b.WriteString(lowerWords(t.Name))
	if description := strings.Join(strings.Fields(t.Description), " "); description != "" {
		sentence(&b, description)
	}
	var parameters []string
	for _, name := range t.PropertyNames() {
		if w := lowerWords(name); w != "" {
			parameters = append(parameters, w)
		}
	}
	if len(parameters) > 0 {
		sentence(&b, "parameters: "+strings.Join(parameters, ", "))
	}
	if b.Len() == 0 {
		return "tool" // some services refuse an empty text
	}
	return bounded(b.String())
}

// sentence appends s to b, after a full stop if b is not empty.
func sentence(b *strings.Builder, s string) {
	if b.Len() > 0 {
		if !strings.HasSuffix(b.String(), ".") {
			b.WriteByte('.')
		}
		b.WriteByte(' ')
	}
	b.WriteString(s)
}

// lowerWords returns the words of an identifier in lower case, separated by spaces:
// "create issue" for "createIssue", "create_issue" and "create-issue". Applied to
// its own result it changes nothing.
func lowerWords(name string) string {
	return strings.ToLower(strings.Join(words.Identifier(name), " "))
}

// bounded returns s as valid UTF-8, cut to maxText bytes between characters.
func bounded(s string) string {
	s = strings.ToValidUTF8(s, "\uFFFD")
	if len(s) <= maxText {
		return s
	}
	end := maxText
	for !utf8.RuneStart(s[end]) {
		end--
	}
	return s[:end]
}
