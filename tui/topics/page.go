package topics

import (
	"embed"
	"strings"

	"caliper/tui/report"
)

//go:embed pages
var pages embed.FS

// source returns the lines of a file of pages.
func source(name string) []string {
	data, _ := pages.ReadFile("pages/" + name) // a test reads them all
	return strings.Split(strings.TrimSuffix(string(data), "\n"), "\n")
}

// add adds the blocks of a page. Its source is Markdown, of which a page has
//
//	## title         a section
//	### subject      a line that stands out
//	    code         a line as it is
//	- **word** text  an item, and in the lines below, indented by two, what is said of it
//	| cell | cell |  a table: --: aligns a column to the right, :-- breaks its cells into lines
//	text             a paragraph, to the next empty line
//
// {{name}} is a value of the code, and alone in its line a block; see values.go.
func add(r *report.Report, lines []string) {
	for i := 0; i < len(lines); i++ {
		from, line := i, lines[i]
		more := func(goesOn func(line string) bool) []string {
			for i+1 < len(lines) && goesOn(lines[i+1]) {
				i++
			}
			return lines[from : i+1]
		}
		switch mark, rest, _ := strings.Cut(line, " "); {
		case line == "":
		case mark == "##":
			section(r, rest)
		case mark == "###":
			r.Blank()
			r.Line(report.Strong("%s", rest))
		case strings.HasPrefix(line, "    "):
			if i > 0 && lines[i-1] == "" {
				r.Blank()
			}
			r.Line(line[2:])
		case strings.HasPrefix(line, "{{") && strings.HasSuffix(line, "}}"):
			block(r, line[2:len(line)-2])
		case mark == "|":
			r.Table(table(more(func(next string) bool { return strings.HasPrefix(next, "|") })))
		case strings.HasPrefix(line, "- **"):
			word, text, _ := strings.Cut(line[4:], "** ")
			r.Line("  ", report.Strong("%s", word), "  "+text)
		case strings.HasPrefix(line, "  "):
			r.Indented(4, "%s", joined(more(func(next string) bool { return strings.HasPrefix(next, "  ") })))
		default:
			r.Blank()
			r.Say("%s", joined(more(func(next string) bool { return next != "" })))
		}
	}
}

// section adds a title with an empty line before it.
func section(r *report.Report, title string) {
	r.Blank()
	r.Heading(3, "%s", title)
}

// joined returns the text of lines, with its values.
func joined(lines []string) string {
	return filled(strings.Join(strings.Fields(strings.Join(lines, " ")), " "))
}

// table returns a table: the first line has the titles, the second one the alignments.
func table(lines []string) *report.Table {
	titles := cellsOf(lines[0])
	for i, how := range cellsOf(lines[1]) {
		switch how {
		case "--:":
			titles[i] = ">" + titles[i]
		case ":--":
			titles[i] += "¶"
		}
	}
	t := report.Columns(titles...)
	for _, line := range lines[2:] {
		var row []any
		for _, cell := range cellsOf(line) {
			word, strong := strings.CutPrefix(cell, "**")
			if row = append(row, filled(cell)); strong {
				row[len(row)-1] = report.Strong("%s", strings.TrimSuffix(word, "**"))
			}
		}
		t.Row(row...)
	}
	return t
}

// cellsOf returns the cells of a line of a table, in which \| is a bar.
func cellsOf(line string) []string {
	parts := strings.Split(strings.ReplaceAll(strings.Trim(line, "|"), `\|`, "\x00"), "|")
	for i, part := range parts {
		parts[i] = strings.ReplaceAll(strings.TrimSpace(part), "\x00", "|")
	}
	return parts
}

// filled returns a text with the values that it names.
func filled(text string) string {
	before, rest, found := strings.Cut(text, "{{")
	name, after, closed := strings.Cut(rest, "}}")
	if !found || !closed {
		return text
	}
	return before + value(name) + filled(after)
}
