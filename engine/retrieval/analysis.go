package retrieval

import (
	"context"
	"encoding/binary"
	"hash/maphash"
	"strings"

	"caliper/engine/retrieval/postings"
	"caliper/engine/retrieval/stem"
	"caliper/model"
)

// Analysis says how tools and queries become terms.
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
	dict     postings.Dictionary
	stems    stemmer
	seen     []occurrence // per term

	number uint32   // of the current tool, from 1
	names  []string // of its parameters
	said   []byte   // its tokens, one after another
	ends   []int    // where each of them ends
	ids    []uint32 // their terms
	terms  []uint32 // the distinct ones
	counts []uint32 // how often each of these occurs

	tokens [][]uint32 // of each tool, cut from blocks
	block  []uint32   // free to be cut
	room   int        // of all blocks
}

// largestBlock bounds how many tokens are allocated at a time: blocks are not
// copied to grow, and one that no tool holds any longer is freed alone.
const largestBlock = 1 << 15

// occurrence tells which tool held a term last, and where it stands in terms.
type occurrence struct{ tool, place uint32 }

// stemmer finds the term of a word's stem, once for each word.
type stemmer struct {
	words postings.Dictionary
	terms []uint32 // of each word
}

// term returns the number of a word's stem in dict.
func (s *stemmer) term(word []byte, dict *postings.Dictionary) uint32 {
	id := s.words.Intern(word)
	if int(id) == len(s.terms) {
		s.terms = append(s.terms, dict.Intern([]byte(stem.English(string(word)))))
	}
	return s.terms[id]
}

func newAnalyser(a Analysis) *analyser {
	n := &analyser{analysis: a, dict: postings.NewDictionary()}
	if a == Stems {
		n.stems.words = postings.NewDictionary()
	}
	return n
}

// text adds the tokens of s to those of the current tool.
func (a *analyser) text(s string) {
	for i := 0; ; {
		before := len(a.said)
		if a.said, i = nextToken(a.said, s, i); len(a.said) == before {
			return
		}
		a.ends = append(a.ends, len(a.said))
	}
}

// count numbers the tokens of the current tool and counts them by term.
func (a *analyser) count() {
	a.ids = a.ids[:0]
	if a.analysis == Stems {
		start := 0
		for _, end := range a.ends {
			a.ids = append(a.ids, a.stems.term(a.said[start:end], &a.dict))
			start = end
		}
	} else {
		a.ids = a.dict.InternAll(a.said, a.ends, a.ids)
	}
	a.seen = append(a.seen, make([]occurrence, a.dict.Len()-len(a.seen))...)
	a.terms, a.counts = a.terms[:0], a.counts[:0]
	for _, id := range a.ids {
		if last := a.seen[id]; last.tool == a.number {
			a.counts[last.place]++
			continue
		}
		a.seen[id] = occurrence{tool: a.number, place: uint32(len(a.terms))}
		a.terms = append(a.terms, id)
		a.counts = append(a.counts, 1)
	}
}

// tool adds one tool, as one bag of words.
func (a *analyser) tool(t *model.Tool) {
	a.number++
	a.said, a.ends = a.said[:0], a.ends[:0]
	if a.analysis == Stems {
		name := unprefixed(t.Name)
		a.text(name)
		a.text(label(t.Toolset, name))
	} else {
		a.text(t.Name)
	}
	a.text(t.Description)
	a.names = t.AppendPropertyNames(a.names[:0])
	for _, name := range a.names {
		a.text(name)
	}
	a.count()
	tokens := a.cut(len(a.ids))
	at := 0
	for i, id := range a.terms {
		for range a.counts[i] {
			tokens[at] = id
			at++
		}
	}
	a.tokens = append(a.tokens, tokens)
}

// cut returns room for n tokens. A block is no larger than what stands in those
// before it, so that few tools do not hold on to much.
func (a *analyser) cut(n int) []uint32 {
	if n > len(a.block) {
		a.block = make([]uint32, max(n, min(a.room, largestBlock)))
		a.room += len(a.block)
	}
	room := a.block[:n:n]
	a.block = a.block[n:]
	return room
}

// unprefixed returns a tool's name without what marks those of MCP servers.
func unprefixed(name string) string { return strings.TrimPrefix(name, "mcp__") }

// label returns the label of a toolset that goes into the document of a tool
// of a name, or nothing. Both are compared as they are written.
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

// key returns what tools of the same document have in common: beyond its
// content hash, a tool of Stems has a toolset.
func (c *Corpus) key(t *model.Tool) model.Hash {
	key := t.Hash
	if c.analysis == Stems && t.Toolset != model.NoToolset {
		for i, seed := range c.seeds {
			part := key[i*8:][:8]
			binary.LittleEndian.PutUint64(part, binary.LittleEndian.Uint64(part)^maphash.String(seed, t.Toolset))
		}
	}
	return key
}

// analyse tokenizes tools on all cores: analyser i holds the i-th part of
// them, in order. The only error is the context's.
func analyse(ctx context.Context, analysis Analysis, tools []*model.Tool) ([]*analyser, error) {
	parts := make([]*analyser, postings.Parts(len(tools)))
	for i := range parts {
		parts[i] = newAnalyser(analysis)
	}
	err := postings.Parallel(ctx, len(tools), len(parts), func(part, from, to int) {
		for _, t := range tools[from:to] {
			parts[part].tool(t)
		}
	})
	return parts, err
}
