package embed

import (
	"math"
	"regexp"
	"slices"
	"strings"
	"unicode"

	"golang.org/x/text/runes"
	"golang.org/x/text/transform"
	"golang.org/x/text/unicode/norm"
)

// This file is a second implementation, as plain as can be: whole strings,
// regular expressions, a list for a vocabulary. It knows the models made here,
// and tells what their vectors must be.

var (
	plainControls  = regexp.MustCompile(`[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f\x{fffd}]|\p{Cf}|\p{Co}`)
	plainIdeograph = regexp.MustCompile(`[\x{4e00}-\x{9fff}\x{3400}-\x{4dbf}\x{f900}-\x{faff}\x{20000}-\x{2a6df}\x{2a700}-\x{2b81f}\x{2b920}-\x{2ceaf}\x{2f800}-\x{2fa1f}]`)
	plainWord      = regexp.MustCompile(`[\p{P}$+<=>^` + "`" + `|~]|[^\p{P}$+<=>^` + "`" + `|~\s\p{Z}]+`)
	plainSpecial   = regexp.MustCompile(`\[PAD\]|\[UNK\]`)
)

// plainTokens returns the known tokens of a text.
func plainTokens(text string) []string {
	var tokens []string
	text = strings.ToValidUTF8(text, "\ufffd")
	at := 0
	for _, place := range append(plainSpecial.FindAllStringIndex(text, -1), []int{len(text), len(text)}) {
		piece := plainControls.ReplaceAllString(text[at:place[0]], "")
		piece = plainIdeograph.ReplaceAllString(piece, " $0 ")
		piece, _, _ = transform.String(transform.Chain(norm.NFD, runes.Remove(runes.In(unicode.Mn))), piece)
		for _, word := range plainWord.FindAllString(strings.ToLower(piece), -1) {
			tokens = append(tokens, plainPieces([]rune(word), "")...)
		}
		if text[place[0]:place[1]] == "[PAD]" {
			tokens = append(tokens, "[PAD]")
		}
		at = place[1]
	}
	return tokens
}

// plainPieces returns the pieces of a word, none if it is unknown.
func plainPieces(word []rune, prefix string) []string {
	if prefix == "" && len(word) > 100 {
		return nil
	}
	for end := len(word); end > 0; end-- {
		piece := prefix + string(word[:end])
		if !slices.Contains(staticWords, piece) {
			continue
		}
		if end == len(word) {
			return []string{piece}
		}
		if rest := plainPieces(word[end:], "##"); rest != nil {
			return append([]string{piece}, rest...)
		}
		return nil
	}
	return nil
}

// plainVector returns the vector of a text of such tokens, given the row and
// the weight of each.
func plainVector(tokens []string, row func(token int) int, weight func(token int) float64, unit bool) []float64 {
	tokens = tokens[:min(512, len(tokens))]
	vector := make([]float64, columns)
	for _, token := range tokens {
		n := slices.Index(staticWords, token)
		for c := range vector {
			vector[c] += weight(n) * staticTable(row(n), c) / float64(len(tokens))
		}
	}
	squares := 0.0
	for _, x := range vector {
		squares += x * x
	}
	if unit && squares > 0 {
		for c := range vector {
			vector[c] /= math.Sqrt(squares)
		}
	}
	return vector
}
