package replay

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"slices"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/go-json-experiment/json/jsontext"

	"caliper/engine/labels"
	"caliper/model/safetext"
)

// MaxLabelQuery is the longest query that becomes a label, in code points: a text that is
// longer is a document that was pasted.
const MaxLabelQuery = 2000

// LabelledQuery is a labelled query made of calls.
type LabelledQuery struct {
	ID       string    // of the query's text, so that it stays the same
	Text     string    // masked
	Relevant []string  // names of tools, in the order of their first call
	Source   string    // the agent
	Session  string    // id of the session of the first call
	When     time.Time // of the first call; zero: the log has no times
	Missed   []string  // who did not find one of the tools by this query: AgentsOwn, and the first ranker
}

// AgentsOwn stands for the search of the agent itself.
const AgentsOwn = "agent"

// LabelsOf returns the labels of a report. Queries that the user has already are
// left out, whatever their case and white space.
func LabelsOf(rep *Report, have []labels.Query) []LabelledQuery {
	known := make(map[string]bool, len(have))
	for _, q := range have {
		known[labelKey(Mask(q.Text))] = true
	}
	at := map[string]int{}
	var out []LabelledQuery
	add := func(q LabelledQuery, ok bool) {
		k := labelKey(q.Text)
		if !ok || known[k] {
			return
		}
		i, seen := at[k]
		if !seen {
			at[k] = len(out)
			out = append(out, q)
			return
		}
		if !slices.Contains(out[i].Relevant, q.Relevant[0]) {
			out[i].Relevant = append(out[i].Relevant, q.Relevant[0])
		}
		for _, who := range q.Missed {
			if !slices.Contains(out[i].Missed, who) {
				out[i].Missed = append(out[i].Missed, who)
			}
		}
	}
	for _, c := range rep.Calls {
		for _, query := range c.Reworded {
			missed := c
			missed.Led = query
			q, ok := LabelOfCall(rep, missed)
			q.Missed = []string{AgentsOwn}
			add(q, ok)
		}
		add(LabelOfCall(rep, c))
	}
	return out
}

// LabelOfCall returns the label of one call: the query that led to its tool. ok is false for a
// call that cannot be one: it failed, tool search does not lead to its tool, no query is
// known to have led there, or that is blank or longer than MaxLabelQuery.
func LabelOfCall(rep *Report, c Call) (q LabelledQuery, ok bool) {
	switch c.Status {
	case Found, Below, NoMatch:
	default:
		return LabelledQuery{}, false
	}
	text := strings.TrimSpace(Mask(strings.ToValidUTF8(c.Led, "\uFFFD")))
	if text == "" || !c.Answered || c.Failed || utf8.RuneCountInString(text) > MaxLabelQuery {
		return LabelledQuery{}, false
	}
	s := rep.Sessions[c.Session]
	sum := sha256.Sum256([]byte(labelKey(text)))
	q = LabelledQuery{ID: "replay-" + hex.EncodeToString(sum[:6]), Text: text, Relevant: []string{c.Tool.Qualified}, Source: string(s.Agent), Session: s.ID, When: c.When}
	if c.Status != Found && c.Led == c.Query && len(rep.Rankers) > 0 {
		q.Missed = []string{rep.Rankers[0]}
	}
	return q, true
}

// labelKey returns a query without differences that make no other query.
func labelKey(text string) string { return strings.Join(strings.Fields(strings.ToLower(text)), " ") }

// LabelLines returns labels as JSON Lines, as package labels reads them: id, query,
// relevant, source, session and, where there are any, when and missed_by. Characters that act on a
// terminal, or that nobody sees, are escaped.
func LabelLines(queries []LabelledQuery) []byte {
	var out bytes.Buffer
	for _, q := range queries {
		e := jsontext.NewEncoder(&out)
		text := func(tokens ...string) {
			for _, t := range tokens {
				e.WriteToken(jsontext.String(strings.ToValidUTF8(t, "\uFFFD"))) // a buffer takes everything
			}
		}
		e.WriteToken(jsontext.BeginObject)
		text("id", q.ID, "query", q.Text, "relevant")
		e.WriteToken(jsontext.BeginArray)
		text(q.Relevant...)
		e.WriteToken(jsontext.EndArray)
		text("source", q.Source, "session", q.Session)
		if !q.When.IsZero() {
			text("when", q.When.UTC().Format(time.RFC3339))
		}
		if len(q.Missed) > 0 {
			text("missed_by")
			e.WriteToken(jsontext.BeginArray)
			text(q.Missed...)
			e.WriteToken(jsontext.EndArray)
		}
		e.WriteToken(jsontext.EndObject)
	}
	return safetext.EscapeUnseen(out.Bytes())
}
