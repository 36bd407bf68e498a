package report

import (
	"strings"
	"testing"

	"caliper/engine/rescue"
	"caliper/engine/rescue/fetch"
	"caliper/model/require"
)

// rescuing returns what becomes of a text that mcp_harbor_tow returned.
func (c subject) rescuing(t tester, text string, l rescue.Limits, requests ...fetch.Request) Rescued {
	t.Helper()
	src := []byte(text)
	m := rescue.Meta{
		ID: strings.Repeat("0123456789abcdef", 4), Tool: "mcp_harbor_tow", Bytes: int64(len(text)),
		Chars: rescue.CountChars([]byte(text)), Lines: rescue.CountLines([]byte(text)), Kind: rescue.Detect([]byte(text)),
	}
	r := Rescued{File: "/home/somebody/secret/tow.log", Tool: m.Tool, Limits: l}
	r.Meta, r.OriginalTokens, r.Decision = m, m.Chars/4, rescue.Decide(c.Snapshot.Registry, l, m.Tool, m.Chars)
	if !r.Rescue {
		return r
	}
	var err error
	if r.Preview, err = rescue.Handle(src, m, l); err != nil {
		t.Fatal(err)
	}
	r.HandleTokens = r.Preview.Chars / 4
	for _, q := range requests {
		a, err := fetch.NewReader(src, m).Do(q, l)
		require.NoError(t, err)
		n := rescue.CountChars([]byte(a.Text))
		r.Slices = append(r.Slices, Slice{Typed: q.Mode, Holds: "some | of it", Text: a.Text, Chars: n, Tokens: n / 4})
	}
	return r
}

func TestResultsGolden(t *testing.T) {
	c := on(t, harbour, harbourConfig, "")
	l := rescue.Default()
	l.MaxResultChars, l.ExcerptMaxChars, l.HeadLines, l.TailLines = 1000, 900, 3, 2
	text := strings.Repeat("a tug tows @you\n```\n# no heading\n", 60)
	pasted := c.rescuing(t, text, l)
	pasted.Pasted = true
	for name, got := range map[string]string{
		"results":        md(c.Case.Results(c.rescuing(t, text, l, fetch.Request{Mode: fetch.Outline}, fetch.Request{Mode: fetch.Range, Start: 4, Count: 3}))),
		"results_whole":  md(c.Case.Results(c.rescuing(t, "short", l))),
		"results_pasted": md(c.Case.Results(pasted)),
	} {
		golden(t, name, got)
	}
}
