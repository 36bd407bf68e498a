package results

import (
	"errors"
	"regexp"
	"strconv"
	"strings"

	"caliper/engine/rescue/fetch"
	"caliper/model/safetext"
	"caliper/tui/ui"
)

// requestForms is the text of the empty field.
const requestForms = "outline · range 100 50 · grep ERROR · search … · pointer /3 · stat · full"

// caseFlag makes the shell's grep search in any case, as is done here anyway.
const caseFlag = "-i"

// Why a text is no request.
var (
	errNoRequest = errors.New("unknown request")
	errFlags     = errors.New(`grep takes a pattern alone, no flags; range N 5 reads what is around line N; a pattern that begins with - is written \-`)
)

// shellFlag is a flag of the shell's grep before a pattern.
var shellFlag = regexp.MustCompile(`^(-[a-zA-Z]\d*|-\d+|--[a-z-]+(=\S*)?)\s+\S`)

// forms are how requests are written, with what each asks for.
var forms = [][2]string{
	{"stat", "what the result is"},
	{"outline [/pointer]", "what it is made of"},
	{"range [start [count [chars]]]", "lines, or characters"},
	{"grep PATTERN", "lines that match, in any case; range reads around one"},
	{"search QUESTION", "the passages that fit best"},
	{"pointer /path [start]", "a value of JSON"},
	{"full", "all of it, as far as that is allowed"},
}

// parseRequest reads a request as it is typed.
func parseRequest(text string) (fetch.Request, error) {
	mode, rest, _ := strings.Cut(strings.TrimSpace(text), " ")
	rest = strings.TrimSpace(rest)
	fields := strings.Fields(rest)
	q := fetch.Request{Mode: strings.ToLower(mode)}
	switch q.Mode {
	case fetch.Stat, fetch.Full:
		if rest == "" {
			return q, nil
		}
	case fetch.Grep:
		q.Pattern = strings.TrimSpace(strings.TrimPrefix(rest, caseFlag+" "))
		if shellFlag.MatchString(q.Pattern) {
			return fetch.Request{}, errFlags
		}
		return q, nil
	case fetch.Search:
		q.Query = rest
		return q, nil
	case fetch.Outline:
		if len(fields) == 0 || strings.HasPrefix(rest, "/") {
			q.Pointer = rest
			return q, nil
		}
	case fetch.Pointer:
		if n := len(fields); n > 1 {
			if start, err := strconv.ParseInt(fields[n-1], 10, 64); err == nil {
				q.Start = start
				rest = strings.TrimSpace(strings.TrimSuffix(rest, fields[n-1]))
			}
		}
		q.Pointer = rest
		return q, nil
	case fetch.Range:
		if n := len(fields); n > 0 && (fields[n-1] == fetch.Chars || fields[n-1] == fetch.Lines) {
			q.Unit, fields = fields[n-1], fields[:n-1]
		}
		if len(fields) <= 2 && parseNumbers(fields, &q.Start, &q.Count) {
			q.CountGiven = len(fields) > 1 && q.Count == 0
			return q, nil
		}
	}
	return fetch.Request{}, errNoRequest
}

// parseNumbers reads fields into numbers, and reports whether all of them are numbers.
func parseNumbers(fields []string, into ...*int64) bool {
	for i, field := range fields {
		n, err := strconv.ParseInt(field, 10, 64)
		if err != nil {
			return false
		}
		*into[i] = n
	}
	return true
}

// requestText returns a request as it would be typed, as far as it can be.
func requestText(q fetch.Request) string {
	fields := []string{q.Mode}
	add := func(text string) {
		if text != "" {
			fields = append(fields, text)
		}
	}
	add(q.Pattern)
	add(q.Query)
	add(q.Pointer)
	if q.Start != 0 || q.Count != 0 || q.CountGiven {
		from := strconv.FormatInt(q.Start, 10)
		if q.Mode != fetch.Range && q.Mode != fetch.Pointer {
			from = "from " + from
		}
		add(from)
	}
	if q.Count != 0 || q.CountGiven {
		add(strconv.FormatInt(q.Count, 10))
	}
	add(q.Unit)
	return strings.Join(fields, " ")
}

// drawForms draws in at most h lines how requests are written, a line for each. A text that
// is no request stands above them. Without room for these lines it draws the forms alone, one
// after another.
func (s *Screen) drawForms(t *ui.Theme, w, h int) []string {
	if h > len(forms) {
		var lines []string
		if s.refused != "" {
			lines = ui.Flow(w, 1, []ui.Phrase{{Style: t.Bad, Text: "unknown request: " + safetext.Line(s.refused)}})
			lines = lines[:min(len(lines), h-len(forms))]
		}
		var l ui.Line
		for _, form := range forms {
			l.StartAt(w, 1)
			l.Cell(t.Text, form[0], min(32, w-1))
			l.Text(t.Faint, form[1])
			lines = append(lines, l.End())
		}
		return lines
	}
	var phrases []ui.Phrase
	for _, form := range forms {
		phrases = append(phrases, ui.Phrase{Style: t.Text, Text: form[0]})
	}
	lines := ui.Flow(w, 1, phrases)
	return lines[:min(len(lines), max(0, h))]
}
