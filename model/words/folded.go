package words

// FoldRune returns a letter or digit, lower-cased, and -1 for everything else, as strings.Map
// drops it. A rune beyond ASCII counts as a letter.
func FoldRune(r rune) rune {
	switch {
	case r >= 'A' && r <= 'Z':
		return r + 'a' - 'A'
	case r >= 'a' && r <= 'z', r >= '0' && r <= '9', r >= 0x80:
		return r
	}
	return -1
}
