package shapes

import (
	"bytes"
	"encoding/csv"
	"errors"
	"io"
	"path"
	"slices"
	"strings"

	"caliper/model/clientfile"
	"caliper/model/jsontree"
	"caliper/model/words"
	"caliper/model/yamltext"
)

// A source in YAML is turned into JSON and read as that, so that every shape may be
// written in it. TOML is no notation of tool definitions: it is only recognised, to
// say what it is, as the configuration of a client.

var (
	tomlHeader = words.LazyRegexp(`^\[\[?\s*([A-Za-z0-9_-]+)\s*(?:\.\s*("[^"]*"|'[^']*'|[A-Za-z0-9_-]+)[^\]]*)?\]\]?\s*(?:#.*)?$`)
	tomlKey    = words.LazyRegexp(`^[A-Za-z0-9_.-]+\s*=\s*\S`)
	yamlKey    = words.LazyRegexp(`^(- +)?("[^"]*"|'[^']*'|[A-Za-z_$][A-Za-z0-9_.$-]*)\s*:(?:\s|$)`)
)

// maxYAML bounds the lines and bracketed values of YAML. Each takes some hundred bytes as JSON.
const maxYAML = 1 << 20

// yamlNotation is the name of YAML as a notation.
const yamlNotation = "YAML"

// firstLine returns the first line that holds something, without a comment of YAML or TOML.
func firstLine(data []byte) []byte {
	for line := range bytes.Lines(data) {
		line = bytes.TrimRight(line, " \t\r\n")
		if len(line) > 0 && line[0] != '#' && line[0] != '%' {
			return line
		}
	}
	return nil
}

// fromYAML returns a text of YAML as JSON, nil for other text; the fault is YAML that cannot be
// read.
func fromYAML(t *jsontree.Text, name string) (*jsontree.Text, *jsontree.Fault) {
	line := firstLine(t.Data)
	if string(line) != "---" && !bytes.HasPrefix(line, []byte("--- ")) && !yamlKey().Match(line) {
		return nil, nil
	}
	n := 1 // values at most
	for _, c := range t.Data {
		switch c {
		case '\n', ',', '[', '{':
			n++
		}
	}
	if n > maxYAML {
		return nil, &jsontree.Fault{Code: "unknown_format", Message: "YAML of more than a million values: convert it to JSON"}
	}
	text, fault := yamltext.JSON(t)
	switch {
	case fault == nil:
		return text, nil
	case fault.Code == yamltext.Syntax && !slices.Contains([]string{".yaml", ".yml"}, strings.ToLower(path.Ext(name))):
		return nil, nil // a log, whose first line looks like YAML
	}
	return nil, &jsontree.Fault{At: t.Origin(fault.At), Code: fault.Code, Message: fault.Message}
}

// asTOML returns the fault of a text that is TOML, by its first line, which broken JSON does not
// have.
func asTOML(t *jsontree.Text, name string) (jsontree.Fault, bool) {
	line := firstLine(t.Data)
	m := tomlHeader().FindSubmatch(line)
	opens := m != nil && !slices.Contains([]string{"true", "false", "null"}, string(m[1])) && (m[1][0] < '0' || m[1][0] > '9') // a table, no JSON
	if !opens && !tomlKey().Match(line) {
		return jsontree.Fault{}, false
	}
	f, ok, err := clientfile.Parse("-.toml", t.Data)
	if err != nil || !ok {
		return jsontree.Fault{At: t.Origin(0), Code: "unknown_format", Message: "TOML, not a tool catalogue; " + understood()}, true
	}
	section, offset := 0, 0 // of the first table of the section
	for line := range bytes.Lines(t.Data) {
		if m := tomlHeader().FindSubmatch(bytes.TrimSpace(line)); m != nil && len(f.Path) > 0 && string(m[1]) == f.Path[0] {
			section = offset
			break
		}
		offset += len(line)
	}
	return jsontree.Fault{At: t.Origin(section), Code: "client_config", Message: configMessage(f, "TOML", name)}, true
}

// fromCSV returns a table of labelled queries with the columns Query and Tool as lines of JSON;
// nil for other text.
func fromCSV(t *jsontree.Text) *jsontree.Text {
	if !bytes.HasPrefix(t.Data, []byte("Query,Tool")) {
		return nil
	}
	table := csv.NewReader(bytes.NewReader(t.Data))
	if _, err := table.Read(); err != nil {
		return nil
	}
	var out []byte
	var marks []jsontree.Mark
	for {
		at := int(table.InputOffset())
		row, err := table.Read()
		if errors.Is(err, io.EOF) {
			return t.Translated(out, marks)
		}
		if err != nil || len(row) < 2 {
			return nil
		}
		marks = append(marks, jsontree.Mark{Out: len(out), In: at})
		out = jsontree.AppendQuoted(append(out, `{"Query":`...), row[0])
		out = append(jsontree.AppendQuoted(append(out, `,"Tool":`...), row[1]), '}', '\n')
	}
}
