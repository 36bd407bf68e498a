package retrieval

import (
	"context"
	"math"

	"caliper/engine/retrieval/lexicon"
	"caliper/engine/retrieval/postings"
	"caliper/model"
)

// IndexFor returns the index of a catalog that Index returns, but which knows only
// the words of a text: it can be asked what Answers admits, and gives the same
// answers. It is for those who ask once. Words that the text lacks are only
// counted, so that it is made several times faster than an index of all words, and
// takes next to no memory. The errors are those of Index.
func IndexFor(ctx context.Context, tools []*model.Tool, p Params, text string) (*Index, error) {
	b, err := narrowBags(ctx, tools, Words, p, text, 0)
	if err != nil {
		return nil, err
	}
	for id := range b.dict.Len() {
		if b.lists.Term(uint32(id)).DF > 0 {
			continue
		}
		// A query may have this word alone, and is then looked for in the names.
		if b.names, err = newNameList(ctx, tools); err != nil {
			return nil, err
		}
		break
	}
	return newIndex(b), nil
}

// GatedFor is IndexFor for the index that Gated returns.
func GatedFor(ctx context.Context, tools []*model.Tool, text string) (*Gated, error) {
	b, err := narrowBags(ctx, tools, Stems, Reference, text, leastDL)
	if err != nil {
		return nil, err
	}
	if b.names, err = newNameList(ctx, tools); err != nil {
		return nil, err
	}
	return newGated(b), nil
}

// narrowBags returns the bags of a catalog with the words of a text alone, without
// its names. The mean length is at least shortest.
func narrowBags(ctx context.Context, tools []*model.Tool, a Analysis, p Params, text string, shortest float64) (bags, error) {
	if err := p.check(); err != nil {
		return bags{}, err
	}
	b := bags{params: p, documents: make([][]uint32, len(tools)), lengths: make([]uint32, len(tools)), narrow: true}
	if a == Stems {
		b.stems = new(lexicon.StemMemory)
	}
	v := newVocabulary(text, b.stems)
	b.dict = v.words
	parts := make([]narrowReader, postings.Parts(len(tools)))
	for i := range parts {
		parts[i] = narrowReader{vocabulary: v, analysis: a, counts: make([]uint32, v.words.Len()), known: postings.NewDictionary()}
	}
	err := postings.Parallel(ctx, len(tools), len(parts), func(part, from, to int) {
		for doc := from; doc < to; doc++ {
			b.documents[doc], b.lengths[doc] = parts[part].read(tools[doc])
		}
	})
	if err != nil {
		return bags{}, err
	}
	for _, n := range b.lengths {
		b.tokens += int(n)
	}
	return b, b.post(ctx, shortest)
}

// Answers reports whether the index can be asked a query. An index of IndexFor or
// GatedFor can be asked only if it knows every word of the query; any other always.
func (b *bags) Answers(query string) bool {
	if !b.narrow {
		return true
	}
	var room [64]byte
	for token, i := room[:0], 0; ; {
		if token, i = nextToken(token[:0], query, i); len(token) == 0 {
			return true
		}
		text := token
		if b.stems != nil {
			text = []byte(b.stems.English(token))
		}
		if _, ok := b.dict.Find(text); !ok {
			return false
		}
	}
}

// vocabulary is the words of a text, or their stems.
type vocabulary struct {
	words postings.Dictionary
	// lengths is a quick test before the look-up. Bit n of lengths[c]: a word that
	// begins with c, in either case, has n bytes; bit 63: 63 or more. With stems
	// every bit is set, as a stem's words have any length.
	lengths [256]uint64
}

const lastLength = 63

// newVocabulary returns the words of a text; with stems, the stems of these.
func newVocabulary(text string, stems *lexicon.StemMemory) *vocabulary {
	v := &vocabulary{words: postings.NewDictionary()}
	var token []byte
	for i := 0; ; {
		if token, i = nextToken(token[:0], text, i); len(token) == 0 {
			break
		}
		if stems != nil {
			v.words.Intern([]byte(stems.English(token)))
			v.lengths[token[0]] = math.MaxUint64
			continue
		}
		v.words.Intern(token)
		v.lengths[token[0]] |= 1 << min(len(token), lastLength)
	}
	for c := byte('A'); c <= 'Z'; c++ {
		v.lengths[c] = v.lengths[fold[c]]
	}
	return v
}

// narrowReader reads tools one after another.
type narrowReader struct {
	*vocabulary
	analysis Analysis
	known    postings.Dictionary // words whose stems are known
	stems    []uint32            // of each of them: the word of the vocabulary plus 1; 0: none

	length uint32   // tokens of the current tool
	counts []uint32 // how often it has each word of the vocabulary; 0 between tools
	terms  []uint32 // the words that it has
	total  int      // of their counts
	token  []byte
	blocks blocks
}

// read returns the tokens of a tool that are words of the vocabulary, grouped by
// term, and how many tokens it has.
func (n *narrowReader) read(t *model.Tool) (tokens []uint32, length uint32) {
	n.length, n.total, n.terms = 0, 0, n.terms[:0]
	if n.analysis == Stems {
		name := unprefixed(t.Name)
		readWords(n, name)
		readWords(n, label(t.Toolset, name))
	} else {
		readWords(n, t.Name)
	}
	readWords(n, t.Description)
	t.EachPropertyName(func(name []byte) { readWords(n, name) })
	if n.total == 0 {
		return nil, n.length
	}
	tokens = n.blocks.cut(n.total)
	at := 0
	for _, id := range n.terms {
		for ; n.counts[id] > 0; n.counts[id]-- {
			tokens[at] = id
			at++
		}
	}
	return tokens, n.length
}

// readWords counts the tokens of a text.
func readWords[T string | []byte](n *narrowReader, text T) {
	for i := 0; i < len(text); i++ {
		start := i
		for i < len(text) && fold[text[i]] != 0 {
			i++
		}
		if i == start {
			continue
		}
		n.length++
		if n.lengths[text[start]]>>min(i-start, lastLength)&1 == 0 {
			continue
		}
		n.token = n.token[:0]
		for at := start; at < i; at++ {
			n.token = append(n.token, fold[text[at]])
		}
		id, ok := n.find(n.token)
		if !ok {
			continue
		}
		if n.counts[id]++; n.counts[id] == 1 {
			n.terms = append(n.terms, id)
		}
		n.total++
	}
}

// find returns the word of the vocabulary that a token counts for.
func (n *narrowReader) find(token []byte) (id uint32, ok bool) {
	if n.analysis == Words {
		return n.words.Find(token)
	}
	known := n.known.Intern(token)
	if int(known) == len(n.stems) {
		id, ok := n.words.Find([]byte(lexicon.Stem(string(token))))
		if ok {
			id++
		}
		n.stems = append(n.stems, id)
	}
	id = n.stems[known]
	return id - 1, id > 0
}
