package model

import (
	"fmt"
	"path/filepath"
	"strings"

	"caliper/model/jsontree"
	"caliper/model/safetext"
	"caliper/model/words"
)

// Diagnostic is one error or warning about an input file. Its text is safe
// for a terminal. It is an error value, so that parsers can return it as is.
type Diagnostic struct {
	File    string // as the user named it; empty when there is none
	Line    int    // from 1; 0 when the position is unknown
	Col     int    // from 1, in bytes
	Code    string // stable identifier such as "duplicate_name"
	Path    string // JSON path such as tools[4].function.name, or dotted YAML key; may be empty
	Message string
}

// Position returns "file:line:col", leaving out the parts that are unknown.
func (d Diagnostic) Position() string {
	var b strings.Builder
	b.WriteString(d.File)
	if d.Line > 0 {
		if d.File != "" {
			b.WriteByte(':')
		}
		fmt.Fprintf(&b, "%d:%d", d.Line, d.Col)
	}
	return b.String()
}

// Error returns "file:line:col: path: message", leaving out unknown parts.
func (d Diagnostic) Error() string {
	parts := make([]string, 0, 3)
	for _, p := range []string{d.Position(), d.Path, d.Message} {
		if p != "" {
			parts = append(parts, p)
		}
	}
	return strings.Join(parts, ": ")
}

// DiagnosticAt returns the diagnostic of a fault in a source with lines l.
func DiagnosticAt(s Source, l *jsontree.Lines, f jsontree.Fault) Diagnostic {
	line, col := l.Position(f.At)
	return Diagnostic{
		File:    safetext.Line(s.Name),
		Line:    line,
		Col:     col,
		Code:    f.Code,
		Path:    safetext.Line(f.Path),
		Message: words.Message(safetext.Line(f.Message)),
	}
}

// Brief returns the diagnostic as Error does, with the name of its file but
// without the folders, which would take the room of the message.
func (d Diagnostic) Brief() string {
	if d.File != "" {
		d.File = filepath.Base(d.File)
	}
	return d.Error()
}
