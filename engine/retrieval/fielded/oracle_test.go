package fielded

import (
	"cmp"
	"maps"
	"math"
	"slices"
	"strings"
	"unicode"

	"caliper/engine/retrieval"
	"caliper/model"
	"caliper/model/words"
)

// oracle is the ranking by definition: slow, with maps and strings, every tool
// one after another.
type oracle struct {
	r       Recipe
	tools   []oracleTool
	called  map[[2]string][]int // tools by what oracleCalled returns
	df, gdf map[string]int
	average float64
	share   map[string]float64 // of tools at large
	links   [2]map[string][]string
}

type oracleTool struct {
	name    string
	own     string // its name on its server
	toolset string
	takes   kindSet
	texts   [fields][][]string // stems of each text
	counts  map[string][fields]float64
	letters map[string]float64
	length  float64
}

func newOracle(tools []*model.Tool, toolsets Toolsets, r Recipe) *oracle {
	o := &oracle{r: r, df: map[string]int{}, gdf: map[string]int{}, share: map[string]float64{}, called: map[[2]string][]int{}}
	l := retrieval.EnglishLexicon()
	for kind, links := range []retrieval.StemLinks{l.Synonyms, l.Domains} {
		o.links[kind] = map[string][]string{}
		for from, to := range links {
			for _, id := range to {
				o.links[kind][l.Stems[from]] = append(o.links[kind][l.Stems[from]], l.Stems[id])
			}
		}
	}
	for id, stem := range l.Stems {
		o.share[stem] = l.Background[id]
	}
	for _, t := range tools {
		texts, own := toolsets.texts(t.Toolset), lower(OriginalName(t))
		names, described := oracleParameters(t.Parameters)
		u := oracleTool{name: lower(t.Name), own: own, toolset: t.Toolset, counts: map[string][fields]float64{}, letters: map[string]float64{}}
		for _, name := range []string{t.Name, OriginalName(t)} {
			if name == beforeServer(t) {
				continue
			}
			if words, ok := oracleCalled(name); ok {
				o.called[words] = append(o.called[words], len(o.tools))
			}
		}
		for _, name := range names {
			for _, w := range oracleWords(name) {
				u.takes |= kindsOfParameters()[w]
			}
		}
		for f, field := range [fields][]string{{t.Name}, {texts.name}, {t.Description}, names, described, {texts.title, texts.description}} {
			for _, text := range field {
				var stems []string
				for _, token := range oracleTokens(text, nil) {
					stems = append(stems, token.stem)
					counts := u.counts[token.stem]
					counts[f]++
					u.counts[token.stem] = counts
					u.length += r.Fields[f]
					if weight := map[Field]float64{Name: 1, Toolset: r.ToolsetLetters}[Field(f)]; weight > 0 {
						for _, g := range oracleGrams(token.word) {
							u.letters[g] += weight
						}
					}
				}
				for _, english := range oracleEnglish([]rune(lower(text))) {
					for _, w := range english {
						if stem := oracleStem(w); retrieval.EnglishLexicon().Kind([]byte(w)) != retrieval.StopWord {
							counts := u.counts[stem]
							counts[Translations]++
							u.counts[stem] = counts
						}
					}
				}
				for _, form := range oracleForms(text) {
					counts := u.counts[form.stem]
					counts[OtherForms]++
					u.counts[form.stem] = counts
				}
				u.texts[f] = append(u.texts[f], stems)
			}
		}
		for s := range u.counts {
			o.df[s]++
		}
		for g := range u.letters {
			o.gdf[g]++
		}
		o.average += u.length / float64(len(tools))
		o.tools = append(o.tools, u)
	}
	return o
}

func (o *oracle) idf(stem string) float64 {
	n, d := float64(len(o.tools))+o.r.BackgroundTools, float64(o.df[stem])+o.r.BackgroundTools*o.share[stem]
	return math.Log(1 + (n-d+0.5)/(d+0.5))
}

func (o *oracle) norm(t *oracleTool) float64 { return 1 - o.r.B + o.r.B*t.length/o.average }

func (o *oracle) saturation(t *oracleTool, stem string) float64 {
	v := 0.0
	for f, n := range t.counts[stem] {
		v += o.r.Fields[f] * n / o.norm(t)
	}
	return v * (o.r.K1 + 1) / (o.r.K1 + v)
}

// weights returns the terms of tokens, which of them are words of the query, and the
// content words of all with what they are expanded to.
func (o *oracle) weights(tokens, all []oracleToken) (weights map[string]float64, own, wanted map[string]bool) {
	own, weights = map[string]bool{}, map[string]float64{}
	mine, brought := map[string]float64{}, map[string]float64{}
	var order []oracleToken
	for _, t := range tokens {
		if mine[t.stem] == 0 {
			order = append(order, t)
		}
		mine[t.stem] = max(mine[t.stem], t.weight)
	}
	limits, generic, content := map[string]float64{}, map[string]bool{}, map[string]bool{}
	for _, t := range all {
		if limits[t.stem] == 0 {
			generic[t.stem] = true
		}
		limits[t.stem] = max(limits[t.stem], t.weight)
		verb := retrieval.EnglishLexicon().Generic([]byte(t.word))
		generic[t.stem] = generic[t.stem] && verb
		content[t.stem] = content[t.stem] || !verb && !t.request
	}
	type link struct {
		from, to string
		factor   float64
	}
	var links []link
	bring := func(from, to string, factor float64) {
		if o.df[to] > 0 {
			if generic[from] {
				brought[from] += factor * o.idf(to)
			} else {
				brought[from] = max(brought[from], factor*o.idf(to))
			}
			links = append(links, link{from, to, factor})
		}
	}
	for _, t := range order {
		times := 1.0
		if o.df[t.stem] == 0 {
			times = o.r.Unknown
			for _, a := range o.alike(t.stem) {
				if limits[t.stem] < 1 {
					break
				}
				bring(t.stem, a.stem, o.r.Spelling*a.likeness)
			}
			o.split(t, bring)
		}
		english := map[string]bool{}
		for _, u := range tokens {
			for _, w := range u.english {
				if stem := oracleStem(w); u.stem == t.stem && !english[stem] {
					english[stem] = true
					bring(t.stem, stem, o.r.Translation)
				}
			}
		}
		for kind, factor := range []float64{o.r.Synonym, o.r.Domain} {
			for _, to := range o.links[kind][t.stem] {
				bring(t.stem, to, times*factor)
			}
		}
	}
	carried := func(s string) float64 {
		switch {
		case o.df[s] == 0:
			return brought[s]
		case generic[s]:
			return o.idf(s) + brought[s]
		}
		return o.idf(s)
	}
	most := 0.0
	for _, t := range order {
		if content[t.stem] {
			most += o.r.GenericVerb * mine[t.stem] * carried(t.stem)
		}
	}
	for _, t := range order {
		if v := mine[t.stem] * carried(t.stem); generic[t.stem] && v > most && most > 0 {
			mine[t.stem] *= most / v
		}
	}
	for _, l := range links {
		if mine[l.to] == 0 {
			weights[l.to] += l.factor * mine[l.from]
		}
	}
	for s, w := range weights {
		weights[s] = min(w, o.r.MostExpanded)
	}
	for s, w := range mine {
		if own[s] = true; o.df[s] > 0 {
			weights[s] = w
		}
	}
	wanted = map[string]bool{}
	for s := range content {
		if content[s] {
			wanted[s] = true
		}
	}
	for _, l := range links {
		if content[l.from] {
			wanted[l.to] = true
		}
	}
	return weights, own, wanted
}

type oracleAlike struct {
	stem     string
	likeness float64
}

func (o *oracle) alike(word string) (found []oracleAlike) {
	if !oracleSpelled(word, 4) {
		return nil
	}
	for s := range o.df {
		if !oracleSpelled(s, 4) || []rune(s)[0] != []rune(word)[0] {
			continue
		}
		a, b, common := oraclePairs(word), oraclePairs(s), 0
		for p, n := range a {
			common += min(n, b[p])
		}
		if oracleSwapped([]rune(word), []rune(s)) {
			common = min(common+1, len([]rune(word))+1)
		}
		if l := 2 * float64(common) / float64(len([]rune(word))+len([]rune(s))+2); l >= o.r.LeastLikeness {
			found = append(found, oracleAlike{s, l})
		}
	}
	slices.SortFunc(found, func(a, b oracleAlike) int {
		return cmp.Or(cmp.Compare(b.likeness, a.likeness), cmp.Compare(a.stem, b.stem))
	})
	return found[:min(len(found), o.r.MostAlike)]
}

func (o *oracle) split(t oracleToken, bring func(from, to string, factor float64)) {
	runes := []rune(t.word)
	for _, r := range runes {
		if unicode.Is(unicode.Han, r) && len(runes) > 1 && words.Spaceless(runes[0]) {
			bring(t.stem, string(r), o.r.Compound)
		}
	}
	for i := 3; oracleSpelled(t.word, 6) && i <= len(runes)-3; i++ {
		a, b := oracleStem(string(runes[:i])), oracleStem(string(runes[i:]))
		if o.df[a] > 0 && o.df[b] > 0 {
			bring(t.stem, a, o.r.Compound)
			bring(t.stem, b, o.r.Compound)
			return
		}
	}
}

// bm25f returns what each term adds to a tool.
func (o *oracle) bm25f(t *oracleTool, weights map[string]float64) (sum float64, parts map[string]float64) {
	parts = map[string]float64{}
	for _, s := range slices.Sorted(maps.Keys(weights)) {
		if _, ok := t.counts[s]; ok {
			parts[s] = weights[s] * o.idf(s) * o.saturation(t, s)
			sum += parts[s]
		}
	}
	return sum, parts
}

// oracleHit is a tool that is found.
type oracleHit struct {
	doc   int
	score float64
	parts [components]float64
	bm25f float64
	terms map[string]float64
}

func oracleOrder(a, b *oracleHit) int {
	return cmp.Or(cmp.Compare(b.score, a.score), cmp.Compare(a.doc, b.doc))
}

// search returns all tools that are found, best first.
func (o *oracle) search(query string) []*oracleHit {
	tokens, sentences := oracleTokens(query, o), oracleSentences(query, o)
	weights, own, wanted := o.weights(tokens, tokens)
	whole := slices.Clone(tokens)
	tokens = slices.DeleteFunc(tokens, func(t oracleToken) bool { return t.uncut })
	taken := 0.0
	if len(sentences) >= 2 {
		taken = o.r.CoveredAbove
	}
	var all, chosen, rest []*oracleHit
	largest := 0.0
	for doc := range o.tools {
		h := &oracleHit{doc: doc}
		h.bm25f, h.terms = o.bm25f(&o.tools[doc], weights)
		largest = max(largest, h.bm25f)
		all = append(all, h)
	}
	for _, h := range all {
		if largest > 0 {
			h.score = h.bm25f / largest * (1 - taken)
		}
	}
	slices.SortFunc(all, oracleOrder)
	pins, near := o.pins(query, tokens)
	for i, h := range all {
		switch {
		case i < o.r.Candidates && h.bm25f > 0 || pins[h.doc] > o.r.NameWithin:
			chosen = append(chosen, h)
		case h.bm25f > 0:
			rest = append(rest, h)
		}
	}
	normed := func(part component, weight float64, value func(h *oracleHit) float64) {
		most, values := 0.0, make([]float64, len(chosen))
		for i, h := range chosen {
			values[i] = value(h)
			most = max(most, values[i])
		}
		for i, h := range chosen {
			if most > 0 {
				h.parts[part] = max(h.parts[part], weight*values[i]/most)
			}
		}
	}
	normed(bm25f, 1, func(h *oracleHit) float64 { return h.bm25f })
	for _, h := range chosen {
		h.parts[descriptionCoverage] = o.r.DescriptionCoverage * o.coverage(h.doc, Description, weights, func(string) bool { return true })
		h.parts[nameCoverage] = o.r.NameCoverage * o.coverage(h.doc, Name, weights, func(s string) bool { return own[s] })
		if given := oracleGiven(query); given != 0 {
			h.parts[argumentKinds] = o.r.Arguments * float64((given & o.tools[h.doc].takes).count()) / float64(given.count())
		}
		h.parts[pin] = max(pins[h.doc], o.near(near, h.doc))
		for s := range own {
			if t := &o.tools[h.doc]; h.parts[pin] != o.r.ExactName && t.counts[s][Toolset] > 0 && o.content(whole, s) && !strings.Contains(t.own, s) {
				h.parts[pin] *= 1 + o.r.ServerWord
				break
			}
		}
	}
	if len(sentences) >= 2 {
		for _, s := range sentences {
			weights, _, _ := o.weights(s, whole)
			normed(bestSentence, o.r.Sentence, func(h *oracleHit) float64 {
				sum, _ := o.bm25f(&o.tools[h.doc], weights)
				return sum
			})
		}
	}
	normed(nameLetters, o.r.Letters, func(h *oracleHit) float64 { return o.cosine(tokens, h.doc) })
	normed(neighbourPairs, o.r.Pairs, func(h *oracleHit) float64 { return o.pairs(tokens, h.doc) })
	for _, h := range chosen {
		h.score = -h.parts[pin]
		for _, part := range h.parts {
			h.score += part
		}
	}
	best := map[string]float64{}
	for _, h := range chosen {
		toolset := o.tools[h.doc].toolset
		best[toolset] = max(best[toolset], h.score)
	}
	for _, h := range chosen {
		most := h.score
		if toolset := o.tools[h.doc].toolset; toolset != model.NoToolset {
			most = best[toolset]
		}
		if len(wanted) > 0 && !o.hasAny(h.doc, wanted) {
			most = 0
		}
		h.parts[serverSupport] = o.r.ServerSupport * most
		h.score += h.parts[serverSupport] + h.parts[pin]
	}
	slices.SortFunc(chosen, oracleOrder)
	if taken > 0 {
		o.cover(chosen, taken)
	}
	return append(chosen, rest...)
}

// hasAny tells whether a tool has one of some terms.
func (o *oracle) hasAny(doc int, terms map[string]bool) bool {
	for s := range terms {
		if _, ok := o.tools[doc].counts[s]; ok {
			return true
		}
	}
	return false
}

func (o *oracle) coverage(doc int, f Field, weights map[string]float64, counts func(string) bool) float64 {
	covered, whole, t := 0.0, 0.0, &o.tools[doc]
	for _, s := range slices.Sorted(maps.Keys(t.counts)) {
		if t.counts[s][f] > 0 {
			if whole += o.idf(s); counts(s) {
				covered += weights[s] * o.idf(s)
			}
		}
	}
	if whole == 0 {
		return 0
	}
	return covered / whole
}

func (o *oracle) cosine(tokens []oracleToken, doc int) float64 {
	query := map[string]float64{}
	for _, t := range tokens {
		for _, g := range oracleGrams(t.word) {
			query[g]++
		}
	}
	dot, length := 0.0, 0.0
	letters := o.tools[doc].letters
	for _, g := range slices.Sorted(maps.Keys(letters)) {
		idf := math.Log(float64(1+len(o.tools))/float64(1+o.gdf[g])) + 1
		w := max(0.05, 1+math.Log(letters[g])) * idf
		length += w * w
		if n := query[g]; n > 0 {
			dot += w * idf * (1 + math.Log(n))
		}
	}
	if length == 0 {
		return 0
	}
	return dot / math.Sqrt(length)
}

func (o *oracle) pairs(tokens []oracleToken, doc int) float64 {
	t, sum := &o.tools[doc], 0.0
	seen := map[[2]string]bool{}
	for i := 1; i < len(tokens); i++ {
		pair := [2]string{tokens[i-1].stem, tokens[i].stem}
		if seen[pair] {
			continue
		}
		seen[pair] = true
		v := 0.0
		for _, f := range []Field{Name, Toolset, Description} {
			for _, stems := range t.texts[f] {
				for j := 1; j < len(stems); j++ {
					if stems[j-1] == pair[0] && stems[j] == pair[1] {
						v += o.r.Fields[f] / o.norm(t)
					}
				}
			}
		}
		sum += (o.idf(pair[0]) + o.idf(pair[1])) * v / (o.r.K1 + v)
	}
	return sum
}

// cover takes from hits what better ones cover.
func (o *oracle) cover(hits []*oracleHit, most float64) {
	best, covered := map[string]float64{}, map[string]float64{}
	full := map[*oracleHit]float64{}
	for _, h := range hits {
		full[h] = h.score
		for s, v := range h.terms {
			best[s] = max(best[s], v)
		}
	}
	for rank := range min(o.r.Covering+1, len(hits)) {
		for _, h := range hits[rank:] {
			sum := 0.0
			for _, s := range slices.Sorted(maps.Keys(h.terms)) {
				sum += h.terms[s] * covered[s]
			}
			if h.bm25f > 0 {
				h.score = full[h] * (1 - most*sum/h.bm25f)
			}
		}
		slices.SortFunc(hits[rank:], oracleOrder)
		for s, v := range hits[rank].terms {
			covered[s] = max(covered[s], v/best[s])
		}
	}
}
