package config

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"unicode/utf8"

	"go.yaml.in/yaml/v3"

	"caliper/model"
)

const (
	// maxSize bounds the memory that a file can cost: up to some 300 bytes for
	// each of its own. An agent's config has a few kilobytes.
	maxSize = 1 << 20

	// maxNodes bounds what aliases may expand to. No file of maxSize reaches
	// it without aliases, since every node takes a byte at least.
	maxNodes = 2 * maxSize
)

// document is one YAML document that the reference's loader accepts, and what
// is needed to say where its nodes stand.
type document struct {
	file  string
	lines lineTable
	root  *yaml.Node // nil when the file is empty
}

// load parses data. Its error is a model.Diagnostic: the file is too large,
// is not UTF-8, is malformed, holds several documents, expands without bound
// or holds a value that the reference's loader refuses.
func load(file string, data []byte) (*document, error) {
	if len(data) > maxSize {
		return nil, model.Diagnostic{File: file, Line: 1, Col: 1, Code: "too_large",
			Message: fmt.Sprintf("%d bytes, more than the %d that are read", len(data), maxSize)}
	}
	data = bytes.TrimPrefix(data, []byte("\ufeff"))
	d := &document{file: file, lines: newLineTable(data)}
	if at, what := badCharacter(data); what != "" {
		return nil, d.fault(at, "bad_character", what)
	}
	if err := d.parse(withoutDirectives(data)); err != nil {
		return nil, err
	}
	if d.root == nil {
		return d, nil
	}
	c := checker{doc: d, sizes: map[*yaml.Node]int{}, anchors: map[string]bool{}}
	if _, err := c.check(d.root); err != nil {
		return nil, err
	}
	if err := d.checkAgent(); err != nil {
		return nil, err
	}
	return d, nil
}

// badCharacter returns the offset of the first byte that a YAML stream may
// not hold and what is wrong with it, or an empty string. The set is that of
// YAML 1.1, section 5.1.
func badCharacter(data []byte) (at int, what string) {
	for i := 0; i < len(data); {
		c := data[i]
		if c < utf8.RuneSelf {
			if c < ' ' && c != '\t' && c != '\n' && c != '\r' || c == 0x7F {
				return i, fmt.Sprintf("control character %#02x", c)
			}
			i++
			continue
		}
		r, n := utf8.DecodeRune(data[i:])
		switch {
		case r == utf8.RuneError && n == 1:
			return i, "not UTF-8"
		case r < 0xA0 && r != 0x85, r == 0xFFFE, r == 0xFFFF:
			return i, fmt.Sprintf("character %U, which YAML does not allow", r)
		}
		i += n
	}
	return 0, ""
}

func (d *document) parse(data []byte) error {
	dec := yaml.NewDecoder(bytes.NewReader(data))
	first, err := decode(dec)
	if errors.Is(err, io.EOF) {
		return nil
	}
	if err != nil {
		return d.malformed(data, err)
	}
	d.root = first.Content[0]
	second, err := decode(dec)
	switch {
	case errors.Is(err, io.EOF):
		return nil
	case err != nil:
		return d.malformed(data, err)
	}
	return d.fault(d.at(second), "several_documents", "a second document; a config file holds one")
}

// decode reads the next document. The library panics on a few inputs that it
// did not foresee; such an input is malformed.
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

// at returns the byte offset of n. That of a tagged or anchored node is the
// tag's or the anchor's.
func (d *document) at(n *yaml.Node) int {
	return d.lines.offset(n.Line, n.Column)
}

// position returns line and column of n.
func (d *document) position(n *yaml.Node) (line, col int) {
	return d.lines.position(d.at(n))
}

func (d *document) fault(offset int, code, message string) model.Diagnostic {
	line, col := d.lines.position(offset)
	return model.Diagnostic{File: d.file, Line: line, Col: col, Code: code, Message: message}
}
