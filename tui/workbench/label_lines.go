package workbench

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	tea "github.com/charmbracelet/bubbletea"

	"caliper/engine/labels"
	"caliper/model/safetext"
	"caliper/model/words"
)

// AddLabel returns the bytes of a file of labelled queries after labelling a tool
// as relevant for a query. If the file has the query, its line gets one more
// tool, else a line is added; all other lines keep their bytes. did describes
// the change; it is empty when the tool is relevant already, by either of its
// names.
func AddLabel(data []byte, query, name, qualified string) (changed []byte, did string, err error) {
	queries, _ := labels.Parse("", data)
	q := FindLabel(queries, query)
	if q == nil { // a new line, with an unused id
		n := len(queries) + 1
		for slices.ContainsFunc(queries, func(q labels.Query) bool { return q.ID == "q"+strconv.Itoa(n) }) {
			n++
		}
		id, end := "q"+strconv.Itoa(n), "\n"
		if bytes.Contains(data, []byte("\r\n")) {
			end = "\r\n"
		}
		changed = slices.Clone(data)
		if len(changed) > 0 && changed[len(changed)-1] != '\n' {
			changed = append(changed, end...)
		}
		changed = fmt.Appendf(changed, `{"id": %s, "query": %s, "relevant": [%s]}%s`, quoted(id), quoted(query), quoted(name), end)
		return changed, fmt.Sprintf("labelled %s with %s, as %s", ShownQuery(query), safetext.Line(name), id), nil
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
	return bytes.Join(lines, nil), fmt.Sprintf("labelled %s with %s too, in %s", ShownQuery(query), safetext.Line(name), safetext.Line(q.ID)), nil
}

// RemoveLabel returns the bytes without the line of a query, which is identified by
// its id and text. It returns an error when the line is gone.
func RemoveLabel(data []byte, q labels.Query) (changed []byte, did string, err error) {
	queries, _ := labels.Parse("", data)
	at := slices.IndexFunc(queries, func(x labels.Query) bool { return x.ID == q.ID && x.Text == q.Text })
	if at < 0 {
		return nil, "", fmt.Errorf("%s is not in the file any more", ShownQuery(q.Text))
	}
	lines := splitLines(data)
	i := queries[at].Line - 1
	if i == 0 && bytes.HasPrefix(lines[0], bom) {
		lines[0] = bom
	} else {
		lines[i] = nil
	}
	return bytes.Join(lines, nil), "deleted " + ShownQuery(q.Text) + ", " + safetext.Line(q.ID), nil
}

// bom is the byte order mark, which may begin a file.
var bom = []byte("\uFEFF")

// splitLines returns the lines of a file with their line ends.
func splitLines(data []byte) [][]byte { return slices.Collect(bytes.Lines(data)) }

// shownQuery is how many characters of a query a notice shows.
const shownQuery = 40

// ShownQuery returns a query in quotes, for a notice or a title: of a long one the beginning,
// with an ellipsis.
func ShownQuery(query string) string {
	return strconv.Quote(words.Clip(safetext.Line(query), shownQuery))
}

// quoted returns a text as a JSON string with as few escapes as possible.
func quoted(text string) []byte {
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	_ = e.Encode(text) // encoding a string cannot fail
	return bytes.TrimSuffix(b.Bytes(), []byte("\n"))
}

// moreRelevant returns the line of a labelled query with one more relevant
// tool. The tool is added to relevant and, if the line has groups, as a group
// of its own. Everything else keeps its bytes.
func moreRelevant(line []byte, name string) ([]byte, error) {
	var changed []byte
	start, copied := 0, 0
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
		at := len(bytes.TrimRight(line[:start+int(d.InputOffset())-1], " \t")) // before the closing bracket
		changed = append(changed, line[copied:at]...)
		if copied = at; len(bytes.TrimSpace(value[1:len(value)-1])) > 0 {
			changed = append(changed, ", "...)
		}
		changed = append(changed, text...)
	}
	if copied == 0 {
		return nil, errors.New("it names no tools")
	}
	return append(changed, line[copied:]...), nil
}

// NoLabels is the text that explains how to get a file of labelled queries.
const NoLabels = "on Explore and Queries, a labels a query with the tool that answers it, and creates the file for it"

// LabelsWrittenMsg reports that the file was written, or the error.
type LabelsWrittenMsg struct {
	Did string // text that describes the change; empty when none was needed
	Err error

	Path          string
	Before, After []byte // content of the file; nil for a missing one
}

// HoldsLabels reports whether a file has a labelled query. One of another format only has
// the name.
func HoldsLabels(path string) bool {
	data, err := ReadFile(path)
	if err != nil {
		return false
	}
	known, _ := labels.Parse(path, data)
	return len(known) > 0
}

// RewriteLabels returns a command that applies change to the current content of a
// file of labelled queries and reports a LabelsWrittenMsg. A change that did nothing
// writes nothing. It creates a missing file.
func RewriteLabels(path string, change func([]byte) (changed []byte, did string, err error)) tea.Cmd {
	return func() tea.Msg {
		msg := LabelsWrittenMsg{Path: path}
		msg.Before, msg.After, msg.Err = RewriteFile(path, 0o644, func(data []byte) (changed []byte, err error) {
			changed, msg.Did, err = change(data)
			if msg.Did == "" {
				return data, err
			}
			return changed, err
		})
		if errors.Is(msg.Err, ErrBusy) {
			msg.Err = errors.New(filepath.Base(path) + " keeps changing")
		}
		return msg
	}
}

// FindLabel returns the labelled query with a text, nil if no query has it.
func FindLabel(queries []labels.Query, text string) *labels.Query {
	for i := range queries {
		if slices.Equal(strings.Fields(queries[i].Text), strings.Fields(text)) {
			return &queries[i]
		}
	}
	return nil
}
