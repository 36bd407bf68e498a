package fielded

import (
	"slices"
	"strings"
	"unicode"

	"caliper/engine/retrieval"
)

// within returns the tools whose name of several words the query has.
func (o *oracle) within(query string) (docs []int) {
	for _, sentence := range oracleLines(query) {
		words := oracleWords(sentence)
		for i := 0; i < len(words); i++ {
			for n := min(longestName, len(words)-i); n >= 2; n-- {
				found := o.called[[2]string{oracleLetters(words[i] + words[i+1]), oracleLetters(strings.Join(words[i:i+n], ""))}]
				if docs = append(docs, found...); len(found) > 0 {
					i += n - 1
					break
				}
			}
		}
	}
	return docs
}

// oracleCalled returns the first two words of a name, and all; ok is false when
// it has one word.
func oracleCalled(name string) (words [2]string, ok bool) {
	parts := oracleWords(name)
	if len(parts) < 2 {
		return words, false
	}
	return [2]string{oracleLetters(parts[0] + parts[1]), oracleLetters(name)}, true
}

// content tells whether a stem is of a token that is no generic verb and no
// request word.
func (o *oracle) content(tokens []oracleToken, stem string) bool {
	return slices.ContainsFunc(tokens, func(t oracleToken) bool {
		return t.stem == stem && !t.request && !retrieval.EnglishLexicon().Generic([]byte(t.word))
	})
}

func (o *oracle) pins(query string, tokens []oracleToken) (pins map[int]float64, near []string) {
	pins = map[int]float64{}
	whole := lower(strings.TrimSpace(query))
	if whole == "" {
		return nil, nil
	}
	var names []string
	for _, w := range strings.Fields(query) {
		if w = strings.Trim(w, ".,;:!?\"'`()[]{}<>*"); looksLikeIdentifier([]byte(w)) {
			names = append(names, lower(w))
		}
	}
	found := map[string]bool{}
	for doc, t := range o.tools {
		for name, value := range map[string]float64{t.name: o.r.ExactName, t.own: o.r.OriginalName} {
			if name != "" && (name == whole || slices.Contains(names, name)) {
				pins[doc] = max(pins[doc], value)
				found[name] = true
			}
		}
	}
	if len(pins) == 0 {
		said := ""
		for _, t := range tokens {
			if !t.request {
				said += t.word
			}
		}
		for doc, t := range o.tools {
			if said != "" && (oracleLetters(t.name) == said || oracleLetters(t.own) == said) {
				pins[doc] = o.r.NameWords
			}
		}
		for _, doc := range o.within(query) {
			pins[doc] = max(pins[doc], o.r.NameWithin)
		}
		if len(names) == 0 && !strings.ContainsFunc(whole, unicode.IsSpace) {
			names = append(names, whole)
		}
	}
	for _, n := range names {
		if letters := oracleLetters(n); !found[n] && len([]rune(letters)) >= 5 {
			near = append(near, letters)
		}
	}
	return pins, near
}

func (o *oracle) near(near []string, doc int) float64 {
	best := 0.0
	for i, n := range slices.Concat(near, near) {
		name := []string{o.tools[doc].name, o.tools[doc].own}[i/len(near)]
		if name == "" {
			continue
		}
		a, b := []rune(n), []rune(oracleLetters(name))
		limit := 1
		if min(len(a), len(b)) >= 12 {
			limit = 2
		}
		if d := oracleDistance(a, b); d <= limit {
			best = max(best, o.r.NearName*(1-float64(d)/float64(max(len(a), len(b)))))
		}
	}
	return best
}
