package yamltext

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"unicode/utf8"

	"go.yaml.in/yaml/v3"

	"caliper/model"
	"caliper/model/words"
)

const (
	// MaxSize bounds the memory that a file can cost, which is up to 300 times its
	// size. An agent's config has a few kilobytes.
	MaxSize = 1 << 20

	// maxNodes bounds what aliases may expand to. No file of MaxSize reaches
	// it without aliases, since every node takes a byte at least.
	maxNodes = 2 * MaxSize
)

// Document is one YAML document that the reference's loader accepts, with its positions.
type Document struct {
	File  string
	lines lineTable
	Root  *yaml.Node // nil when the file is empty
}

// Load parses data; file is its name, for errors. An error is a model.Diagnostic:
// the file is too large, is not UTF-8, is malformed, has several documents,
// expands without bound or has a value that the reference's loader refuses.
func Load(file string, data []byte) (*Document, error) {
	if len(data) > MaxSize {
		return nil, model.Diagnostic{File: file, Line: 1, Col: 1, Code: "too_large",
			Message: fmt.Sprintf("%d bytes, more than the %d that are read", len(data), MaxSize)}
	}
	data = bytes.TrimPrefix(data, []byte("\ufeff"))
	d := &Document{File: file, lines: newLineTable(data)}
	for i := 0; i < len(data); { // YAML 1.1, section 5.1
		r, n := utf8.DecodeRune(data[i:])
		what := ""
		switch {
		case r < ' ' && r != '\t' && r != '\n' && r != '\r' || r == 0x7F:
			what = fmt.Sprintf("control character %#02x", r)
		case r == utf8.RuneError && n == 1:
			what = "not UTF-8"
		case r >= 0x80 && r < 0xA0 && r != 0x85, r == 0xFFFE, r == 0xFFFF:
			what = fmt.Sprintf("character %U, which YAML does not allow", r)
		}
		if what != "" {
			return nil, d.Fault(i, "bad_character", what)
		}
		i += n
	}
	text := withoutDirectives(data)
	dec := yaml.NewDecoder(bytes.NewReader(text))
	first, err := decode(dec)
	if errors.Is(err, io.EOF) {
		return d, nil
	}
	if err != nil {
		return nil, d.malformed(text, err)
	}
	d.Root = first.Content[0]
	if second, err := decode(dec); err == nil {
		return nil, d.Fault(d.At(second), "several_documents", "a second document; a config file holds one")
	} else if !errors.Is(err, io.EOF) {
		return nil, d.malformed(text, err)
	}
	c := checker{doc: d, sizes: map[*yaml.Node]int{}, anchors: map[string]bool{}}
	if _, err := c.check(d.Root); err != nil {
		return nil, err
	}
	return d, nil
}

// decode reads the next document. An input on which the library panics is malformed.
func decode(dec *yaml.Decoder) (n *yaml.Node, err error) {
	defer func() {
		if r := recover(); r != nil {
			err = fmt.Errorf("yaml: %v", r)
		}
	}()
	n = new(yaml.Node)
	if err := dec.Decode(n); err != nil {
		return nil, err
	}
	if n.Kind != yaml.DocumentNode || len(n.Content) != 1 {
		return nil, errors.New("yaml: no document content")
	}
	return n, nil
}

// At returns the byte offset of n, or of its tag or anchor if it has one.
func (d *Document) At(n *yaml.Node) int {
	return d.lines.offset(n.Line, n.Column)
}

// Position returns line and column of n.
func (d *Document) Position(n *yaml.Node) (line, col int) {
	return d.lines.Position(d.At(n))
}

// Fault returns a diagnostic with the position of a byte offset.
func (d *Document) Fault(offset int, code, message string) model.Diagnostic {
	line, col := d.lines.Position(offset)
	return model.Diagnostic{File: d.File, Line: line, Col: col, Code: code, Message: message}
}

var (
	minorVersion  = words.LazyRegexp(`^%YAML +1\.([0-9]+)`)
	directiveName = words.LazyRegexp(`^%([A-Za-z0-9_-]+)(?:[ \r]|$)`)
)

// withoutDirectives returns data with its directives in a form that the YAML library accepts, in
// as many bytes. The library refuses every version but 1.1 and unknown directives; the reference's
// loader reads any version 1.x as 1.1, and skips unknown ones.
func withoutDirectives(data []byte) []byte {
	data = bytes.Clone(data)
	for rest := data; len(rest) > 0; {
		end := 0
		for end < len(rest) && !BreaksLine(rest[end:]) {
			end++
		}
		line := rest[:end]
		_, size := utf8.DecodeRune(rest[end:]) // a line end may have several bytes
		rest = rest[end+size:]
		switch text := bytes.TrimLeft(line, " "); {
		case bytes.HasPrefix(line, []byte("%")):
			name := directiveName().FindSubmatch(line)
			if m := minorVersion().FindSubmatchIndex(line); m != nil {
				copy(line[m[2]:], bytes.Repeat([]byte("0"), m[3]-m[2]))
				line[m[3]-1] = '1'
			} else if name != nil && string(name[1]) != "YAML" && string(name[1]) != "TAG" {
				line[0] = '#' // an unknown directive becomes a comment
			}
		case len(text) > 0 && text[0] != '#':
			return data
		}
	}
	return data
}

// FrontMatter returns the beginning of a file up to the line that ends its front matter, without a
// byte order mark, so that positions stay. ok is false without two lines of three hyphens within
// MaxSize.
func FrontMatter(data []byte) (front []byte, ok bool) {
	data = bytes.TrimPrefix(data, []byte("\ufeff"))
	// SECURITY: what follows is not looked at, however large the file is.
	data = data[:min(len(data), MaxSize)]
	at := 0
	for line := range bytes.Lines(data) {
		switch fence := string(bytes.TrimRight(line, " \t\r\n")) == "---"; {
		case at == 0 && !fence:
			return nil, false
		case at > 0 && fence:
			return data[:at], true
		}
		at += len(line)
	}
	return nil, false
}
