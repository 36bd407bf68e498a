package lint

import (
	"cmp"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"caliper/model"
	"caliper/model/words"
)

// What remedies write into descriptions are sentences of these forms, made of
// a tool's own words: plain ones that its author can better, never a heap of
// keywords.

// maxListed is how many parameters or words a sentence lists.
const maxListed = 8

// described returns a description made of a tool's name, its toolset and its
// parameters; empty for a tool whose name has no words.
func described(t *model.Tool) string {
	name := lower(nameWords(ownName(t)))
	if len(name) == 0 {
		return ""
	}
	text := words.Capitalized(strings.Join(name, " "))
	if set := toolsetWords(t, name); len(set) > 0 {
		text += " (" + strings.Join(set, " ") + ")"
	}
	return text + "." + takes(t)
}

// toolsetWords returns the words of a tool's toolset that are not among others.
func toolsetWords(t *model.Tool, others []string) []string {
	if t.Toolset == model.NoToolset {
		return nil
	}
	var out []string
	for _, w := range lower(nameWords(strings.TrimPrefix(t.Toolset, "mcp-"))) {
		if !slices.Contains(others, w) && !slices.Contains(out, w) {
			out = append(out, w)
		}
	}
	return out
}

// takes returns a sentence, with a space before it, that names a tool's
// parameters; empty without any.
func takes(t *model.Tool) string {
	var list []string
	for _, name := range t.PropertyNames() {
		if words := strings.Join(lower(nameWords(name)), " "); words != "" && !slices.Contains(list, words) {
			list = append(list, words)
		}
	}
	if len(list) == 0 {
		return ""
	}
	return " Takes " + words.And(list[:min(len(list), maxListed)]) + "."
}

// inShort returns a text with a sentence behind it that says some words as
// they stand in a name.
func inShort(text string, words []string) string {
	return behind(text, "In short: "+strings.Join(words, " ")+".")
}

// about returns a text with a sentence behind it that lists some words.
func about(text string, list []string) string {
	return behind(text, "Covers "+words.And(list)+".")
}

// behind returns a text with a sentence behind it, and a full stop between
// them where the text does not end a sentence.
func behind(text, sentence string) string {
	text = strings.TrimSpace(text)
	if text == "" {
		return sentence
	}
	if r, _ := utf8.DecodeLastRuneInString(text); unicode.IsLetter(r) || unicode.IsDigit(r) || strings.ContainsRune(`)]"'`+"`", r) {
		text += "."
	}
	return text + " " + sentence
}

// inOrder returns words in the order in which a text has them.
func inOrder(words []string, text string) []string {
	all := textWords(text)
	out := slices.Clone(words)
	slices.SortStableFunc(out, func(a, b string) int { return cmp.Compare(slices.Index(all, a), slices.Index(all, b)) })
	return out
}

// sentences cuts a text behind each sentence and the white space that follows
// it, so that together they are the text.
func sentences(text string) []string {
	var out []string
	for text != "" {
		end := sentenceEnd(text)
		end += len(text[end:]) - len(strings.TrimLeftFunc(text[end:], unicode.IsSpace))
		if end == 0 {
			end = len(text)
		}
		out = append(out, text[:end])
		text = text[end:]
	}
	return out
}

// without returns a text without the sentences that a predicate holds for; if
// it holds of the rest still, as of an order that runs over two sentences,
// nothing is left of the text.
func without(text string, holds func(string) bool) string {
	kept := slices.DeleteFunc(sentences(text), holds)
	rest := strings.TrimSpace(strings.Join(kept, ""))
	if holds(rest) {
		return ""
	}
	return rest
}
