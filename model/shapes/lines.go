package shapes

import (
	"bytes"
	"io"

	"caliper/model/jsontree"
)

// A long text of definitions, one behind the other as in JSON Lines, is read in parts
// as an array is. A part is guessed to begin at a line that begins with a brace. If it
// begins between two documents and whole documents stand in it up to its end, the next
// part begins between two documents too. Where it ends inside of a document, which
// then lacks its end, it is read again with the part behind it; any other fault is one
// of the text, which is then read again by the one reader that finds faults.

// readLines reads the rest of a text, which begins behind the first document at an
// offset. It returns false, and reads nothing, if the rest is short, the first
// document is no definition, or what follows is to be read one by one for another
// reason.
func (r *reader) readLines(start int) (ok bool, err error) {
	if r.inPart || r.lone != 1 || len(r.text.Data)-start < 2*partSize {
		return false, nil
	}
	parts := r.divide(start, 1, func(data []byte) int { return bytes.Index(data, []byte("\n{")) })
	if len(parts) < 2 {
		return false, nil
	}
	before := r.mark()
	r.inPart = true
	_, err = r.join(parts, readDocuments)
	r.inPart = false
	if err != nil {
		r.reset(before)
		return false, r.ctx.Err()
	}
	return true, nil
}

// readDocuments reads the documents of p. It needs no buffer.
func readDocuments(p *part, by *reader, _ int, buffer []byte) []byte {
	c := jsontree.NewCursor(by.text.Data[p.from:p.to], p.from)
	p.err = nil
	for p.err == nil {
		p.err = by.readDocument(c)
	}
	if p.err == io.EOF {
		p.err = nil
	}
	p.faulty = p.err != nil && !jsontree.IsCut(p.err)
	p.end, p.closed = p.to, p.to == len(by.text.Data)
	return buffer
}
