package whatif

import (
	"cmp"
	"slices"
	"strings"
	"sync"
	"unicode"

	"caliper/engine"
	"caliper/engine/labels"
	"caliper/engine/retrieval"
	"caliper/model"
	"caliper/model/words"
)

// leastLift is the least lift of a word that is proposed for its queries.
const leastLift = 2

// patient is a tool with its known facts, whichever queries are left out.
type patient struct {
	tool    *model.Tool
	queries []labels.Query
	tasks   []int     // the task of each query
	own     []bool    // the query expects the tool
	texts   [][]token // of the queries
	rivals  [][]*rival

	stems   stemmer
	catalog *retrieval.Vocabulary // its words, by stem
	has     map[string]bool       // stems of the tool
	related []choice
}

// rival is a tool that ranks above the patient for a query.
type rival struct {
	tool *model.Tool
	has  map[string]bool // its stems
}

// mostRivals is how many of the tools above the patient are looked at for a query.
const mostRivals = 3

// newPatient reads what the doctor knows of a tool. before has the ranks of the queries.
func newPatient(s *engine.Snapshot, tool *model.Tool, queries []labels.Query, before *Labels) *patient {
	p := &patient{tool: tool, queries: queries, tasks: labels.Tasks(queries), stems: stemmer{}}
	p.catalog = retrieval.NewVocabulary(s.Catalog(), p.stems.of)
	p.has = p.stemsOf(tool)
	known := map[*model.Tool]*rival{}
	for i, q := range queries {
		p.own = append(p.own, q.Wants(tool))
		var out []token
		first := true
		for _, field := range strings.Fields(q.Text) {
			begun := strings.TrimLeftFunc(field, unicode.IsPunct)
			word := strings.TrimRightFunc(begun, unicode.IsPunct)
			t := token{first: first}
			if word != "" && !strings.ContainsFunc(word, func(c rune) bool { return c|0x20 < 'a' || c|0x20 > 'z' }) { // ASCII letters alone
				t.word = strings.ToLower(word)
				t.stem = p.stems.of(t.word)
				t.mixed = strings.ToLower(word[1:]) != word[1:]
				t.name = !first && !t.mixed && word[0] < 'a'
			}
			first = len(word) < len(begun) && strings.ContainsAny(field, ".!?")
			out = append(out, t)
		}
		p.texts = append(p.texts, out)
		p.rivals = append(p.rivals, nil)
		if rank := before.Rank(i, tool); !p.own[i] || rank > 0 && rank <= before.Limit() {
			continue
		}
		untaught, _ := s.Untaught(q.Lesson())
		for _, h := range untaught.Search(q.Text, 0, mostRivals).Hits {
			if h.Rank > mostRivals || q.Wants(h.Tool) {
				continue
			}
			if known[h.Tool] == nil {
				known[h.Tool] = &rival{h.Tool, p.stemsOf(h.Tool)}
			}
			p.rivals[i] = append(p.rivals[i], known[h.Tool])
		}
	}
	// The words that the lexicon relates to words of the tool: those with the most links first, then the rarest.
	l := retrieval.EnglishLexicon()
	links := make([]int, len(l.Stems))
	for from, stem := range l.Stems {
		for _, to := range l.Synonyms[from] {
			if p.has[l.Stems[to]] && mayDescribe(l.Words[to]) {
				links[from] += 2 // a synonym stands for the word, a domain only goes with it
			}
		}
		for _, to := range l.Domains[from] {
			if p.has[l.Stems[to]] && !p.catalog.Common(l.Words[to]) {
				links[from]++
			}
		}
		if !p.lacks(stem, l.Words[from]) {
			links[from] = 0
		}
	}
	for from, n := range links {
		if n >= 2 {
			p.related = append(p.related, choice{stem: l.Stems[from], word: l.Words[from], weight: float64(n), reasons: []Reason{FromLexicon}})
		}
	}
	model.Sort(p.related, func(a, b choice) int {
		return cmp.Or(cmp.Compare(b.weight, a.weight), cmp.Compare(p.catalog.Tools(a.word), p.catalog.Tools(b.word)), cmp.Compare(a.word, b.word))
	})
	return p
}

// stemsOf returns the stems of a tool's words.
func (p *patient) stemsOf(t *model.Tool) map[string]bool {
	has := map[string]bool{}
	for _, w := range slices.Concat(retrieval.ToolWords(t), words.Identifier(t.Name)) {
		has[p.stems.of(w)] = true
	}
	return has
}

// lacks reports whether a word belongs in a description and the tool has it in no form.
func (p *patient) lacks(stem, word string) bool {
	return mayDescribe(word) && !p.has[stem] && !p.catalog.Common(word)
}

// evidence is the counts of words in some of the queries.
type evidence struct {
	*patient
	ownTasks   int             // of the tool
	otherTasks int             // of other tools
	uses       map[string]*use // by stem
}

// use is how queries have a word.
type use struct {
	stem    string
	own     int   // tasks of the tool that have it
	other   int   // tasks of other tools
	queries []int // of the tool, by their numbers
	rivals  int   // tasks of the tool for which a rival has it too
	named   int   // times that queries of the tool write it like a name
	mixed   int   // or like an abbreviation
	plain   int   // or like any other word inside a sentence
}

// evidenceOf returns what the queries say that keep does not leave out.
func (p *patient) evidenceOf(keep func(i int) bool) *evidence {
	e := &evidence{patient: p, uses: map[string]*use{}}
	counted := map[[2]int]bool{}         // tasks by whether they are the tool's
	once := map[string]map[[2]int]bool{} // of a stem: tasks by what they count for
	count := func(stem string, task, kind int, n *int) {
		if once[stem] == nil {
			once[stem] = map[[2]int]bool{}
		}
		if key := [2]int{task, kind}; !once[stem][key] {
			once[stem][key] = true
			*n++
		}
	}
	for i := range p.queries {
		if !keep(i) {
			continue
		}
		kind, tasks := 0, &e.otherTasks
		if p.own[i] {
			kind, tasks = 1, &e.ownTasks
		}
		if key := [2]int{p.tasks[i], kind}; !counted[key] {
			counted[key] = true
			*tasks++
		}
		for _, t := range p.texts[i] {
			if t.word == "" {
				continue
			}
			u := e.uses[t.stem]
			if u == nil {
				u = &use{stem: t.stem}
				e.uses[t.stem] = u
			}
			if !p.own[i] {
				count(t.stem, p.tasks[i], kind, &u.other)
				continue
			}
			count(t.stem, p.tasks[i], kind, &u.own)
			switch {
			case t.name:
				u.named++
			case t.mixed:
				u.mixed++
			case !t.first:
				u.plain++
			}
			if len(u.queries) == 0 || u.queries[len(u.queries)-1] != i {
				u.queries = append(u.queries, i)
			}
			if slices.ContainsFunc(p.rivals[i], func(r *rival) bool { return r.has[t.stem] }) {
				count(t.stem, p.tasks[i], 2, &u.rivals)
			}
		}
	}
	return e
}

// lift returns how much more often tasks of the tool have a word than other tools' tasks.
func (e *evidence) lift(u *use) float64 {
	return (float64(u.own) + 0.5) / float64(e.ownTasks+1) / ((float64(u.other) + 0.5) / float64(e.otherTasks+1))
}

// contested reports whether more tasks of other tools than of the tool have a word.
func (e *evidence) contested(u *use) bool { return u != nil && u.own < u.other }

// value reports whether a word of queries is most likely a value in them and no word for
// what they ask for: it is written like a name, or one task alone has it or it is written
// like a code, and neither the catalog nor the lexicon knows it.
func (e *evidence) value(u *use, word string) bool {
	if u.named > u.plain+u.mixed {
		return true
	}
	return (u.own == 1 || u.mixed > u.plain) && !(e.catalog.Known(word) || lexiconStems()[u.stem])
}

// lexiconStems are the stems of the lexicon.
var lexiconStems = sync.OnceValue(func() map[string]bool {
	known := map[string]bool{}
	for _, stem := range retrieval.EnglishLexicon().Stems {
		known[stem] = true
	}
	return known
})

// token is a word of a text as a person writes it.
type token struct {
	word  string // in lower case; empty for anything but a plain word, such as a number
	stem  string
	name  bool // written with a capital inside a sentence, as names of people and places are
	mixed bool // written with a capital inside the word, as abbreviations, names of products and codes are
	first bool // nothing but white space and the end of a sentence before it
}

// stemmer remembers the stems of words.
type stemmer map[string]string

func (s stemmer) of(word string) string {
	if known, ok := s[word]; ok {
		return known
	}
	stemmed := retrieval.Stem(word)
	s[word] = stemmed
	return stemmed
}

// leastLetters is the length of the shortest word that is proposed.
const leastLetters = 3

// mayDescribe reports whether a lower-case word may name what a tool is for.
func mayDescribe(word string) bool {
	return len(word) >= leastLetters && !retrieval.Filler(word) && !retrieval.EnglishLexicon().Generic([]byte(word))
}
