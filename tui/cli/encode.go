package cli

import (
	"bytes"
	"encoding/json"

	"caliper/model"
)

// printJSON writes one value, indented by two spaces.
func (r *run) printJSON(value any) error { return r.encodeJSON(value, "  ") }

// printJSONLine writes one value on one line.
func (r *run) printJSONLine(value any) error { return r.encodeJSON(value, "") }

// encodeJSON writes one value and a newline.
func (r *run) encodeJSON(value any, indent string) error {
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	e.SetIndent("", indent)
	if err := e.Encode(value); err != nil {
		return outputError(err)
	}
	return r.writeJSON(b.Bytes())
}

// writeJSON writes JSON text. Nothing in it acts on a terminal, whoever reads
// it in the end; on a terminal it also masks what text masks.
func (r *run) writeJSON(text []byte) error {
	if r.env.StdoutTerminal {
		return r.write(model.EscapeMasked(text))
	}
	return r.write(model.EscapeUnseen(text))
}

// write writes bytes that are safe for a terminal.
func (r *run) write(b []byte) error {
	if _, err := r.out.Write(b); err != nil {
		return outputError(err)
	}
	return nil
}

// diagnosticJSON is one error or warning of an input file.
type diagnosticJSON struct {
	File    string `json:"file"`
	Line    int    `json:"line"` // 0: unknown
	Col     int    `json:"col"`
	Code    string `json:"code"`
	Message string `json:"message"`
}

// diagnosticsJSON returns diagnostics for JSON, never nil. The path of a
// finding is part of its message, as in text.
func diagnosticsJSON(list []model.Diagnostic) []diagnosticJSON {
	out := make([]diagnosticJSON, len(list))
	for i, d := range list {
		out[i] = diagnosticJSON{File: d.File, Line: d.Line, Col: d.Col, Code: d.Code, Message: d.Message}
		if d.Path != "" {
			out[i].Message = d.Path + ": " + d.Message
		}
	}
	return out
}
