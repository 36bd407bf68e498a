package doctor

import (
	"cmp"
	"slices"
	"strings"

	"caliper/model/words"
)

// The sentence is one of these, by what kinds of words there are:
//
//	Use it to compare or book, and for flights and hotel rooms.
//	Use it to compare or book.
//	Use it for flights and hotel rooms.
//
// A word is a verb when queries have it mostly where a request has one, as in "can you
// compare", and either a description of the catalog begins with it or a query has an
// object behind it. One without the second is left out, and any other word is taken for a
// noun. A noun that no query has at the end of a group of words, such as "hotel" in
// "hotel rooms", takes the word along that follows it, if that may be proposed too;
// otherwise it is left out, because nobody would write it alone.

// phrase is a part of the sentence.
type phrase struct {
	text string
	verb bool
	of   []choice
}

// has reports whether the phrase has a word of a stem.
func (p phrase) has(stem string) bool {
	return slices.ContainsFunc(p.of, func(c choice) bool { return c.stem == stem })
}

// sentence returns a sentence with chosen words, and the words that it has; an empty one
// where none can be used.
func (e *evidence) sentence(chosen []choice) (string, []Word) {
	var phrases []phrase
	for _, c := range chosen {
		if slices.ContainsFunc(phrases, func(p phrase) bool { return p.has(c.stem) }) {
			continue
		}
		p, ok := e.phrase(c)
		if !ok {
			continue
		}
		if len(p.of) == 2 { // "web scraping" stands for "scraping"
			phrases = slices.DeleteFunc(phrases, func(o phrase) bool { return len(o.of) == 1 && o.has(p.of[1].stem) })
		}
		phrases = append(phrases, p)
	}
	var verbs, nouns []string
	var used []Word
	for _, p := range phrases {
		if p.verb {
			verbs = append(verbs, p.text)
		} else {
			nouns = append(nouns, p.text)
		}
		for i, word := range strings.Fields(p.text) {
			w := Word{Text: word, Reasons: p.of[i].reasons}
			for _, q := range p.of[i].queries {
				w.Queries = append(w.Queries, e.patient.queries[q].ID)
			}
			used = append(used, w)
		}
	}
	switch {
	case len(verbs) > 0 && len(nouns) > 0:
		return "Use it to " + words.Or(verbs) + ", and for " + words.And(nouns) + ".", used
	case len(verbs) > 0:
		return "Use it to " + words.Or(verbs) + ".", used
	case len(nouns) > 0:
		return "Use it for " + words.And(nouns) + ".", used
	}
	return "", nil
}

// position is where a query of the tool has a word.
type position struct {
	text []token
	at   int
}

// phrase returns how a chosen word is written; ok is false when nobody would write it
// alone.
func (e *evidence) phrase(c choice) (p phrase, ok bool) {
	var all, verbs []position
	alone, object := false, e.starts[c.stem]
	followers := map[string]int{}
	for _, i := range c.queries {
		text := e.texts[i]
		for at, t := range text {
			if t.stem != c.stem || t.word == "" {
				continue
			}
			here := position{text, at}
			all = append(all, here)
			if asVerb(text, at) {
				verbs = append(verbs, here)
				object = object || !t.last && beforeObjects[text[at+1].word]
			}
			if t.last || text[at+1].word == "" || !names(text[at+1].word) {
				alone = true
			} else {
				followers[text[at+1].stem]++
			}
		}
	}
	switch {
	case len(all) == 0:
		return phrase{text: c.word, of: []choice{c}}, c.word != ""
	case 2*len(verbs) > len(all):
		return phrase{text: mostFrequent(verbs, 0), verb: true, of: []choice{c}}, object
	case alone && !derived(e.form(e.uses[c.stem]), c.stem):
		return phrase{text: mostFrequent(all, 0), of: []choice{c}}, true
	}
	return e.pair(c, all, followers)
}

// pair returns a chosen word with the one that most often follows it.
func (e *evidence) pair(c choice, all []position, followers map[string]int) (phrase, bool) {
	if len(followers) == 0 {
		return phrase{}, false
	}
	best := ""
	for stem, n := range followers {
		if best == "" || n > followers[best] || n == followers[best] && stem < best {
			best = stem
		}
	}
	followed := slices.DeleteFunc(all, func(p position) bool { return p.at+1 == len(p.text) || p.text[p.at+1].stem != best })
	next := mostFrequent(followed, 1)
	u := e.uses[best]
	if e.catalog.Common(next) || u == nil || e.contested(u) || e.value(u, strings.ToLower(next)) {
		return phrase{}, false
	}
	follower := choice{stem: best, reasons: []Reason{FromQueries}, queries: u.queries}
	return phrase{text: mostFrequent(followed, 0) + " " + next, of: []choice{c, follower}}, true
}

// mostFrequent returns the word that stands most often at positions, or so many tokens
// behind them; of equally frequent ones the first by letters.
func mostFrequent(at []position, behind int) string {
	times := map[string]int{}
	var forms []string
	for _, p := range at {
		word := p.text[p.at+behind].shown
		if times[word]++; times[word] == 1 {
			forms = append(forms, word)
		}
	}
	return slices.MinFunc(forms, func(a, b string) int { return cmp.Or(cmp.Compare(times[b], times[a]), cmp.Compare(a, b)) })
}

// withSentence returns a description with a sentence behind it.
func withSentence(description, sentence string) string {
	text := strings.TrimRight(description, " \t\r\n")
	switch {
	case sentence == "":
		return description
	case text == "":
		return sentence
	case strings.Contains(text, "\n"):
		return text + "\n\n" + sentence // lists and blocks end before it
	case !strings.ContainsAny(text[len(text)-1:], ".!?:;"):
		text += "."
	}
	return text + " " + sentence
}
