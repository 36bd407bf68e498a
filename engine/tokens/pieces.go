package tokens

// The splitters below find the pieces that the regular expressions of the two
// vocabularies cut a text into, for plain ASCII. The expressions, as published
// with OpenAI's tiktoken, try these alternatives in order:
//
//	cl100k_base                      o200k_base
//	's 't 're 've 'm 'll 'd          other? upper* lower+ contraction?
//	other? letter+                   other? upper+ lower* contraction?
//	digit{1,3}                       digit{1,3}
//	space? symbol+ newline*          space? symbol+ (newline or /)*
//	white space                      white space
//
// where other is neither a letter, a digit nor a line break, and a contraction
// is one of the seven, in either case. A run of n blanks gives n-1 of them,
// and leaves the last to what follows, unless that is a digit or nothing.
//
// A splitter returns -1 when the answer depends on a byte that is not plain
// ASCII: one above 0x7F, or a control character, which includes line breaks. The
// splitters in split.go then find the piece.

// class is the kind of a byte to the splitters.
type class byte

const (
	foreign class = iota // not plain ASCII
	blank
	symbol
	digit
	upper
	lower
)

// classes is the class of every byte.
var classes = func() (table [256]class) {
	for c := ' '; c <= 0x7F; c++ {
		switch {
		case c == ' ':
			table[c] = blank
		case '0' <= c && c <= '9':
			table[c] = digit
		case 'A' <= c && c <= 'Z':
			table[c] = upper
		case 'a' <= c && c <= 'z':
			table[c] = lower
		default:
			table[c] = symbol
		}
	}
	return table
}()

// classAt returns the class of the byte at an offset; the end of the text
// counts as a symbol that no piece takes.
func classAt(text []byte, at int) class {
	if at >= len(text) {
		return symbol
	}
	return classes[text[at]]
}

// nextO200k returns the end of the piece of o200k_base that starts at an
// offset of a text, or -1.
func nextO200k(text []byte, at int) int {
	first := classes[text[at]]
	i := at
	if first == blank || first == symbol {
		i++
	}
	if first != digit && i < len(text) {
		word := i
		for i < len(text) && classes[text[i]] == upper {
			i++
		}
		for i < len(text) && classes[text[i]] == lower {
			i++
		}
		if classAt(text, i) == foreign {
			return -1
		}
		if i > word {
			return i + contraction(text, i)
		}
	}
	return nextOther(text, at, first)
}

// nextCl100k returns the end of the piece of cl100k_base that starts at an
// offset of a text, or -1.
func nextCl100k(text []byte, at int) int {
	if text[at] == '\'' {
		switch n := contraction(text, at); {
		case n < 0:
			return -1
		case n > 0:
			return at + n
		}
	}
	first := classes[text[at]]
	i := at
	if first == blank || first == symbol {
		i++
	}
	if first != digit && i < len(text) {
		word := i
		for i < len(text) && classes[text[i]] >= upper {
			i++
		}
		if classAt(text, i) == foreign {
			return -1
		}
		if i > word {
			return i
		}
	}
	return nextOther(text, at, first)
}

// nextOther returns the end of the piece at an offset when it is none with
// letters: digits, symbols or blanks. The class of its first byte is given.
func nextOther(text []byte, at int, first class) int {
	i := at + 1
	switch first {
	case foreign:
		return -1
	case digit:
		for i < at+3 && i < len(text) && classes[text[i]] == digit {
			i++
		}
		if i < at+3 && classAt(text, i) == foreign {
			return -1
		}
		return i
	case blank:
		for i < len(text) && classes[text[i]] == blank {
			i++
		}
		if i == len(text) {
			return i
		}
		switch follower := classes[text[i]]; {
		case follower == foreign:
			return -1
		case i > at+1:
			return i - 1
		case follower == digit:
			return i
		}
		// One blank before symbols goes with them.
		fallthrough
	default:
		for i < len(text) && classes[text[i]] == symbol {
			i++
		}
		if classAt(text, i) == foreign {
			return -1
		}
		return i
	}
}

// contraction returns the length of the English contraction at an offset, 0
// when there is none. When that depends on a byte that is not plain ASCII it
// returns a number so low that the sum with any offset is negative.
func contraction(text []byte, at int) int {
	const undecided = -1 << 62
	if at >= len(text) || text[at] != '\'' || at+1 == len(text) {
		return 0
	}
	switch text[at+1] | 0x20 {
	case 's', 't', 'm', 'd':
		return 2
	case 'r', 'v', 'l':
		if at+2 == len(text) {
			return 0
		}
		switch pair := [2]byte{text[at+1] | 0x20, text[at+2] | 0x20}; {
		case pair == [2]byte{'r', 'e'}, pair == [2]byte{'v', 'e'}, pair == [2]byte{'l', 'l'}:
			return 3
		}
		return 0
	}
	if classes[text[at+1]] == foreign {
		return undecided
	}
	return 0
}
