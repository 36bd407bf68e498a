package fielded

import (
	"context"
	"encoding/binary"
	"errors"
	"hash/maphash"
	"maps"
	"slices"
	"sync"

	"caliper/engine/retrieval"
	"caliper/model"
)

// Corpus remembers the records of tools by their content, so that a new index
// has to read only the tools that are new. One corpus serves any number of
// catalogs and is safe for concurrent use. It forgets tools that are no longer
// used; see retrieval.Cache.
type Corpus struct {
	lexicon *retrieval.Lexicon
	seeds   [2]maphash.Seed       // of keys, random so that nobody can make two tools with equal keys
	stems   *retrieval.StemMemory // of the words of queries

	mu         sync.Mutex
	vocabulary vocabulary
	cache      *retrieval.Cache[document]
}

// document is the facts that an index keeps of a tool. Its memory never changes; indexes
// share it with the corpus.
type document struct {
	record   record
	name     string    // in lower case
	original string    // the name on its server in lower case, empty when that is the name
	firstTwo [2]uint32 // hashes of the first two words of name and original, 0 when there are fewer
	letters  [2]int    // how many name and original have
	takes    kindSet   // the kinds of values that its parameters take
}

// NewCorpus returns an empty corpus.
func NewCorpus() *Corpus {
	l := retrieval.EnglishLexicon()
	return &Corpus{
		lexicon:    l,
		seeds:      [2]maphash.Seed{maphash.MakeSeed(), maphash.MakeSeed()},
		stems:      new(retrieval.StemMemory),
		vocabulary: newVocabulary(l),
		cache:      retrieval.NewCache(spareWords, func(d *document) int { return len(d.record) }),
	}
}

// Toolsets returns the toolset of a name; ok is false when there is none.
type Toolsets func(name string) (toolset *model.Toolset, ok bool)

// texts returns the texts of the toolset of a tool.
func (s Toolsets) texts(name string) toolsetTexts {
	if name == model.NoToolset {
		return toolsetTexts{}
	}
	if s != nil {
		if t, ok := s(name); ok {
			return toolsetTexts{name, t.Title, t.Description}
		}
	}
	return toolsetTexts{name: name}
}

// documents returns the document of each tool and the vocabulary that numbers
// their terms. When the context ends, the corpus stays as it was.
func (c *Corpus) documents(ctx context.Context, tools []*model.Tool, toolsets Toolsets) (vocabulary, []document, error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	// Tools with equal keys have equal records: a key is made of the content, the texts of the toolset and the name on
	// the server.
	var last string   // toolset of the last tool
	var mix [2]uint64 // of its texts
	key := func(i int) model.Hash {
		t := tools[i]
		if last != t.Toolset || mix == [2]uint64{} {
			last = t.Toolset
			texts := toolsets.texts(t.Toolset)
			for i, seed := range c.seeds {
				mix[i] = maphash.Comparable(seed, texts)
			}
		}
		key, original := t.Content(), OriginalName(t)
		for i, mix := range mix {
			if original != "" {
				mix ^= maphash.String(c.seeds[i], original)
			}
			part := key[i*8:][:8]
			binary.LittleEndian.PutUint64(part, binary.LittleEndian.Uint64(part)^mix)
		}
		return key
	}
	catalog, err := c.cache.Catalog(len(tools), key, func(unknown []int, entries []*document) error {
		return c.learn(ctx, tools, toolsets, unknown, entries)
	}, func() { c.vocabulary = newVocabulary(c.lexicon) })
	if err != nil {
		return vocabulary{}, nil, err
	}
	documents := make([]document, len(tools))
	for i, e := range catalog {
		documents[i] = *e
	}
	n := &c.vocabulary // a copy of it that never changes
	return vocabulary{n.terms.Freeze(), n.grams.Freeze(), tallies{list: slices.Clip(n.tallies.list)}, maps.Clone(n.spelling)}, documents, nil
}

// errTerms is returned when a term has no number beside the marks of a token.
var errTerms = errors.New("fielded: more than 2^29 different words")

// learn makes the documents of the tools that are unknown, on all cores.
func (c *Corpus) learn(ctx context.Context, tools []*model.Tool, toolsets Toolsets, unknown []int, entries []*document) error {
	parts := make([]*analyser, retrieval.Parts(len(unknown)))
	for i := range parts {
		parts[i] = newAnalyser(c.lexicon, c.seeds[0])
	}
	err := retrieval.Parallel(ctx, len(unknown), len(parts), func(part, from, to int) {
		var texts toolsetTexts
		for _, i := range unknown[from:to] {
			if name := tools[i].Toolset; texts.name != name {
				texts = toolsets.texts(name)
			}
			parts[part].tool(tools[i], texts, OriginalName(tools[i]))
		}
	})
	if err != nil {
		return err
	}
	for _, a := range parts {
		if c.vocabulary.terms.Len()+a.terms.Len() > termMask {
			return errTerms
		}
		// The numbers that the vocabulary has for those of the analyser. Trigrams beyond the most are left out.
		const noGram = ^uint32(0)
		n := &c.vocabulary
		terms, grams, tallies := make([]uint32, a.terms.Len()), make([]uint32, a.grams.Len()), make([]uint32, len(a.tallies.list))
		for id := range terms {
			terms[id] = n.term(a.terms.Term(uint32(id)))
		}
		for id := range grams {
			if grams[id] = n.grams.Intern(a.grams.Term(uint32(id))); grams[id] >= maxTrigrams {
				grams[id] = noGram
			}
		}
		for id, t := range a.tallies.list {
			tallies[id] = n.tallies.number(t)
		}
		names := string(a.names)
		for i, r := range a.records {
			size := a.nameSizes[i]
			name, original := names[:size[0]], names[size[0]:][:size[1]]
			for _, list := range [][]uint32{r.tokens(), r.once(), r.often()} {
				for i, t := range list {
					list[i] = t&^termMask | terms[t&termMask]
				}
			}
			for i, n := range r.tallies() {
				r.tallies()[i] = tallies[n]
			}
			kept := slices.DeleteFunc(r.trigrams(), func(g uint32) bool { return grams[g>>gramShift] == noGram })
			for i, g := range kept {
				kept[i] = grams[g>>gramShift]<<gramShift | g&gramCounts
			}
			r = r[:len(r)-len(r.trigrams())+len(kept)]
			*entries[i] = document{
				record:   r,
				name:     name,
				original: original,
				firstTwo: a.firstTwo[i],
				letters:  [2]int{lettersOf(name), lettersOf(original)},
				takes:    a.allTake[i],
			}
			names = names[size[0]+size[1]:]
		}
		entries = entries[len(a.records):]
	}
	return nil
}

// spareWords is how many numbers of 4 bytes a corpus keeps beside the catalogs in
// use: 16 MB.
const spareWords = 1 << 22
