package fielded

import (
	"bytes"
	"hash/maphash"
	"strings"

	"caliper/model"
	"caliper/model/words"
)

// nameTable has the documents by a hash of the letters and digits of their names, so that names
// that differ only in other characters are found together. Documents without a
// name are not in it.
type nameTable struct {
	documents []document
	seed      maphash.Seed
	first     map[uint32]uint32 // of each hash: its first document, counted from 1
	next      []uint32          // of each document: the next one of its hash, counted from 1; 0 behind the last
}

func newNameTable(documents []document, seed maphash.Seed, of func(*document) string) nameTable {
	t := nameTable{documents, seed, make(map[uint32]uint32, len(documents)), make([]uint32, len(documents))}
	var letters []byte
	for doc := len(documents) - 1; doc >= 0; doc-- {
		if name := of(&documents[doc]); name != "" {
			letters = words.AppendLetters(letters[:0], name)
			hash := hashLetters(seed, letters)
			t.next[doc], t.first[hash] = t.first[hash], uint32(doc+1)
		}
	}
	return t
}

// find appends to docs the accepted documents whose name may have these letters
// and digits, in ascending order, until docs has limit documents.
func (t *nameTable) find(docs []uint32, letters []byte, limit int, accept func(d *document) bool) []uint32 {
	for doc := t.first[hashLetters(t.seed, letters)]; doc > 0 && len(docs) < limit; doc = t.next[doc-1] {
		if accept(&t.documents[doc-1]) {
			docs = append(docs, doc-1)
		}
	}
	return docs
}

// OriginalName returns the name that a tool has on its server: the original name
// in its source, else what its name has behind mcp_ and the server or before _for_
// and the server. It is empty when there is none, and when it is the name in another
// case.
func OriginalName(t *model.Tool) string {
	name := t.OriginalName
	if name == "" {
		name = behindServer(t)
	}
	if name == "" {
		name = beforeServer(t)
	}
	if name == "" || strings.EqualFold(name, t.Name) {
		return ""
	}
	return name
}

// behindServer returns the name of a tool without mcp_<server>_ or
// mcp__<server>__. Characters of the server that a name cannot have are
// underscores there.
func behindServer(t *model.Tool) string {
	server := t.Server
	if server == "" {
		server, _ = strings.CutPrefix(t.Toolset, "mcp-")
	}
	rest, found := strings.CutPrefix(t.Name, "mcp_")
	if !found || server == t.Toolset {
		return ""
	}
	rest, _ = strings.CutPrefix(rest, "_")
	if len(rest) <= len(server) || rest[len(server)] != '_' {
		return ""
	}
	for i := range len(server) {
		if b := server[i]; b != rest[i] && !(rest[i] == '_' && (b >= 0x80 || words.ClassOf(rune(b)) == words.Other)) {
			return ""
		}
	}
	return strings.TrimLeft(rest[len(server):], "_")
}

// forServer stands between the names of a tool and of its server in names such as
// list_issues_for_forge.
const forServer = "_for_"

// beforeServer returns what the name of a tool has before _for_ and its toolset, whose
// letters and digits are compared; empty when it has nothing. Such names are often common
// words, so they are found written as names, and not among other words of a query.
func beforeServer(t *model.Tool) string {
	if t.Toolset == model.NoToolset {
		return ""
	}
	for at := len(t.Name); ; {
		if at = strings.LastIndex(t.Name[:at], forServer); at <= 0 {
			return ""
		}
		var behind, server [128]byte
		if bytes.EqualFold(words.AppendLetters(behind[:0], t.Name[at+len(forServer):]), words.AppendLetters(server[:0], t.Toolset)) {
			return t.Name[:at]
		}
	}
}

// nameComparer compares the letters and digits of names. Its memory is used again.
type nameComparer struct {
	name     []rune
	exchange bool // of two neighbours is one edit, not two
}

// longEdits is the most edits that two long names may be apart.
const longEdits = 2

// likeness returns 1 - d/n, where d is the Levenshtein distance of the letters and
// digits of a name to others and n the length of the longer of the two, or 0 when
// they are too many edits apart; see longLetters. letters is how many the name has.
func (c *nameComparer) likeness(name string, letters int, runes []rune) float64 {
	limit := 1
	if min(letters, len(runes)) >= longLetters {
		limit = longEdits
	}
	if letters > len(runes)+limit || letters < len(runes)-limit {
		return 0 // each edit changes the length by one at most
	}
	c.name = c.name[:0]
	for _, r := range name {
		if words.Begins(r) {
			c.name = append(c.name, r)
		}
	}
	distance := words.Levenshtein[rune]
	if c.exchange {
		distance = words.Alignment
	}
	d := distance(c.name, runes, limit)
	if d > limit {
		return 0
	}
	return 1 - float64(d)/float64(max(letters, len(runes)))
}

// lettersOf returns how many letters and digits a name has.
func lettersOf(name string) (n int) {
	for _, r := range name {
		if words.Begins(r) {
			n++
		}
	}
	return n
}

// misspelled is a possible name with a typo: its letters and digits.
type misspelled struct {
	runes  []rune
	edited float64 // see addNear
	behind bool    // words of the toolset
}
