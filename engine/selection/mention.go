package selection

import (
	"bytes"
	"slices"
	"strings"
	"sync"
	"unicode"
	"unicode/utf8"

	"caliper/engine/retrieval"
	"caliper/model"
)

// mentions finds the tools that a message names.
//
// A name is found in any case and with any of "_", "-" and white space between
// its words, as whole words: "read_file" in "Read-File" and "read file", not
// in "reread file", and not in "read_file_lines", which is one identifier. An
// ideograph or kana is a word of its own, since no space tells where a name
// ends. Of names that begin at the same word the longest counts, and the next
// one begins after it. All bearers of a name are found.
//
// The name that a tool has at its MCP server, mcp_<server>_ left out, counts as
// well, but only when it is written as one identifier of two words or more
// ("create_issue", "create-issue"), and no other tool has it as its full name:
// in prose it names no tool.
type mentions struct {
	tools []*model.Tool
	names []nameOf         // the full names, in the order of tools
	full  retrieval.Chains // of names, by normal text
	bare  retrieval.Chains // of tools, by normal text of the name at the server
	// longest has, by first word, the length in bytes of the longest name that
	// begins with it.
	longest map[string]int
}

// nameOf is a full name of a tool: twice the index of the tool, plus 1 for Qualified.
type nameOf uint32

// longestName bounds, in bytes, the names that are looked for, so that no name
// makes messages slow. Providers take names of at most 64 to 128 characters.
const longestName = 256

// newMentions returns the mentions of tools. find returns tools of one name in the
// order of tools.
func newMentions(tools []*model.Tool) mentions {
	m := mentions{tools: tools, longest: map[string]int{}}
	m.names = make([]nameOf, 0, len(tools))
	for i, t := range tools {
		m.names = append(m.names, nameOf(2*i))
		if t.Qualified != t.Name {
			m.names = append(m.names, nameOf(2*i+1))
		}
	}
	var n normal
	learn := func(name string) (text []byte, ok bool) {
		n.read(name)
		if text, ok = n.named(); ok {
			first := n.words[0]
			if word := n.text[first.start:first.end]; len(text) > m.longest[string(word)] {
				m.longest[string(word)] = len(text)
			}
		}
		return text, ok
	}
	m.full = retrieval.NewChains(len(m.names), func(i int) ([]byte, bool) { return learn(m.fullName(m.names[i])) })
	m.bare = retrieval.NewChains(len(tools), func(i int) ([]byte, bool) {
		if name, ok := nameAtServer(tools[i]); ok {
			return learn(name)
		}
		return nil, false
	})
	return m
}

// fullName returns a full name.
func (m *mentions) fullName(n nameOf) string {
	t := m.tools[n/2]
	if n%2 == 1 {
		return t.Qualified
	}
	return t.Name
}

// ofFull returns the tools that have a normal text for a full name, each once; room
// is memory to normalize in.
func (m *mentions) ofFull(text []byte, room *normal) (tools []*model.Tool) {
	for i, ok := m.full.First(text); ok; i, ok = m.full.Next(i) {
		t := m.tools[m.names[i]/2]
		if len(tools) > 0 && tools[len(tools)-1] == t {
			continue
		}
		room.read(m.fullName(m.names[i]))
		if name, ok := room.named(); ok && bytes.Equal(name, text) {
			tools = append(tools, t)
		}
	}
	return tools
}

// ofBare is ofFull for names at servers.
func (m *mentions) ofBare(text []byte, room *normal) (tools []*model.Tool) {
	for i, ok := m.bare.First(text); ok; i, ok = m.bare.Next(i) {
		name, _ := nameAtServer(m.tools[i])
		room.read(name)
		if name, ok := room.named(); ok && bytes.Equal(name, text) {
			tools = append(tools, m.tools[i])
		}
	}
	return tools
}

// nameAtServer returns the name of a tool at its MCP server, when it is not
// its name and has two words or more.
func nameAtServer(t *model.Tool) (string, bool) {
	name := t.OriginalName
	if name == "" || name == t.Name {
		server := t.Server
		if server == "" {
			server = strings.TrimPrefix(t.Toolset, "mcp-")
		}
		rest, ok := strings.CutPrefix(normalText(t.Name), "mcp "+normalText(server)+" ")
		if !ok {
			return "", false
		}
		name = rest
	}
	return name, len(normalize(name).words) >= 2
}

// find returns the tools that a message names, in the order of newMentions'
// names where several are found at one word, each once.
func (m *mentions) find(message string) []*model.Tool {
	var found []*model.Tool
	x := normals.Get().(*normalRoom)
	defer normals.Put(x)
	n := &x.message
	n.read(message)
	for i := 0; i < len(n.words); {
		tools, words := m.at(n, i, &x.name)
		for _, t := range tools {
			if !slices.Contains(found, t) {
				found = append(found, t)
			}
		}
		i += max(1, words)
	}
	return found
}

// normalRoom is memory for a message, and for the names that it is compared with.
type normalRoom struct{ message, name normal }

var normals = sync.Pool{New: func() any { return new(normalRoom) }}

// at returns the tools of the longest name that begins at a word, and how many
// words it has.
func (m *mentions) at(n *normal, i int, room *normal) (tools []*model.Tool, words int) {
	first := n.words[i]
	longest := m.longest[string(n.text[first.start:first.end])]
	if longest == 0 || first.tight {
		return nil, 0
	}
	identifier := true // the words so far are joined to one
	for j := i; j < len(n.words) && n.words[j].end-first.start <= longest; j++ {
		identifier = identifier && (j == i || n.words[j].tight)
		if j+1 < len(n.words) && n.words[j+1].tight {
			continue // the identifier goes on
		}
		text := n.text[first.start:n.words[j].end]
		if t := m.ofFull(text, room); t != nil {
			tools, words = t, j-i+1
		} else if !identifier {
			continue
		} else if t := m.ofBare(text, room); t != nil {
			tools, words = t, j-i+1
		}
	}
	return tools, words
}

// normal is a text in lower case, in which one space stands for each run of
// "_", "-" and white space.
type normal struct {
	text  []byte
	words []word
}

// word is a run of letters, digits and their marks.
type word struct {
	start, end int
	tight      bool // "_" or "-", and nothing else, stands between it and the word before
}

// normalText returns the normal text of s.
func normalText(s string) string { return string(normalize(s).text) }

// normalize returns the normal form of a text.
func normalize(s string) normal {
	n := normal{text: make([]byte, 0, len(s))}
	n.read(s)
	return n
}

// named returns the normal text from the first word to the last: a message that holds
// it names the tool. ok is false when the name has no word or is too long.
func (n *normal) named() (text []byte, ok bool) {
	if len(n.words) == 0 {
		return nil, false
	}
	text = n.text[n.words[0].start:n.words[len(n.words)-1].end]
	return text, len(text) <= longestName
}

// read makes n the normal form of a text.
func (n *normal) read(s string) {
	n.text, n.words = n.text[:0], n.words[:0]
	gap, space := false, false // since the last other character; white space was in it
	inWord := false
	after := false // the last character that is no gap was of a word
	for _, r := range s {
		white := unicode.IsSpace(r)
		if white || r == '_' || r == '-' {
			gap, space, inWord = true, space || white, false
			continue
		}
		if gap && len(n.text) > 0 {
			n.text = append(n.text, ' ')
		}
		isWord := unicode.IsLetter(r) || unicode.IsDigit(r) || unicode.IsMark(r)
		if isWord {
			alone := ideographic(r)
			if !inWord || alone {
				n.words = append(n.words, word{start: len(n.text), tight: gap && !space && after})
			}
			n.text = appendRune(n.text, r)
			n.words[len(n.words)-1].end = len(n.text)
			inWord = !alone
		} else {
			n.text = appendRune(n.text, r)
			inWord = false
		}
		gap, space, after = false, false, isWord
	}
}

// appendRune appends a character in lower case.
func appendRune(text []byte, r rune) []byte {
	return utf8.AppendRune(text, unicode.ToLower(r))
}

// ideographic reports whether a character is written without spaces around its
// words.
func ideographic(r rune) bool {
	return r > 0x2E80 && unicode.In(r, unicode.Han, unicode.Hiragana, unicode.Katakana)
}
