package engine

import (
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"caliper/config"
	"caliper/engine/arguments"
	"caliper/engine/retrieval"
	"caliper/engine/retrieval/fielded"
	"caliper/model"
	"caliper/model/safetext"
	"caliper/model/words"
)

// Results is the answer to a query over a session's catalog. It does not
// depend on whether the bridge is active.
type Results struct {
	Query    string   // trimmed
	Limit    int      // the cut line: how many hits the model would get, without Own
	Total    int      // tools in the catalog
	Scored   int      // tools that the ranker admits
	Fallback bool     // nothing scored, the hits are found by name
	Hits     []Hit    // best first; as many as were asked for
	Untold   bool     // the host's order of the hits within the limit cannot be told
	Own      []string // tools of the host's own that are among the first, in its order; they have ranks, too
}

// Hit is one search result.
type Hit struct {
	Tool   *model.Tool
	Rank   int // from 1, Own counted
	Score  float64
	Within bool // within the limit
	Tied   bool // another hit has the same score
	Best   int  // the first and the last rank that chance may give it; hosts.Nowhere is the last where it may be no hit
	Worst  int
	Chance bool // whether the model gets it is decided by chance among equals, or cannot be told
}

// Sure reports whether the rank of the hit is sure.
func (h Hit) Sure() bool { return h.Best == h.Worst }

// Tied returns how many of some equal hits the model gets by chance; zeros where chance decides
// of no hit whether it gets it.
func (r Results) Tied() (gets, of int) {
	i := slices.IndexFunc(r.Hits, func(h Hit) bool { return h.Chance })
	if i < 0 || r.Untold {
		return 0, 0
	}
	return r.Limit + len(r.Own) + 1 - r.Hits[i].Best, r.Hits[i].Worst - r.Hits[i].Best + 1
}

// Search ranks the catalog for a query. A limit of 0 means the configured
// default, others are clamped; depth is how many hits to return and is raised
// to the limit when below it. Equal scores stand in catalog order.
func (s *Snapshot) Search(query string, limit, depth int) Results {
	if limit == 0 {
		limit = s.Config.ToolSearch.DefaultLimit
	}
	r := Results{Query: words.Strip(query), Limit: ClampLimit(s.Config.ToolSearch, limit), Total: len(s.Catalog())}
	depth = max(depth, r.Limit)
	// One more than asked for, so that the last hit knows whether it is tied.
	index := s.index()
	found := index.Search(query, depth+1)
	r.Fallback = found.Fallback
	r.Scored = len(found.Hits)
	if r.Scored > depth {
		r.Scored = index.Scored(query)
	}
	r.Hits = make([]Hit, min(depth, len(found.Hits)))
	for i := range r.Hits {
		h := found.Hits[i]
		r.Hits[i] = Hit{
			Tool:   s.Catalog()[h.Doc],
			Rank:   i + 1,
			Best:   i + 1,
			Worst:  i + 1,
			Score:  h.Score,
			Within: i < r.Limit,
			Tied:   i > 0 && found.Hits[i-1].Score == h.Score || i+1 < len(found.Hits) && found.Hits[i+1].Score == h.Score,
		}
	}
	if x, ok := index.(*hosted); ok {
		// The host's own tools take places of the limit.
		at, all := 0, x.all(r.Query)
		for rank, h := range all {
			r.Untold = r.Untold || rank < r.Limit && h.Best != h.Worst && x.index.Host().Untold != ""
			if h.Tool == nil {
				if rank < r.Limit {
					r.Own = append(r.Own, h.Name)
				}
				continue
			}
			if at == len(r.Hits) {
				break
			}
			hit := &r.Hits[at]
			hit.Rank, hit.Within, hit.Best, hit.Worst = rank+1, rank < r.Limit, h.Best, h.Worst
			hit.Chance = h.Best <= r.Limit && hit.Worst > r.Limit
			at++
		}
		r.Limit -= len(r.Own)
	}
	return r
}

// AppendBest appends to dst the k best tools for a query, as documents: document i is
// Catalog()[i]. They are the first hits of Search, which also counts what the query finds.
func (s *Snapshot) AppendBest(dst []retrieval.Hit, query string, k int) []retrieval.Hit {
	return s.index().SearchInto(dst, query, k).Hits
}

// Explain returns why a tool has its score for a query. The contributions of
// the leaves sum to the score. ok is false when the tool is not in the
// catalog.
func (s *Snapshot) Explain(query string, t *model.Tool) (e retrieval.Explanation, ok bool) {
	doc, ok := s.Document(t)
	if !ok {
		return retrieval.Explanation{}, false
	}
	e = s.index().Explain(query, doc)
	if rankers[s.ranking().ranker].toolsets { // it takes words of one stem as one
		e.Spell(s.written(query, t))
	}
	return e, true
}

// written returns a function from a stem to the first word of a query, or else of a tool and
// its toolset, that has it; to the stem where none has.
func (s *Snapshot) written(query string, t *model.Tool) func(stem string) string {
	texts := []string{query, t.Name, t.Description, strings.Join(t.PropertyNames(), " "), t.Toolset}
	if set, ok := s.Registry.Toolset(t.Toolset); ok {
		texts = append(texts, set.Title, set.Description)
	}
	texts = append(texts, string(t.Parameters))
	known := map[string]string{}
	var cutter words.Cutter
	return func(stem string) string {
		for ; known[stem] == "" && len(texts) > 0; texts = texts[1:] {
			cutter.Cut([]byte(texts[0]))
			for word := cutter.Next(); word != nil; word = cutter.Next() {
				if text := string(word); known[retrieval.Stem(text)] == "" {
					known[retrieval.Stem(text)] = text
				}
			}
		}
		return cmp.Or(known[stem], stem)
	}
}

// Rank returns the rank of a tool among all tools that score for a query, from 1,
// with its score; ok is false when it does not score.
func (s *Snapshot) Rank(query string, t *model.Tool) (rank int, score float64, ok bool) {
	doc, ok := s.Document(t)
	if !ok {
		return 0, 0, false
	}
	return s.index().Rank(query, doc)
}

// Admission returns what the gates of bm25-gated say of a tool for a query; ok is false
// with another ranker, and when the tool is not in the catalog.
func (s *Snapshot) Admission(query string, t *model.Tool) (a retrieval.Admission, ok bool) {
	doc, ok := s.Document(t)
	if !ok {
		return retrieval.Admission{}, false
	}
	x, ok := s.index().(*retrieval.Gated)
	if !ok {
		return retrieval.Admission{}, false
	}
	return x.Admission(query, doc), true
}

// effectiveLimit returns how many matches tool_search returns for a limit as
// the model sent it: absent and unusable values mean the default, everything
// else is clamped to 1..max. A fraction is truncated, true counts as 1, and
// text counts when Python's int reads it, as in the reference agent.
func effectiveLimit(c config.ToolSearch, raw json.RawMessage) int {
	n, ok := arguments.Whole(raw)
	if !ok {
		return c.DefaultLimit
	}
	return ClampLimit(c, n)
}

// ClampLimit returns n within 1..max_search_limit.
func ClampLimit(c config.ToolSearch, n int) int {
	return min(max(n, 1), c.MaxLimit)
}

// WhyNone says in one line, safe for a terminal, why a query finds no tool of the
// session's catalog; empty when it finds one.
func (s *Snapshot) WhyNone(query string) string {
	why := s.whyNone(query)
	if unread, _ := s.Unread(query); unread > 0 && why != "" && len(s.Catalog()) > 0 {
		why += "; the ranker " + config.RankerFielded + " reads letters of every script"
	}
	return words.Message(why)
}

func (s *Snapshot) whyNone(query string) string {
	index := s.index()
	if index.Scored(query) > 0 {
		return ""
	}
	if len(s.Catalog()) == 0 {
		return "the catalog is empty"
	}
	switch x := index.(type) {
	case *retrieval.Gated:
		g := x.Gates(query)
		word := g.Word
		if g.Gate != word {
			word = fmt.Sprintf("%s (%s)", g.Gate, g.Word)
		}
		switch {
		case g.Tokens == 0:
			return "the query has no word: only ASCII letters and digits are read"
		case g.DF == 0:
			return fmt.Sprintf("its rarest word must match, and %s is in no tool", word)
		}
		return fmt.Sprintf("a tool must have the rarest word, %s, and %d of the %d words; none does", word, g.Required, g.Answerable)
	case *hosted:
		return x.index.Host().Called() + " finds no tool of the registry"
	case *fielded.Index:
		return whyNoneByWords(x.FirstWord(query))
	case interface{ Base() *fielded.Index }: // made from one
		word, some := x.Base().FirstWord(query)
		byWords, byMeanings := s.Compares()
		switch {
		case !byMeanings || word == "":
			return whyNoneByWords(word, some)
		case byWords:
			return whyNoneByWords(word, some) + ", and none is near to it in meaning"
		}
		return "no tool is near in meaning to the query, by the words that the table of meanings knows; the ranker " + config.RankerHybrid + " compares words too"
	}
	if len(retrieval.Tokens(query)) == 0 {
		return "the query has no word: only ASCII letters and digits are read"
	}
	return "no tool has a word of the query, and no name contains the query"
}

// whyNoneByWords tells what became of the words of a query, of which word is the first that
// says something; some reports whether there are any.
func whyNoneByWords(word string, some bool) string {
	switch {
	case word != "":
		return fmt.Sprintf("no tool has %s or another word of the query, or a similar one", safetext.Line(word))
	case some:
		return "the query has only words that say nothing about a tool"
	}
	return "the query has no word"
}

// Unread returns how many letters and digits of a text the snapshot's ranker does not
// read, and how many there are: bm25 and bm25-gated read ASCII alone.
func (s *Snapshot) Unread(text string) (unread, of int) {
	ascii := s.readsASCII()
	for _, r := range text {
		if unicode.IsLetter(r) || unicode.IsNumber(r) {
			of++
			if ascii && r >= utf8.RuneSelf {
				unread++
			}
		}
	}
	return unread, of
}

// readsASCII reports whether the snapshot's ranker reads ASCII letters and digits alone.
func (s *Snapshot) readsASCII() bool { return rankers[s.ranking().ranker].ascii }

// Reader returns the same snapshot with the ranker fielded, which reads the letters of
// every script; it is itself when its ranker reads them. It costs an index. The error is
// ctx's.
func (s *Snapshot) Reader(ctx context.Context) (*Snapshot, error) {
	if !s.readsASCII() {
		return s, nil
	}
	t := *s
	t.Config.ToolSearch.Ranker = config.RankerFielded
	t.catalog = newCatalog(s.corpora.rank, &t)
	_, err := t.catalog.index(ctx)
	return &t, err
}
