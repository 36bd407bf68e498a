package tokens

import (
	"strings"
	"unicode/utf8"

	"caliper/model/words"
)

// maxSentence is the length to which a sentence is cut, in code points, without
// the … that says so.
const maxSentence = 60

// FirstSentence returns the first sentence of a description with single blanks, cut at
// a word to 60 code points and a "…". A sentence ends with a ., ! or ? that stands
// before a blank or at the end; "e.g.", "i.e." and "etc." end none unless nothing
// follows. It is empty for a description without text.
func FirstSentence(description string) string {
	text := strings.Join(strings.FieldsFunc(description, words.PythonSpace), " ")
	for i := range len(text) {
		if strings.IndexByte(".!?", text[i]) < 0 || i+1 < len(text) && text[i+1] != ' ' {
			continue
		}
		ends := true
		for _, short := range []string{"e.g.", "i.e.", "etc."} {
			if before, ok := strings.CutSuffix(text[:i+1], short); ok && i+1 < len(text) {
				last, _ := utf8.DecodeLastRuneInString(before)
				ends = before != "" && words.PythonWord(last)
				break
			}
		}
		if ends {
			text = text[:i+1]
			break
		}
	}
	if utf8.RuneCountInString(text) <= maxSentence {
		return text
	}
	cut := text
	for i, n := 0, 0; i < len(text); n++ {
		if n == maxSentence {
			cut = text[:i]
			break
		}
		_, size := utf8.DecodeRuneInString(text[i:])
		i += size
	}
	if at := strings.LastIndexByte(cut, ' '); at >= 0 {
		cut = cut[:at]
	}
	return strings.TrimRight(cut, ",;:") + "…"
}
