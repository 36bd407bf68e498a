package tui

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strconv"

	"caliper/engine"
	"caliper/model"
)

// labelQuery returns the bytes of a file of labelled queries in which a query
// wants a tool: its line names one more where the file has the query, else a
// line is added. All other lines keep their bytes. did says in words what
// changed; it is empty when the query wants the tool already, by either of its
// names.
func labelQuery(data []byte, query, name, qualified string) (changed []byte, did string, err error) {
	queries, _ := engine.ParseQueries("", data)
	q := labelOf(queries, query)
	if q == nil {
		return appendLabel(data, queries, query, name)
	}
	if slices.Contains(q.Relevant, name) || slices.Contains(q.Relevant, qualified) {
		return data, "", nil
	}
	lines := splitLines(data)
	line, err := moreRelevant(lines[q.Line-1], name)
	if err != nil {
		return nil, "", fmt.Errorf("line %d: %w", q.Line, err)
	}
	lines[q.Line-1] = line
	return bytes.Join(lines, nil), fmt.Sprintf("%s wants %s too", model.Sanitize(q.ID), model.Sanitize(name)), nil
}

// unlabelQuery returns the bytes without the line of a query, which is found
// by its id and text. The error says that it is gone.
func unlabelQuery(data []byte, q engine.Query) (changed []byte, did string, err error) {
	queries, _ := engine.ParseQueries("", data)
	at := slices.IndexFunc(queries, func(x engine.Query) bool { return x.ID == q.ID && x.Text == q.Text })
	if at < 0 {
		return nil, "", fmt.Errorf("%s is not in the file any more", model.Sanitize(q.ID))
	}
	lines := splitLines(data)
	i := queries[at].Line - 1
	if i == 0 && bytes.HasPrefix(lines[0], bom) {
		lines[0] = bom
	} else {
		lines[i] = nil
	}
	return bytes.Join(lines, nil), model.Sanitize(q.ID) + " taken away: " + model.Sanitize(folded(q.Text)), nil
}

// bom may stand at the beginning of a file.
var bom = []byte("\uFEFF")

// splitLines returns the lines of a file with their ends.
func splitLines(data []byte) [][]byte { return slices.Collect(bytes.Lines(data)) }

// appendLabel adds a line for a query that the file does not have, under an id
// that none has.
func appendLabel(data []byte, queries []engine.Query, query, name string) (changed []byte, did string, err error) {
	n := len(queries) + 1
	taken := func(id string) bool {
		return slices.ContainsFunc(queries, func(q engine.Query) bool { return q.ID == id })
	}
	for taken("q" + strconv.Itoa(n)) {
		n++
	}
	id := "q" + strconv.Itoa(n)
	end := "\n"
	if bytes.Contains(data, []byte("\r\n")) {
		end = "\r\n"
	}
	changed = slices.Clone(data)
	if len(changed) > 0 && changed[len(changed)-1] != '\n' {
		changed = append(changed, end...)
	}
	changed = fmt.Appendf(changed, `{"id": %s, "query": %s, "relevant": [%s]}%s`, quoted(id), quoted(query), quoted(name), end)
	return changed, id + " labelled: it wants " + model.Sanitize(name), nil
}

// quoted is a text as JSON, with nothing escaped that need not be.
func quoted(text string) []byte {
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	_ = e.Encode(text) // a text always can be
	return bytes.TrimSuffix(b.Bytes(), []byte("\n"))
}

// moreRelevant returns the line of a labelled query with one more relevant
// tool, in relevant and, as a need of its own, in groups, where it has them.
// Everything else keeps its bytes.
func moreRelevant(line []byte, name string) ([]byte, error) {
	type place struct {
		at    int // of the closing bracket
		text  []byte
		comma bool
	}
	var places []place
	start := 0
	if bytes.HasPrefix(line, bom) {
		start = len(bom)
	}
	d := json.NewDecoder(bytes.NewReader(line[start:]))
	if _, err := d.Token(); err != nil {
		return nil, err
	}
	for d.More() {
		key, err := d.Token()
		if err != nil {
			return nil, err
		}
		var value json.RawMessage
		if err := d.Decode(&value); err != nil {
			return nil, err
		}
		text := quoted(name)
		switch key {
		case "groups":
			text = slices.Concat([]byte("["), text, []byte("]"))
		case "relevant":
		default:
			continue
		}
		inside := bytes.TrimSpace(value[1 : len(value)-1])
		places = append(places, place{start + int(d.InputOffset()) - 1, text, len(inside) > 0})
	}
	if len(places) == 0 {
		return nil, errors.New("it names no tools")
	}
	for _, p := range slices.Backward(places) {
		if p.comma {
			p.text = append([]byte(", "), p.text...)
		}
		at := len(bytes.TrimRight(line[:p.at], " \t"))
		line = slices.Concat(line[:at], p.text, line[at:])
	}
	return line, nil
}
