package retrieval

// fold maps a byte of a token to its lower case, and every other byte to 0.
var fold = func() (table [256]byte) {
	for c := byte('0'); c <= '9'; c++ {
		table[c] = c
	}
	for c := byte('a'); c <= 'z'; c++ {
		table[c], table[c-'a'+'A'] = c, c
	}
	return table
}()

// Tokens returns the tokens of text in order, as the reference agent cuts
// them: runs of ASCII letters and digits, lower-cased. Every other character
// separates; there is no stemming and no splitting at a change of case.
func Tokens(text string) []string {
	var tokens []string
	var token []byte
	for i := 0; ; {
		if token, i = nextToken(token[:0], text, i); len(token) == 0 {
			return tokens
		}
		tokens = append(tokens, string(token))
	}
}

// nextToken appends to dst the first token of text at or after i. It returns
// dst and the offset behind the token; dst is unchanged when there is none.
func nextToken(dst []byte, text string, i int) ([]byte, int) {
	for i < len(text) && fold[text[i]] == 0 {
		i++
	}
	for ; i < len(text); i++ {
		c := fold[text[i]]
		if c == 0 {
			break
		}
		dst = append(dst, c)
	}
	return dst, i
}
