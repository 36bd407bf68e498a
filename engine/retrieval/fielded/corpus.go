package fielded

import (
	"context"
	"encoding/binary"
	"errors"
	"hash/maphash"
	"sync"

	"caliper/engine/retrieval/lexicon"
	"caliper/engine/retrieval/postings"
	"caliper/engine/retrieval/stem"
	"caliper/model"
)

// Corpus remembers the records of tools by their content, so that a new index
// costs only the tools that are new. One corpus serves any number of catalogs,
// and is safe for concurrent use. See sweep for what it forgets.
type Corpus struct {
	lexicon *lexicon.Lexicon
	seeds   [2]maphash.Seed // of keys: nobody outside can aim at equal ones
	stems   *stem.Memory    // of words of queries

	mu      sync.Mutex
	numbers numbers
	entries map[model.Hash]*entry
	clock   uint64 // counts catalogs
	held    int    // words of memory of all records
	spare   int    // words of memory kept beside the catalogs in use
	largest int    // words of memory of the largest catalog, fading by a sixteenth with each call
}

// entry is what is known of one tool. Its parts never change; indexes share
// them.
type entry struct {
	document
	used uint64 // clock of the last catalog that held the tool
}

// document is what an index keeps of a tool.
type document struct {
	record record
	name   string    // in lower case
	own    string    // name on its server, in lower case; empty when that is the name
	begins [2]uint32 // hashes of the first two words of these, 0 of a single one
}

// NewCorpus returns an empty corpus.
func NewCorpus() *Corpus {
	l := lexicon.English()
	return &Corpus{
		lexicon: l,
		seeds:   [2]maphash.Seed{maphash.MakeSeed(), maphash.MakeSeed()},
		stems:   new(stem.Memory),
		numbers: newNumbers(l),
		entries: make(map[model.Hash]*entry),
		spare:   spareWords,
	}
}

// Toolsets returns the toolset of a name; ok is false when there is none.
type Toolsets func(name string) (toolset *model.Toolset, ok bool)

// texts returns the texts of the toolset of a tool.
func (s Toolsets) texts(name string) texts {
	if name == model.NoToolset {
		return texts{}
	}
	if s != nil {
		if t, ok := s(name); ok {
			return texts{name, t.Title, t.Description}
		}
	}
	return texts{name: name}
}

// keys finds what tools of equal records have in common: their content and the
// texts of their toolsets.
type keys struct {
	corpus   *Corpus
	toolsets Toolsets
	last     string // toolset of the last tool
	texts    texts
	mix      [2]uint64 // of texts
}

// key returns the key of a tool, the texts of its toolset, and its name on its
// server.
func (k *keys) key(t *model.Tool) (model.Hash, texts, string) {
	if k.last != t.Toolset || k.mix == [2]uint64{} {
		k.last, k.texts = t.Toolset, k.toolsets.texts(t.Toolset)
		for i, seed := range k.corpus.seeds {
			k.mix[i] = maphash.Comparable(seed, k.texts)
		}
	}
	key, own := t.Hash, ownName(t)
	for i, mix := range k.mix {
		if own != "" {
			mix ^= maphash.String(k.corpus.seeds[i], own)
		}
		part := key[i*8:][:8]
		binary.LittleEndian.PutUint64(part, binary.LittleEndian.Uint64(part)^mix)
	}
	return key, k.texts, own
}

// fresh is a tool that the corpus does not know yet.
type fresh struct {
	tool  *model.Tool
	texts texts
	own   string
	key   model.Hash
}

// documents returns what is known of each tool and the numbers it is known by.
// When the context ends, the corpus stays as it was.
func (c *Corpus) documents(ctx context.Context, tools []*model.Tool, toolsets Toolsets) (numbers, []document, error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	catalog := make([]*entry, len(tools))
	var unknown []fresh
	keys := keys{corpus: c, toolsets: toolsets}
	for i, t := range tools {
		key, texts, own := keys.key(t)
		e := c.entries[key]
		if e == nil {
			e = new(entry)
			c.entries[key] = e
			unknown = append(unknown, fresh{t, texts, own, key})
		}
		catalog[i] = e
	}
	if err := c.learn(ctx, unknown); err != nil {
		for _, f := range unknown {
			delete(c.entries, f.key)
		}
		return numbers{}, nil, err
	}
	c.clock++
	size := 0
	for _, e := range catalog {
		e.used = c.clock
		size += len(e.record)
	}
	c.largest = max(size, c.largest-c.largest/16)
	c.sweep()
	documents := make([]document, len(tools))
	for i, e := range catalog {
		documents[i] = e.document
	}
	return c.numbers.freeze(), documents, nil
}

// errTerms is returned when the marks of tokens leave no room for a term.
var errTerms = errors.New("fielded: more than 2^29 different words")

// learn makes the documents of tools, whose entries are empty, on all cores.
func (c *Corpus) learn(ctx context.Context, tools []fresh) error {
	parts := make([]*analyser, postings.Parts(len(tools)))
	for i := range parts {
		parts[i] = newAnalyser(c.lexicon, c.seeds[0])
	}
	err := postings.Parallel(ctx, len(tools), len(parts), func(part, from, to int) {
		for _, f := range tools[from:to] {
			parts[part].tool(f.tool, f.texts, f.own)
		}
	})
	if err != nil {
		return err
	}
	for _, a := range parts {
		if c.numbers.terms.Len()+a.terms.Len() > unmarked {
			return errTerms
		}
		terms, grams := c.numbers.adopt(a)
		records, names := make([]uint32, 0, len(a.records)), string(a.names)
		for i, n := range a.lengths {
			from := len(records)
			records = renumbered(records, a.records[:n], terms, grams)
			size := a.nameSizes[i]
			c.entries[tools[i].key].document = document{
				record: record(records[from:len(records):len(records)]),
				name:   names[:size[0]],
				own:    names[size[0]:][:size[1]],
				begins: a.begins[i],
			}
			a.records, names = a.records[n:], names[size[0]+size[1]:]
		}
		c.held += len(records)
		tools = tools[len(a.lengths):]
	}
	return nil
}
