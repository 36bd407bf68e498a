package retrieval

import (
	"encoding/binary"
	"hash/maphash"
	"strings"

	"caliper/model"
)

// fold maps a byte of a token to its lower case, and every other byte to 0.
var fold = func() (table [256]byte) {
	for c := byte('0'); c <= '9'; c++ {
		table[c] = c
	}
	for c := byte('a'); c <= 'z'; c++ {
		table[c], table[c-'a'+'A'] = c, c
	}
	return table
}()

// Tokens returns the tokens of text in order, as the reference agent cuts
// them: runs of ASCII letters and digits, lower-cased. Every other character
// separates; there is no stemming and no splitting at a change of case.
func Tokens(text string) []string {
	var tokens []string
	var token []byte
	for i := 0; ; {
		if token, i = nextToken(token[:0], text, i); len(token) == 0 {
			return tokens
		}
		tokens = append(tokens, string(token))
	}
}

// nextToken appends to dst the first token of text at or after i. It returns
// dst and the offset behind the token; dst is unchanged when there is none.
func nextToken(dst []byte, text string, i int) ([]byte, int) {
	for i < len(text) && fold[text[i]] == 0 {
		i++
	}
	for ; i < len(text); i++ {
		c := fold[text[i]]
		if c == 0 {
			break
		}
		dst = append(dst, c)
	}
	return dst, i
}

// Analysis is how tools and queries become terms.
type Analysis uint8

const (
	// Words takes the tokens of a tool's name, description and top-level
	// parameter names as they are: the reference.
	Words Analysis = iota
	// Stems takes the stems of the tokens of a tool's name without a leading
	// mcp__, of its toolset's label, of its description and of its top-level
	// parameter names. The label is the toolset without a leading mcp-; it is
	// left out when it equals a word of the name.
	Stems
)

// analyser turns tools into term numbers of a dictionary of its own. The
// tokens of one tool are grouped by term, in order of first occurrence, so
// that the length of a run is the term's frequency.
type analyser struct {
	analysis Analysis
	dict     Dictionary
	stems    stemmer
	seen     []occurrence // per term

	names  []string // of its parameters
	text   []byte   // its tokens, one after another
	ends   []int    // where each of them ends
	ids    []uint32 // their terms
	terms  []uint32 // the distinct ones
	counts []uint32 // how often each of these occurs

	bags []bag // of each tool
}

// occurrence is the last tool that has a term, and the index of the term in terms.
type occurrence struct{ tool, index uint32 }

// stemmer computes the term of a word's stem, once for each word.
type stemmer struct {
	words Dictionary
	terms []uint32 // of each word
}

func newAnalyser(a Analysis) *analyser {
	n := &analyser{analysis: a, dict: NewDictionary()}
	if a == Stems {
		n.stems.words = NewDictionary()
	}
	return n
}

// addText adds the tokens of s to the current tool's.
func (a *analyser) addText(s string) {
	for i := 0; ; {
		before := len(a.text)
		if a.text, i = nextToken(a.text, s, i); len(a.text) == before {
			return
		}
		a.ends = append(a.ends, len(a.text))
	}
}

// count numbers the tokens of the current tool and counts them by term.
func (a *analyser) count() {
	a.ids = a.ids[:0]
	start := 0
	for _, end := range a.ends {
		word := a.text[start:end]
		if start = end; a.analysis == Stems {
			id := a.stems.words.Intern(word)
			if int(id) == len(a.stems.terms) {
				a.stems.terms = append(a.stems.terms, a.dict.Intern([]byte(Stem(string(word)))))
			}
			a.ids = append(a.ids, a.stems.terms[id])
		} else {
			a.ids = append(a.ids, a.dict.Intern(word))
		}
	}
	a.seen = append(a.seen, make([]occurrence, a.dict.Len()-len(a.seen))...)
	a.terms, a.counts = a.terms[:0], a.counts[:0]
	number := uint32(len(a.bags) + 1) // of the tool
	for _, id := range a.ids {
		if last := a.seen[id]; last.tool == number {
			a.counts[last.index]++
			continue
		}
		a.seen[id] = occurrence{tool: number, index: uint32(len(a.terms))}
		a.terms = append(a.terms, id)
		a.counts = append(a.counts, 1)
	}
}

// addTool adds the bag of a tool.
func (a *analyser) addTool(t *model.Tool) {
	a.text, a.ends = a.text[:0], a.ends[:0]
	if a.analysis == Stems {
		name := strings.TrimPrefix(t.Name, "mcp__")
		a.addText(name)
		a.addText(label(t.Toolset, name))
	} else {
		a.addText(t.Name)
	}
	a.addText(t.Description)
	a.names = t.AppendPropertyNames(a.names[:0])
	for _, name := range a.names {
		a.addText(name)
	}
	a.count()
	once, all := 0, len(a.terms)
	for _, n := range a.counts {
		if n == 1 {
			once++
		}
	}
	numbers := make([]uint32, all+all-once)
	first, often := 0, once
	for i, id := range a.terms {
		if n := a.counts[i]; n > 1 {
			numbers[often], numbers[often+all-once] = id, n
			often++
		} else {
			numbers[first] = id
			first++
		}
	}
	a.bags = append(a.bags, bag{numbers[:all:all], numbers[all:], strings.Clone(lower(t.Name))}) // a name may be part of a large file
}

// label returns the label of a toolset that is added to the tokens of a tool, or
// nothing when it is a word of the tool's name.
func label(toolset, name string) string {
	if toolset == model.NoToolset {
		return ""
	}
	l := strings.TrimPrefix(toolset, "mcp-")
	for word := range strings.FieldsFuncSeq(name, func(r rune) bool { return strings.ContainsRune("_.:- ", r) }) {
		if word == l {
			return ""
		}
	}
	return l
}

// key returns the key of a tool. Tools with equal keys have equal bags: a key is
// made of the content and, for Stems, the toolset.
func (c *Corpus) key(t *model.Tool) model.Hash {
	key := t.Content()
	if c.analysis == Stems && t.Toolset != model.NoToolset {
		for i, seed := range c.seeds {
			part := key[i*8:][:8]
			binary.LittleEndian.PutUint64(part, binary.LittleEndian.Uint64(part)^maphash.String(seed, t.Toolset))
		}
	}
	return key
}
