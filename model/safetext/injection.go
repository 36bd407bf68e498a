package safetext

import (
	"regexp"
	"strings"

	"caliper/model/words"
)

// injectionPatterns are those of published tool-poisoning attacks: orders to drop earlier
// instructions, to hide something from the user, to take another role, and blocks tagged as more
// important than the rest. They are narrow, because honest descriptions are full of MUST and NEVER:
// a text without a finding may still be an attack.
var injectionPatterns = []func() *regexp.Regexp{
	words.LazyRegexp(`(?i)\b(ignore|disregard|forget|override)\s+(all\s+|any\s+)?(of\s+)?(the\s+|your\s+|my\s+)?(previous|prior|above|earlier|preceding)\s+(instruction|prompt|rule|message|direction)`),
	words.LazyRegexp(`(?i)\b(do\s+not|don't|never)\s+(tell|inform|alert|notify|mention\s+(this|it)\s+to|reveal\s+(this|it)\s+to)\s+the\s+user\b`),
	words.LazyRegexp(`(?i)\byou\s+are\s+now\s+(a|an|in)\s`),
	words.LazyRegexp(`(?i)<(important|system|secret|hidden)>`),
}

// trigger is a word that every match of some pattern has, with the text before it.
type trigger struct{ before, word string }

// triggers holds the triggers by the first two letters of their word, which few other words share.
var triggers = func() (by [1 << 10][]trigger) {
	for _, t := range []trigger{
		{"", "above"}, {"", "earlier"}, {"", "previous"}, {"", "prior"}, {"", "preceding"},
		{"tell the ", "user"}, {"inform the ", "user"}, {"alert the ", "user"}, {"notify the ", "user"},
		{"it to the ", "user"}, {"this to the ", "user"}, {"are ", "now "},
		{"<", "important>"}, {"<", "system>"}, {"<", "secret>"}, {"<", "hidden>"},
	} {
		i := twoLetters(t.word)
		by[i] = append(by[i], t)
	}
	return by
}()

// twoLetters returns a number below 1<<10 for the first two letters of a word in either case.
func twoLetters(word string) int { return int(word[0]&31)<<5 | int(word[1]&31) }

// The window around a trigger in which a pattern is looked for, in bytes, and
// the number of triggers after which a description is left alone: the patterns
// are slow, and a hostile text could be made of triggers.
const (
	windowBefore = 64
	windowAfter  = 40
	maxWindows   = 200
)

// Injection returns the stretch of a description that looks like an attack on the model, and ""
// when there is none. The patterns are tried around triggers only, for speed.
func Injection(s string) string {
	inWord, windows := false, 0
	for i := range len(s) - 1 {
		isLetter := s[i]|0x20-'a' < 26
		if isLetter && !inWord {
			for _, t := range triggers[twoLetters(s[i:])] {
				from, to := i-len(t.before), i+len(t.word)
				if from < 0 || to > len(s) || !strings.EqualFold(s[i:to], t.word) || !strings.EqualFold(s[from:i], t.before) {
					continue
				}
				if windows++; windows > maxWindows {
					return ""
				}
				for _, p := range injectionPatterns {
					if found := p().FindString(s[max(0, i-windowBefore):min(len(s), i+windowAfter)]); found != "" {
						return found
					}
				}
			}
		}
		inWord = isLetter
	}
	return ""
}

// HasTags reports whether a text has characters of the block Tags, which spell hidden text.
func HasTags(s string) bool {
	for rest := s; ; {
		i := strings.Index(rest, "\U000E0000"[:2])
		if i < 0 {
			return false
		}
		if i+2 < len(rest) && (rest[i+2] == 0x80 || rest[i+2] == 0x81) {
			return true
		}
		rest = rest[i+2:]
	}
}
