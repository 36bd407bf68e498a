package ui

import (
	"strings"
	"unicode/utf8"
)

// FitName cuts a name to at most w cells, when w is 8 or more. Names of one server
// begin alike, and often end alike: mcp_forge_create_issue and mcp_forge_close_issue.
// So the name of an MCP tool loses most of its server first, which is its second word,
// and every other name is cut in the middle.
func FitName(name string, w int) string {
	if Width(name) <= w || w < 8 {
		return name
	}
	if rest, isMCP := strings.CutPrefix(name, "mcp_"); isMCP {
		if server, tool, ok := strings.Cut(rest, "_"); ok && tool != "" {
			switch room := w - Width(tool); {
			case room > Width(server):
				return server + "…" + tool
			case room > 0:
				return Truncate(server+"_", room) + tool
			case room == 0:
				return tool
			}
			name = tool
		}
	}
	end := name
	for Width(end) > w/2 {
		_, size := utf8.DecodeRuneInString(end)
		end = end[size:]
	}
	head := Truncate(name, w-Width(end)) // ends in …
	return head + end
}

// Longest returns the first of the texts that fits w cells. When none fits, it
// cuts the last one to w cells.
func Longest(w int, texts ...string) string {
	for _, text := range texts {
		if Width(text) <= w {
			return text
		}
	}
	return strings.TrimSpace(Truncate(texts[len(texts)-1], w))
}

// FirstWords returns as many words of a text as fit w cells with the sign that there are
// more; all of it where it fits, and nothing where not even the first word does.
func FirstWords(text string, w int) string {
	if Width(text) <= w {
		return text
	}
	whole := ""
	for at := range text {
		if text[at] != ' ' {
			continue
		}
		head := strings.TrimRight(text[:at], " ,;:") + "…"
		if Width(head) > w {
			break
		}
		whole = head
	}
	if whole == "…" {
		return ""
	}
	return whole
}

// OneLine returns text as one line, with every run of white space as one space.
func OneLine(text string) string { return strings.Join(strings.Fields(text), " ") }
