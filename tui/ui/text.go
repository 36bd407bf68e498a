package ui

import (
	"strconv"
	"strings"
	"unicode/utf8"

	"caliper/config"
	"caliper/model/words"
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
// more; all of it where it fits, and nothing where not even the first word does. It reads
// no more of the text than it needs.
func FirstWords(text string, w int) string {
	words := 0         // bytes of the words that fit
	end, cells := 0, 0 // of the last word that was read, without what punctuates it
	for at, read := 0, 0; ; {
		if at == len(text) && read <= w {
			return text
		}
		if at == len(text) || read > w && cells+ellipsisWidth > w {
			break
		}
		n, width := 1, 1
		if !plain(text[at]) {
			_, n, width = next(text[at:])
		}
		if text[at] == ' ' && cells+ellipsisWidth <= w {
			words = end
		}
		last := text[at]
		at, read = at+n, read+width
		if last != ' ' && last != ',' && last != ';' && last != ':' {
			end, cells = at, read
		}
	}
	if words == 0 {
		return ""
	}
	return text[:words] + ellipsis
}

// OneLine returns text as one line, with every run of white space as one space.
func OneLine(text string) string { return strings.Join(strings.Fields(text), " ") }

// Percent formats a percentage with one decimal. It never rounds a value below
// 100 to 100.
func Percent(p float64) string {
	if p < 100 {
		p = min(p, 99.9)
	}
	return words.Minus(strconv.FormatFloat(p, 'f', 1, 64)) + "%"
}

// Count returns a number with its noun, in the plural unless it is 1: "2
// tools".
func Count(n int, noun string) string { return Thousands(n) + " " + words.Plural(n, noun) }

// Thousands formats a whole number with commas and a minus sign (U+2212).
func Thousands(n int) string { return words.Thousands(n) }

// LabelledQueries returns the number n of labelled queries with its noun.
func LabelledQueries(n int) string {
	if n == 1 {
		return "1 labelled query"
	}
	return Thousands(n) + " labelled queries"
}

// NoRank is drawn for a tool that is not found.
const NoRank = "–"

// RankChange returns how a rank differs from the previous one; 0 means no rank.
func RankChange(t *Theme, was, now int) (Style, string) {
	switch {
	case was == now:
		return t.Faint, t.Same
	case now == 0:
		return t.Removed, "lost"
	case was == 0:
		return t.Added, "new"
	case was > now:
		return t.Added, t.Risen + strconv.Itoa(was-now)
	}
	return t.Removed, t.Fallen + strconv.Itoa(now-was)
}

// Ranker returns the name of a ranker in short, for columns.
func Ranker(name string) string {
	switch name {
	case config.RankerGated:
		return "gated"
	case "claude-code":
		return "claude"
	case "copilot-cli":
		return "copilot"
	}
	return name
}
