package embed

import (
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"
)

// normalizer prepares text as BERT does, in this order: clean, set Chinese
// characters apart, strip accents, lower case. Source: the BertNormalizer of
// github.com/huggingface/tokenizers.
type normalizer struct {
	clean        bool // drop control characters, make every white space a space
	chinese      bool // a space before and after each ideograph
	stripAccents bool // decompose canonically (NFD), drop nonspacing marks
	lowercase    bool
}

// normalize returns the prepared text. Bytes that are not UTF-8 count as
// U+FFFD, which cleaning drops.
func (n normalizer) normalize(text string) []byte {
	out := make([]byte, 0, len(text)+len(text)/8)
	ascii := true
	for _, r := range text {
		if n.clean {
			switch {
			case r == 0 || r == utf8.RuneError || isControl(r):
				continue
			case unicode.IsSpace(r):
				r = ' '
			}
		}
		if r < utf8.RuneSelf {
			if n.lowercase && 'A' <= r && r <= 'Z' {
				r += 'a' - 'A'
			}
			out = append(out, byte(r))
			continue
		}
		ascii = false
		if n.chinese && isChinese(r) {
			out = append(out, ' ')
			out = utf8.AppendRune(out, r)
			out = append(out, ' ')
			continue
		}
		out = utf8.AppendRune(out, r)
	}
	if ascii || !n.stripAccents && !n.lowercase {
		return out
	}
	return n.fold(out)
}

// fold strips accents and lowers the case.
func (n normalizer) fold(text []byte) []byte {
	if n.stripAccents {
		text = norm.NFD.Bytes(text)
	}
	out := make([]byte, 0, len(text))
	for _, r := range string(text) {
		if n.stripAccents && unicode.Is(unicode.Mn, r) {
			continue
		}
		if n.lowercase {
			if r == 'İ' { // the one character whose small form is two
				out = append(out, "i\u0307"...)
				continue
			}
			r = unicode.ToLower(r)
		}
		out = utf8.AppendRune(out, r)
	}
	return out
}

// isControl tells the characters that cleaning drops: control, format and
// private use, but tab, line feed and carriage return.
func isControl(r rune) bool {
	if r < utf8.RuneSelf {
		return r < ' ' && r != '\t' && r != '\n' && r != '\r' || r == 0x7f
	}
	return unicode.In(r, unicode.Cc, unicode.Cf, unicode.Co)
}

// isChinese tells the ideographs, by the blocks that BERT lists: CJK unified,
// extensions A to E, the compatibility ideographs and their supplement. The
// start of extension E is the one the tokenizers library uses.
func isChinese(r rune) bool {
	switch {
	case r < 0x3400:
		return false
	case r <= 0x4dbf, 0x4e00 <= r && r <= 0x9fff, 0xf900 <= r && r <= 0xfaff:
		return true
	}
	return 0x20000 <= r && r <= 0x2a6df || 0x2a700 <= r && r <= 0x2b81f ||
		0x2b920 <= r && r <= 0x2ceaf || 0x2f800 <= r && r <= 0x2fa1f
}

// isPunctuation tells the characters that are words of their own: the ones of
// Unicode's category P, and every ASCII sign.
func isPunctuation(r rune) bool {
	if r < utf8.RuneSelf {
		return '!' <= r && r <= '/' || ':' <= r && r <= '@' || '[' <= r && r <= '`' || '{' <= r && r <= '~'
	}
	return unicode.IsPunct(r)
}
