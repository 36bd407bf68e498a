package embed_test

import (
	"slices"
	"testing"
	"unicode/utf8"

	"caliper/engine/embed"
	"caliper/engine/retrieval"
	"caliper/model"
)

// smallTalk are messages for which no tool is needed.
var smallTalk = []string{
	"hello", "Hello!", "hi", "hi there", "hey", "thanks", "Thank you very much", "good morning", "good evening", "ok", "okay", "bye", "good night", "thanks a lot", "great, thanks!", "have a nice day", "sorry", "how are you doing today?", "", "?!", "hello, how are you?",
}

// TestSmallTalk: small talk selects nothing on any real registry. What comes
// nearest to the floor is logged.
func TestSmallTalk(t *testing.T) {
	names, all := realRegistries(t)
	nearest, where := 0.0, ""
	for _, name := range names {
		tools := all[name].Tools
		x := index(t, tools)
		for _, message := range smallTalk {
			for i, score := range scores(t, x, message, tools) {
				if score > nearest {
					nearest, where = score, message+": "+tools[i].Name+" of "+name
				}
				if score > x.Floor(nil, 0) {
					t.Errorf("%s: %q selects %s with %.4f", name, message, tools[i].Name, score)
				}
			}
		}
	}
	t.Logf("nearest: %.4f, %s", nearest, where)
}

// typos returns what one slip of a key inside a word makes of it: a letter left
// out, replaced by another, or swapped with the next.
func typos(word string) []string {
	var all []string
	for i := 1; i < len(word)-1; i++ {
		all = append(all, word[:i]+word[i+1:])
		replaced := byte('a' + (word[i]-'a'+7)%26)
		all = append(all, word[:i]+string(replaced)+word[i+1:])
		if i+2 < len(word) && word[i] != word[i+1] {
			all = append(all, word[:i]+string([]byte{word[i+1], word[i]})+word[i+2:])
		}
	}
	return all
}

// mainWord returns the word of a tool's name that the fewest tools of the
// registry have in theirs, the first of several; empty when it has other letters
// than a to z or fewer than five.
func mainWord(t *model.Tool, holders map[string]int) string {
	best := ""
	for _, w := range embed.Words(t.Name) {
		if best == "" || holders[w] < holders[best] {
			best = w
		}
	}
	if utf8.RuneCountInString(best) < 5 || slices.ContainsFunc([]byte(best), func(b byte) bool { return b < 'a' || b > 'z' }) {
		return ""
	}
	return best
}

// TestTypos: a slip of a key in a tool's main word, as the whole message, selects
// the tool. That holds for all of the typos of main words of five letters and
// more in all real registries (some 133,000), but one: "with" for "width" is a
// stop word. The lowest score is logged; it was 0.19 when the floor was set.
func TestTypos(t *testing.T) {
	names, all := realRegistries(t)
	total, lowest := 0, 1.0
	for _, name := range names {
		tools := all[name].Tools
		x := index(t, tools)
		holders := map[string]int{}
		for _, tool := range tools {
			for _, w := range slices.Compact(slices.Sorted(slices.Values(embed.Words(tool.Name)))) {
				holders[w]++
			}
		}
		step := max(1, len(tools)/300)
		for i := 0; i < len(tools); i += step {
			word := mainWord(tools[i], holders)
			if word == "" {
				continue
			}
			for _, typo := range typos(word) {
				if retrieval.EnglishLexicon().Kind([]byte(typo)) == retrieval.StopWord {
					continue // "with" for "width" is no typo that letters could tell
				}
				total++
				got := scores(t, x, typo, tools[i:i+1])[0]
				lowest = min(lowest, got)
				if got <= x.Floor(nil, 0) {
					t.Errorf("%s: %q for %q gives %s %.4f", name, typo, word, tools[i].Name, got)
				}
			}
		}
	}
	t.Logf("%d typos, lowest score %.4f", total, lowest)
}
