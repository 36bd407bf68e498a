package fielded

import (
	"bytes"
	"math/bits"
	"slices"
	"sync"

	"caliper/model/words"
)

// valueKind is a kind of value that a query gives, and that parameters of tools take.
type valueKind uint8

const (
	urlValue valueKind = iota
	addressValue
	pathValue
	dateValue
	valueKinds
)

// String returns the kind with its article.
func (k valueKind) String() string {
	return [...]string{"a URL", "an e-mail address", "a path", "a date"}[k]
}

// fileEndings are the endings of files by which a word is known to be one. Endings of names
// such as Next.js are left out.
var fileEndings = words.Set("pdf csv tsv txt md json jsonl xml yaml yml toml ini log html htm doc docx odt rtf xls xlsx ods ppt pptx " +
	"png jpg jpeg gif webp svg bmp tiff ico mp3 wav flac ogg m4a mp4 mov avi mkv webm zip tar gz py ts go rs java cpp sql ipynb sh db sqlite bib tex epub")

// value is a value in a query that is no word.
type value struct {
	span // in the text
	kind valueKind
}

// separates has the bytes that stand between the values of a query. Bytes beyond ASCII
// do, too.
var separates = func() (set [256]bool) {
	for b := range set {
		set[b] = b <= ' ' || b >= 0x7f
	}
	for _, b := range []byte("\"'`<>()[]{}|") {
		set[b] = true
	}
	return set
}()

// appendValues appends the values of a text, in order. It reads each byte once or twice.
func appendValues(dst []value, text []byte) []value {
	for at := 0; at < len(text); at++ {
		if separates[text[at]] {
			continue
		}
		from, marked := at, false
		for ; at < len(text) && !separates[text[at]]; at++ {
			switch text[at] {
			case '/', '\\', '@', '.', '-':
				marked = true
			}
		}
		if !marked {
			continue
		}
		chunk := text[from:at]
		for len(chunk) > 0 && bytes.IndexByte([]byte(",;:!?*"), chunk[0]) >= 0 {
			chunk, from = chunk[1:], from+1
		}
		chunk = bytes.TrimRight(chunk, ".,;:!?*")
		var kind valueKind
		scheme, rest, found := bytes.Cut(chunk, []byte("://"))
		local, domain, addressed := bytes.Cut(chunk, []byte("@"))
		switch {
		case found && len(rest) > 0 && isName(scheme), len(chunk) > 4 && bytes.EqualFold(chunk[:4], []byte("www.")):
			kind = urlValue
		case addressed && len(local) > 0 && bytes.IndexByte(domain, '.') > 0 && bytes.IndexByte(chunk, '/') < 0 && bytes.IndexByte(domain, '@') < 0:
			kind = addressValue
		case isPath(chunk):
			kind = pathValue
		case isDate(chunk):
			kind = dateValue
		default:
			continue
		}
		dst = append(dst, value{span{uint32(from), uint32(from + len(chunk))}, kind})
	}
	return dst
}

// isName reports whether a text is made of one letter or more.
func isName(text []byte) bool {
	return len(text) > 0 && !slices.ContainsFunc(text, func(b byte) bool { return b|0x20 < 'a' || b|0x20 > 'z' })
}

// isPath reports whether a text is the path of a file or folder, or the name of a file. A
// path begins at the root, at a drive or in a folder that it calls ~, . or .., or it ends
// in a file. /x alone is no path: people write commands so.
func isPath(text []byte) bool {
	if len(text) < 4 {
		return false
	}
	slash := bytes.LastIndexAny(text, `/\`)
	switch {
	case slash < 0:
		return fileEnding(text) > 0 && knownEnding(text)
	case text[1] == ':' && text[2] == '\\' && isName(text[:1]):
		return true
	case bytes.HasPrefix(text, []byte("~/")), bytes.HasPrefix(text, []byte("./")), bytes.HasPrefix(text, []byte("../")):
		return true
	case text[0] == '/':
		return slash > 0 || fileEnding(text) > 0
	}
	return knownEnding(text)
}

// longestEnding is the most letters of the ending of a file.
const longestEnding = 5

// fileEnding returns where the ending of a file begins, such as pdf; 0 when a text has
// none.
func fileEnding(text []byte) int {
	dot := bytes.LastIndexByte(text, '.')
	if dot < 1 || dot+1 == len(text) || len(text)-dot-1 > longestEnding || bytes.ContainsAny(text[dot:], `/\`) {
		return 0
	}
	return dot + 1
}

// knownEnding reports whether a text ends like a file of a known kind.
func knownEnding(text []byte) bool {
	var room [longestEnding]byte
	at := fileEnding(text)
	return at > 0 && fileEndings[string(words.AppendLower(room[:0], text[at:]))]
}

// isDate reports whether a text is a date in digits: three numbers, where one may have
// four digits, between two of the same -, / or dot. A time may follow behind a T.
func isDate(text []byte) bool {
	if at := bytes.IndexByte(text, 'T'); at > 0 {
		text = text[:at]
	}
	digits, numbers, separator := 0, 1, byte(0)
	for _, b := range text {
		switch {
		case '0' <= b && b <= '9':
			digits++
		case digits == 0 || digits > 4 || separator != 0 && b != separator || b != '-' && b != '/' && b != '.':
			return false
		default:
			separator, digits = b, 0
			numbers++
		}
	}
	return numbers == 3 && digits > 0 && digits <= 4 && len(text) >= 6
}

// A query that gives a path wants a tool that takes one. So a candidate gains for the
// kinds of values that the query gives (values.go) and a parameter of the tool takes.
//
// Numbers are no kind of value here: three requests of five have one, and most tools take
// one.

// kindsOfParameters has the words of parameter names that say which kind of value the
// parameter takes.
var kindsOfParameters = kindsOf([valueKinds]string{
	urlValue:     "url urls uri uris link links href website webpage",
	addressValue: "email emails mail recipient recipients cc bcc",
	pathValue:    "path paths file files filename filenames filepath filepaths folder folders dir directory directories",
	dateValue:    "date dates datetime day days month year since until deadline birthday birthdate timestamp",
})

// kindsOfFormats has the values of the JSON Schema keyword "format" that do (JSON Schema
// Validation, draft 2020-12, section 7.3, and names for paths that are in use).
var kindsOfFormats = kindsOf([valueKinds]string{
	urlValue:     "uri uri-reference iri iri-reference url",
	addressValue: "email idn-email",
	pathValue:    "path file-path directory-path",
	dateValue:    "date date-time",
})

// kindsOfWords has the words of a query that are values. Those with another meaning, such
// as may, are left out.
var kindsOfWords = kindsOf([valueKinds]string{
	dateValue: "january february april june july august september october november december today tomorrow yesterday",
})

// kindsOf returns the kinds of each word of some lists, which are made at their first use.
func kindsOf(lists [valueKinds]string) func() map[string]kindSet {
	return sync.OnceValue(func() map[string]kindSet {
		kinds := map[string]kindSet{}
		for k, list := range lists {
			for word := range words.Set(list) {
				kinds[word] |= 1 << k
			}
		}
		return kinds
	})
}

// kindSet is a set of kinds of values.
type kindSet uint8

func (s kindSet) count() int { return bits.OnesCount8(uint8(s)) }

// String returns the kinds in words.
func (s kindSet) String() string {
	var kinds []string
	for k := range valueKinds {
		if s>>k&1 != 0 {
			kinds = append(kinds, k.String())
		}
	}
	return words.And(kinds)
}
