package embed

import "bytes"

// Slow tells whether the slow suites run.
var Slow = slow

// Bytes returns what WriteTo writes.
func (x *FuzzyIndex) Bytes() []byte {
	var b bytes.Buffer
	if n, err := x.WriteTo(&b); err != nil || n != int64(b.Len()) {
		panic(err)
	}
	return b.Bytes()
}

// Words returns the words of a text.
func Words(text string) []string {
	var all []string
	new(cutter).each(text, func(word []byte) bool {
		all = append(all, string(word))
		return true
	})
	return all
}

// Alike returns how alike a word is to another, among words of tools.
func Alike(word, other string, among []string) float64 {
	b := newBuilder()
	b.words.Intern([]byte(other))
	for _, w := range among {
		b.words.Intern([]byte(w))
	}
	c := comparer{cosines: make([]float32, b.words.Len())}
	if found := c.similar(newVocabulary(b.words), []byte(word)); len(found) > 0 && found[0].word == 0 {
		return found[0].alike
	}
	return 0
}

// Grams returns the grams of a word.
func Grams(word string) []string {
	var all []string
	new(gramRoom).each([]byte(word), func(gram []byte) { all = append(all, string(gram)) })
	return all
}
