package model

// Strict returns JSON text without what Parse reads over: bytes that are not
// UTF-8 and halves of surrogate pairs are U+FFFD, comments and trailing commas
// are spaces. It returns text itself if it has none of them. Repeated names
// stay, and so does what makes the text no JSON otherwise.
func Strict(text []byte) []byte {
	t, _ := newText(text).repairEncoding()
	t, _ = t.withoutComments()
	return t.data
}
