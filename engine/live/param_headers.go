package live

import (
	"encoding/base64"
	"encoding/json"
	"math"
	"net/http"
	"strconv"
	"strings"

	"caliper/engine/export"
	"caliper/model/jsontree"
)

// paramHeader is a header that repeats an argument of a call, as x-mcp-header of a property asks
// (MCP 2026-07-28, transports). A server refuses a call without it.
type paramHeader struct {
	name string
	path []string // to the argument
}

// paramPrefix begins the name of every such header.
const paramPrefix = "Mcp-Param-"

// paramHeadersOf returns the headers of each tool of a list that can be made, by its name.
func paramHeadersOf(tools []json.RawMessage) map[string][]paramHeader {
	out := map[string][]paramHeader{}
	for _, raw := range tools {
		tool, err := jsontree.Parse(raw, jsontree.Strict)
		if err != nil {
			continue
		}
		if found := appendParamHeaders(nil, nil, tool.Member("inputSchema").Member("properties")); len(found) > 0 {
			out[tool.Member("name").Text] = found
		}
	}
	return out
}

// appendParamHeaders adds the headers of properties at a path, and of those inside them.
func appendParamHeaders(out []paramHeader, path []string, properties *jsontree.Node) []paramHeader {
	for _, p := range properties.Members() {
		at := append(path[:len(path):len(path)], p.Name)
		if name := p.Member(export.HeaderMark); name.Is(jsontree.String) && export.IsToken(name.Text) {
			out = append(out, paramHeader{paramPrefix + name.Text, at})
		}
		out = appendParamHeaders(out, at, p.Member("properties"))
	}
	return out
}

// setParamHeaders sets the headers of a tool for the message of a call. An argument that is
// not there, null, or of a kind that no header can hold has none.
//
// SECURITY: what a server writes in a schema names headers with the prefix alone, and what a
// model writes in an argument is visible characters of ASCII when it is in one.
func setParamHeaders(h http.Header, of []paramHeader, data []byte) {
	if len(of) == 0 {
		return
	}
	message, err := jsontree.Parse(data, jsontree.Strict)
	if err != nil {
		return
	}
	for _, p := range of {
		argument := message.Member("params").Member("arguments")
		for _, name := range p.path {
			argument = argument.Member(name)
		}
		if value, ok := headerValue(argument); ok {
			h.Set(p.name, value)
		}
	}
}

// headerValue returns a boolean, a whole number that JavaScript can hold, or a text: visible ASCII
// with inner blanks as it stands, every other in base64.
func headerValue(n *jsontree.Node) (string, bool) {
	switch {
	case n.Is(jsontree.Boolean):
		return string(n.AppendTo(nil)), true
	case n.Is(jsontree.Number):
		f, err := strconv.ParseFloat(string(n.AppendTo(nil)), 64)
		if err != nil || f != math.Trunc(f) || math.Abs(f) > 1<<53-1 {
			return "", false
		}
		return strconv.FormatInt(int64(f), 10), true
	case n.Is(jsontree.String):
		const begin, end = "=?base64?", "?="
		odd := strings.ContainsFunc(n.Text, func(r rune) bool { return r < ' ' || r > '~' })
		if odd || strings.TrimSpace(n.Text) != n.Text || strings.HasPrefix(strings.ToLower(n.Text), begin) && strings.HasSuffix(n.Text, end) {
			return begin + base64.StdEncoding.EncodeToString([]byte(n.Text)) + end, true
		}
		return n.Text, true
	}
	return "", false
}
