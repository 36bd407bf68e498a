package cli

import (
	"strings"

	"caliper/model"
	"caliper/tui/cells"
)

// The widest that the columns of a schema are made, and the narrowest that its
// text is. A cell that is wider pushes its own row to the right and is whole.
const (
	schemaNameWidth = 32
	schemaKindWidth = 22
	schemaTextWidth = 24
)

// schemaRow is one node of a schema on the page.
type schemaRow struct{ name, kind, text string }

// schemaTree writes a schema as an indented tree: the name of each node with *
// when it is required, its kind, and what is said of it.
func schemaTree(p *page, root *model.Schema) {
	rows := schemaRows(nil, root, 0)
	name, kind := 0, 0
	for _, r := range rows {
		name = max(name, min(cells.Width(r.name), schemaNameWidth))
		kind = max(kind, min(cells.Width(r.kind), schemaKindWidth))
	}
	margin := name + gutter + kind + gutter
	room := max(p.width-margin, schemaTextWidth)
	for _, r := range rows {
		head := filled(r.name, name) + cells.Spaces(gutter) + filled(r.kind, kind) + cells.Spaces(gutter)
		lines := cells.Wrap(r.text, room)
		if len(lines) == 0 {
			p.line(head)
			continue
		}
		p.line(head, lines[0])
		for _, l := range lines[1:] {
			p.line(cells.Spaces(margin), l)
		}
	}
}

// filled returns text in at least w cells.
func filled(s string, w int) string {
	s = cells.Clean(s)
	return s + cells.Spaces(w-cells.Width(s))
}

// schemaRows appends the rows of a node and of all below it.
func schemaRows(rows []schemaRow, s *model.Schema, depth int) []schemaRow {
	name := cells.Spaces(2*depth) + s.Key
	if s.Required {
		name += " *"
	}
	var text []string
	if d := strings.TrimSpace(s.Description); d != "" {
		text = append(text, d)
	}
	if len(s.Enum) > 0 {
		text = append(text, "one of "+strings.Join(s.Enum, ", "))
	}
	text = append(text, s.Notes...)
	rows = append(rows, schemaRow{name, s.Kind, strings.Join(text, "\n")})
	for _, c := range s.Children {
		rows = schemaRows(rows, c, depth+1)
	}
	return rows
}
