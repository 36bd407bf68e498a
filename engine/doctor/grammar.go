package doctor

import (
	"cmp"
	"slices"
	"strings"
	"sync"

	"caliper/model/words"
)

// position is where a text has a word.
type position struct {
	text []token
	at   int
}

// token returns the token behind the position by so many; the zero value for none.
func (p position) token(behind int) token {
	if i := p.at + behind; i >= 0 && i < len(p.text) {
		return p.text[i]
	}
	return token{}
}

// before returns the word before the position in its part of the sentence; empty for none.
func (p position) before() string {
	if p.at == 0 || p.token(0).first || p.token(-1).last {
		return ""
	}
	return p.token(-1).word
}

// after returns the word behind the position in its part of the sentence; empty for none.
func (p position) after() string {
	if p.token(0).last {
		return ""
	}
	return p.token(1).word
}

// grammar counts how the descriptions of the catalog and queries use the forms of a stem.
type grammar struct {
	noun      int // at the end of a group of words, as "hotel" in "for a hotel in Rome"
	modifier  int // before another word of the group, as "hotel" in "a hotel room"
	predicate int // as adjectives stand, as "cheap" in "it is cheap"
	verb      int // as verbs stand, as "book" in "please book a room"
	name      int // with a capital inside a sentence, as names have it
	uses      int
}

// wordLists are the words by which a use of a word is told.
type wordLists struct {
	determiners, prepositions, behindNouns, copulas, adverbs, superlatives, participles, plurals, singulars map[string]bool
}

// lists are made at first use.
var lists = sync.OnceValue(func() wordLists {
	return wordLists{
		determiners:  words.Set("a an the my your our their its his her this these those some any each every no another"),
		prepositions: words.Set("of in on at for with about from by into through between during under over per via as like than without within regarding concerning including"),
		behindNouns:  words.Set("and or but nor is are was were be has have had can could will would should may might must do does that which who when where while if because to it i we you they so then"),
		copulas:      words.Set("is are was were be been being am very more most so too how really quite seems looks less"),
		adverbs:      words.Set("today tomorrow yesterday tonight now here there back away further close near nearby online offline indoors outdoors ahead currently recently afterwards later soon etc"),
		superlatives: words.Set("latest newest nearest closest cheapest largest highest lowest fastest oldest next past"),
		participles:  words.Set("known shown given taken done made written built found seen born held kept sold won lost paid"),
		plurals:      words.Set("people children men women data media criteria"),
		singulars:    words.Set("news series species business address process access status gas bus bonus analysis diagnosis basis campus virus class physics mathematics economics politics statistics analytics logistics athletics"),
	}
})

// leastUses is in how many places texts must use a noun, or a pair of words, before a
// sentence may use it.
const leastUses = 2

// count adds one use.
func (g *grammar) count(p position) {
	t, prev, next := p.token(0), p.before(), p.after()
	g.uses++
	if t.name {
		g.name++
	}
	switch ends := next == "" || lists().prepositions[next] || lists().behindNouns[next]; {
	case asVerb(p.text, p.at):
		g.verb++
	case ends && lists().copulas[prev]:
		g.predicate++
	case !ends:
		g.modifier++
	case p.opening() != "":
		g.noun++
	}
}

// opening returns the determiner or the preposition that the group of words begins with
// which the position ends, before at most two modifiers; empty for neither.
func (p position) opening() string {
	for range 3 {
		prev := p.before()
		if lists().determiners[prev] || lists().prepositions[prev] {
			return prev
		}
		if prev == "" || !names(prev) {
			return ""
		}
		p.at--
	}
	return ""
}

// isPlural reports whether a noun in lower case is a plural.
func isPlural(noun string) bool {
	return lists().plurals[noun] || strings.HasSuffix(noun, "s") && !lists().singulars[noun] && !strings.HasSuffix(noun, "ss") &&
		!strings.HasSuffix(noun, "us") && !strings.HasSuffix(noun, "is")
}

// grammar returns how the texts use a stem: the descriptions of the catalog, and the
// queries that the evidence is of.
func (e *evidence) grammar(stem string) *grammar {
	if g := e.grammars[stem]; g != nil {
		return g
	}
	g := &grammar{}
	for _, p := range e.described()[stem] {
		g.count(p)
	}
	for _, i := range e.asked {
		for at, t := range e.texts[i] {
			if t.word != "" && t.stem == stem {
				g.count(position{e.texts[i], at})
			}
		}
	}
	e.grammars[stem] = g
	return g
}

// usesOfPair returns how often the same texts have two stems beside each other.
func (e *evidence) usesOfPair(first, second string) int {
	uses := 0
	count := func(p position) {
		if p.token(1).stem == second && p.after() != "" {
			uses++
		}
	}
	for _, p := range e.described()[first] {
		count(p)
	}
	for _, i := range e.asked {
		for at, t := range e.texts[i] {
			if t.word != "" && t.stem == first {
				count(position{e.texts[i], at})
			}
		}
	}
	return uses
}

// adjectival reports whether the end of a word in lower case is that of adjectives,
// adverbs or participles, or the word is one of time or place. Its stem is without the
// ending that makes it one, as those of "exactly" and "recovered" are, and that of "feed"
// is not.
func adjectival(word, stem string) bool {
	if lists().adverbs[word] || lists().superlatives[word] || lists().participles[word] {
		return true
	}
	for _, ending := range []string{"ed", "ly"} {
		if strings.HasSuffix(word, ending) && len(stem) <= len(word)-len(ending) {
			return true
		}
	}
	for _, ending := range []string{"able", "ible", "ful", "ous", "less", "ical", "ish", "ual"} {
		if strings.HasSuffix(word, ending) && len(word) > len(ending)+3 {
			return true
		}
	}
	return false
}

// isNoun reports whether a word may end a group of words, as nouns do.
func (e *evidence) isNoun(word, stem string) bool {
	g := e.grammar(stem)
	return !adjectival(word, stem) && g.noun > g.predicate && g.noun > g.verb && g.noun >= leastUses && 3*g.noun >= g.modifier && 2*g.name <= g.uses
}

// isModifier reports whether a word may stand before a noun.
func (e *evidence) isModifier(word, stem string) bool {
	g := e.grammar(stem)
	return !lists().adverbs[word] && !lists().superlatives[word] && !strings.HasSuffix(word, "ly") && g.modifier+g.predicate+g.noun > 2*g.verb && 2*g.name <= g.uses
}

// isVerb reports whether a word is the base form of a verb.
func (e *evidence) isVerb(word, stem string) bool {
	g := e.grammar(stem)
	return g.verb > g.noun+g.predicate && !strings.HasSuffix(word, "ing") && !isPlural(word) && !adjectival(word, stem)
}

// mostFrequent returns the word that stands most often at positions, or so many tokens
// behind them; of equally frequent ones the first by letters. It is empty for no position.
func mostFrequent(at []position, behind int) string {
	times := map[string]int{}
	var forms []string
	for _, p := range at {
		word := p.token(behind).shown
		if times[word]++; times[word] == 1 {
			forms = append(forms, word)
		}
	}
	if len(forms) == 0 {
		return ""
	}
	return slices.MinFunc(forms, func(a, b string) int { return cmp.Or(cmp.Compare(times[b], times[a]), cmp.Compare(a, b)) })
}
