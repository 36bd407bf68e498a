package doctor

import (
	"slices"
	"strings"
)

// The sentence is a list of what the tool covers:
//
//	Compare prices, book flight, hotel rooms, payment.
//
// A ranker may know no stop words, as bm25 does: a word of the sentence itself then draws
// every query that has it, which takes ranks from other tools and seems to be a gain of the
// words that are proposed. Therefore the list has no head, such as "Covers:", and no word
// besides those that are proposed and words of the tool.
//
// What a word is, is told from how the descriptions of the catalog and the queries use it
// (grammar). A word that nobody would write in such a sentence is left out, as are names.
//
//   - A verb needs an object that queries have behind it: a noun that the tool has
//     already, or one that is chosen too and stands nowhere else then.
//   - A word that only stands before others, such as "hotel" in "hotel rooms", takes the
//     one along that follows it, if that may be proposed too.
//   - No word stands twice.

// phrase is a part of the sentence.
type phrase struct {
	text  string
	words []string // those that are proposed, as the text has them
	of    []choice // their choices
}

// has reports whether the phrase has a word of a stem.
func (p phrase) has(stem string) bool {
	return slices.ContainsFunc(p.of, func(c choice) bool { return c.stem == stem })
}

// overlaps reports whether two phrases share a stem.
func (p phrase) overlaps(o phrase) bool {
	return slices.ContainsFunc(p.of, func(c choice) bool { return o.has(c.stem) })
}

// sentence returns a sentence with the first so many of the chosen words that can be
// written, and the words that it has; an empty one where none can. A phrase of two words
// may have one more.
func (e *evidence) sentence(chosen []choice, most int) (string, []Word) {
	var phrases []phrase
	size := 0
	for _, c := range chosen {
		if size >= most {
			break
		}
		p, ok := e.phrase(c, chosen)
		if !ok {
			continue
		}
		wider := func(o phrase) bool { return len(o.of) < len(p.of) && o.overlaps(p) } // "web scraping" stands for "scraping"
		if slices.ContainsFunc(phrases, func(o phrase) bool { return o.overlaps(p) && !wider(o) }) {
			continue
		}
		phrases = append(slices.DeleteFunc(phrases, wider), p)
		size = 0
		for _, p := range phrases {
			size += len(p.words)
		}
	}
	var list []string
	var used []Word
	for _, p := range phrases {
		list = append(list, p.text)
		for i, word := range p.words {
			w := Word{Text: word, Reasons: p.of[i].reasons}
			for _, q := range p.of[i].queries {
				w.Queries = append(w.Queries, e.patient.queries[q].ID)
			}
			used = append(used, w)
		}
	}
	if len(list) == 0 {
		return "", nil
	}
	return capital(strings.Join(list, ", ")) + ".", used
}

// capital returns a list with a capital at its head, unless its first word is written in a
// way of its own, such as "eBay".
func capital(list string) string {
	first, _, _ := strings.Cut(list, " ")
	if strings.ToLower(first) != first {
		return list
	}
	return strings.ToUpper(list[:1]) + list[1:]
}

// phrase returns how a chosen word is written; ok is false when nobody would write it in
// the sentence.
func (e *evidence) phrase(c choice, chosen []choice) (p phrase, ok bool) {
	var all, ends, verbs []position
	for _, i := range c.queries {
		for at, t := range e.texts[i] {
			if t.stem != c.stem || t.word == "" {
				continue
			}
			here := position{e.texts[i], at}
			all = append(all, here)
			switch next := here.after(); {
			case asVerb(here.text, at):
				verbs = append(verbs, here)
			case next == "" || !names(next):
				ends = append(ends, here)
			}
		}
	}
	if len(all) == 0 { // of the lexicon alone
		if c.word == "" || !e.isNoun(c.word, c.stem) {
			return phrase{}, false
		}
		return phrase{text: c.word, words: []string{c.word}, of: []choice{c}}, true
	}
	if 2*len(verbs) > len(all) {
		return e.verbPhrase(c, mostFrequent(verbs, 0), verbs, chosen)
	}
	if noun := mostFrequent(ends, 0); noun != "" && e.isNoun(strings.ToLower(noun), c.stem) {
		return phrase{text: noun, words: []string{noun}, of: []choice{c}}, true
	}
	return e.pair(c, all)
}

// verbPhrase returns a verb with the object that most often follows it.
func (e *evidence) verbPhrase(c choice, verb string, all []position, chosen []choice) (phrase, bool) {
	if !e.isVerb(strings.ToLower(verb), c.stem) {
		return phrase{}, false
	}
	var objects []position
	for _, p := range all {
		if p.token(0).last {
			continue
		}
		o := position{p.text, p.at + 1}
		if lists().determiners[o.token(0).word] && !o.token(0).last {
			o.at++
		}
		t, next := o.token(0), o.after()
		chosenToo := slices.ContainsFunc(chosen, func(c choice) bool { return c.stem == t.stem })
		if t.word != "" && (next == "" || lists().prepositions[next] || lists().behindNouns[next]) && names(t.word) && (e.has[t.stem] || chosenToo) && t.stem != c.stem && e.isNoun(t.word, t.stem) {
			objects = append(objects, o)
		}
	}
	object := mostFrequent(objects, 0)
	if object == "" {
		return phrase{}, false
	}
	stem := e.stems.of(strings.ToLower(object))
	p := phrase{text: verb + " " + object, words: []string{verb}, of: []choice{c}}
	if at := slices.IndexFunc(chosen, func(c choice) bool { return c.stem == stem }); at >= 0 {
		p.words, p.of = append(p.words, object), append(p.of, chosen[at])
	}
	return p, true
}

// pair returns a chosen word with the one that most often follows it.
func (e *evidence) pair(c choice, all []position) (phrase, bool) {
	followed := slices.DeleteFunc(slices.Clone(all), func(p position) bool {
		t, next := p.token(1), p.after()
		if next == "" || !names(next) {
			return true
		}
		behind := position{p.text, p.at + 1}.after()
		return behind != "" && !lists().prepositions[behind] && !lists().behindNouns[behind] || e.has[t.stem] && !e.catalog.Known(next)
	})
	times := map[string]int{}
	for _, p := range followed {
		times[p.token(1).stem]++
	}
	best := ""
	for stem, n := range times {
		if best == "" || n > times[best] || n == times[best] && stem < best {
			best = stem
		}
	}
	if best == "" || best == c.stem {
		return phrase{}, false
	}
	followed = slices.DeleteFunc(followed, func(p position) bool { return p.token(1).stem != best })
	first, next := mostFrequent(followed, 0), mostFrequent(followed, 1)
	lower := strings.ToLower(next)
	u := e.uses[best]
	if !e.isModifier(strings.ToLower(first), c.stem) || !e.isNoun(lower, best) || u == nil || !e.known(best, lower) || e.catalog.Common(lower) || e.contested(u) || e.value(u, lower) {
		return phrase{}, false
	}
	if e.usesOfPair(c.stem, best) < leastUses {
		return phrase{}, false
	}
	p := phrase{text: first + " " + next, words: []string{first, next}, of: []choice{c, {stem: best, reasons: []Reason{FromQueries}, queries: u.queries}}}
	return p, true
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
