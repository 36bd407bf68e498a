package words

// First returns the first n code points of s.
func First(s string, n int) string {
	for i := range s {
		if n <= 0 {
			return s[:i]
		}
		n--
	}
	return s
}

// Clip returns s if it has at most n code points, else its first n and an
// ellipsis.
func Clip(s string, n int) string {
	if head := First(s, n); len(head) < len(s) {
		return head + "…"
	}
	return s
}
