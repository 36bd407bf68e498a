package embed

import (
	"caliper/engine/retrieval"
	"caliper/model/words"
)

// Words returns the words of a text.
func Words(text string) []string {
	var all []string
	eachWord(&words.Cutter{CutPlurals: true}, text, func(word []byte) bool {
		all = append(all, string(word))
		return true
	})
	return all
}

// Alike returns how alike a word is to another, among words of tools.
func Alike(word, other string, among []string) float64 {
	d := retrieval.NewDictionary()
	for _, w := range append([]string{other}, among...) {
		d.Intern([]byte(w))
	}
	if found := newVocabulary(d).similar(make([]float32, d.Len()), []byte(word)); len(found) > 0 && found[0].word == 0 {
		return found[0].alike
	}
	return 0
}

// Grams returns the grams of a word.
func Grams(word string) []string {
	var all []string
	eachGram([]byte(word), func(gram []byte) { all = append(all, string(gram)) })
	return all
}
