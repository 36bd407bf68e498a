package fielded

import (
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"
	"unicode"

	"caliper/engine/retrieval/lexicon"
	"caliper/engine/retrieval/stem"
)

// oracleWords cuts text into words.
func oracleWords(text string) []string {
	var words []string
	runes := []rune(text)
	word := func(r rune) bool { return unicode.IsLetter(r) || unicode.IsDigit(r) }
	grams := func(r rune) bool {
		return r == 0x30fc || unicode.In(r, unicode.Han, unicode.Hiragana, unicode.Katakana, unicode.Hangul,
			unicode.Thai, unicode.Lao, unicode.Khmer, unicode.Myanmar)
	}
	for i := 0; i < len(runes); {
		if !word(runes[i]) {
			i++
			continue
		}
		j := i + 1
		for j < len(runes) && (unicode.IsMark(runes[j]) || word(runes[j]) && grams(runes[j]) == grams(runes[i])) {
			j++
		}
		run := runes[i:j]
		if grams(run[0]) {
			for k := range max(1, len(run)-1) {
				words = append(words, strings.ToLower(string(run[k:min(k+2, len(run))])))
			}
		} else {
			words = append(words, oraclePieces(run)...)
		}
		i = j
	}
	return words
}

func oraclePieces(run []rune) []string {
	if !slices.ContainsFunc(run, unicode.IsUpper) {
		return []string{strings.ToLower(string(run))}
	}
	marked := []rune{run[0]} // with a space where it is cut
	kind := func(r rune) int {
		switch {
		case unicode.IsUpper(r):
			return 1
		case unicode.IsDigit(r):
			return 2
		}
		return 0
	}
	for i, r := range run[1:] {
		before := run[i]
		switch a, b := kind(before), kind(r); {
		case a == 1 && b == 0:
			marked = append(marked[:len(marked)-1], ' ', before)
		case a != b:
			marked = append(marked, ' ')
		}
		marked = append(marked, r)
	}
	return strings.Fields(strings.ToLower(string(marked)))
}

// oracleToken is a word that is no stop word.
type oracleToken struct {
	word, stem string
	request    bool
}

func oracleStem(word string) string {
	if stemmable([]byte(word)) {
		return stem.English(word)
	}
	return word
}

func oracleTokens(text string) []oracleToken {
	var tokens []oracleToken
	for _, w := range oracleWords(text) {
		if kind := lexicon.English().Kind([]byte(w)); kind != lexicon.Stop {
			tokens = append(tokens, oracleToken{w, oracleStem(w), kind == lexicon.Request})
		}
	}
	return tokens
}

// oracleParameters returns the names and texts of a schema.
func oracleParameters(data []byte) (names, texts []string) {
	var root any
	if json.Unmarshal(data, &root) != nil {
		return nil, nil
	}
	var walk func(v any, depth int)
	walk = func(v any, depth int) {
		schema, _ := v.(map[string]any)
		describe := func(v any) {
			schema, ok := v.(map[string]any)
			if !ok {
				return
			}
			if text, ok := schema["description"].(string); ok {
				texts = append(texts, text)
			}
			if values, ok := schema["enum"].([]any); ok {
				for _, v := range values {
					switch v.(type) {
					case string, float64, bool:
						texts = append(texts, fmt.Sprint(v))
					}
				}
			}
			walk(schema, depth+1)
		}
		if depth > 5 {
			return
		}
		if properties, ok := schema["properties"].(map[string]any); ok {
			for _, name := range slices.Sorted(maps.Keys(properties)) {
				names = append(names, name)
				describe(properties[name])
			}
		}
		describe(schema["items"])
	}
	walk(root, 0)
	return names, texts
}

func oracleGrams(word string) (grams []string) {
	runes := []rune(" " + word + " ")
	for i := range max(1, len(runes)-2) {
		grams = append(grams, string(runes[i:min(i+3, len(runes))]))
	}
	return grams
}

func oraclePairs(word string) map[string]int {
	runes, pairs := []rune("^"+word+"$"), map[string]int{}
	for i := range len(runes) - 1 {
		pairs[string(runes[i:i+2])]++
	}
	return pairs
}

func oracleSpelled(word string, least int) bool {
	runes := []rune(word)
	return len(runes) >= least && len(runes) <= mostLetters && !strings.ContainsAny(word, "0123456789") && !spaceless(runes[0])
}

func oracleSentences(query string) (pieces [][]oracleToken) {
	cut := strings.NewReplacer(". ", ".\n", "? ", "?\n", "! ", "!\n", "; ", ";\n", "\r", "\n").Replace(query)
	for line := range strings.SplitSeq(cut, "\n") {
		if tokens := oracleTokens(line); len(tokens) >= 2 && len(pieces) < 12 {
			pieces = append(pieces, tokens)
		}
	}
	return pieces
}

func oracleLetters(text string) string {
	return strings.Map(func(r rune) rune {
		if unicode.IsLetter(r) || unicode.IsDigit(r) {
			return r
		}
		return -1
	}, strings.ToLower(text))
}

func oracleDistance(a, b []rune) int {
	table := make([][]int, len(a)+1)
	for i := range table {
		table[i] = make([]int, len(b)+1)
		for j := range table[i] {
			switch {
			case i == 0 || j == 0:
				table[i][j] = i + j
			case a[i-1] == b[j-1]:
				table[i][j] = table[i-1][j-1]
			default:
				table[i][j] = 1 + min(table[i-1][j-1], table[i-1][j], table[i][j-1])
			}
		}
	}
	return table[len(a)][len(b)]
}
