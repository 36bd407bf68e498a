package selection

import (
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

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
	full map[string][]*model.Tool // by normal text of the name, each once, in their order
	bare map[string][]*model.Tool // by normal text of the name at the server
	// longest has, by first word, the length in bytes of the longest name that
	// begins with it.
	longest map[string]int
}

// longestName bounds, in bytes, the names that are looked for, so that no name
// makes messages slow. Providers take names of at most 64 to 128 characters.
const longestName = 256

// newMentions returns the mentions of tools. find returns tools of one name in the
// order of tools.
func newMentions(tools []*model.Tool) mentions {
	m := mentions{map[string][]*model.Tool{}, map[string][]*model.Tool{}, map[string]int{}}
	add := func(to map[string][]*model.Tool, name string, t *model.Tool) {
		n := normalize(name)
		if len(n.words) == 0 {
			return
		}
		text := n.text[n.words[0].start:n.words[len(n.words)-1].end] // a message that holds it names the tool
		if len(text) > longestName {
			return
		}
		if same := to[string(text)]; len(same) == 0 || same[len(same)-1] != t {
			to[string(text)] = append(same, t)
		}
		first := string(n.text[n.words[0].start:n.words[0].end])
		m.longest[first] = max(m.longest[first], len(text))
	}
	for _, t := range tools {
		add(m.full, t.Name, t)
		add(m.full, t.Qualified, t)
		bare := t.OriginalName
		if bare == "" || bare == t.Name {
			server := t.Server
			if server == "" {
				server = strings.TrimPrefix(t.Toolset, "mcp-")
			}
			var ok bool
			if bare, ok = strings.CutPrefix(string(normalize(t.Name).text), "mcp "+string(normalize(server).text)+" "); !ok {
				continue
			}
		}
		if len(normalize(bare).words) >= 2 {
			add(m.bare, bare, t)
		}
	}
	return m
}

// find returns the tools that a message names, in the order of newMentions'
// names where several are found at one word, each once.
func (m *mentions) find(message string) []*model.Tool {
	var found []*model.Tool
	n := normalize(message)
	for i := 0; i < len(n.words); {
		tools, words := m.at(&n, i)
		for _, t := range tools {
			if !slices.Contains(found, t) {
				found = append(found, t)
			}
		}
		i += max(1, words)
	}
	return found
}

// at returns the tools of the longest name that begins at a word, and how many
// words it has.
func (m *mentions) at(n *normal, i int) (tools []*model.Tool, words int) {
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
		found := m.full[string(text)]
		if found == nil && identifier {
			found = m.bare[string(text)]
		}
		if found != nil {
			tools, words = found, j-i+1
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

// normalize returns the normal form of a text.
func normalize(s string) normal {
	n := normal{text: make([]byte, 0, len(s))}
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
			alone := r > 0x2E80 && unicode.In(r, unicode.Han, unicode.Hiragana, unicode.Katakana) // no spaces stand around its words
			if !inWord || alone {
				n.words = append(n.words, word{start: len(n.text), tight: gap && !space && after})
			}
			n.text = utf8.AppendRune(n.text, unicode.ToLower(r))
			n.words[len(n.words)-1].end = len(n.text)
			inWord = !alone
		} else {
			n.text = utf8.AppendRune(n.text, unicode.ToLower(r))
			inWord = false
		}
		gap, space, after = false, false, isWord
	}
	return n
}
