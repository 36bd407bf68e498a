package report

import (
	"strings"
	"testing"
)

// drawn is a chart with a caption.
type drawn string

func (d drawn) SVG() string     { return "<svg></svg>" }
func (d drawn) Caption() string { return string(d) }

// TestHTML: every kind of block is on the page, and no foreign text is markup on it.
func TestHTML(t *testing.T) {
	const hostile = "<script>alert(1)</script> \x1b[31m & \u202e"
	r := new(Report)
	r.Heading(2, "What is sent")
	r.Say("of %s, %d tokens", Name(hostile), 12345)
	r.Line(Strong("bold"), Faint("pale"), Alarm("red"))
	r.List(Name(hostile), TextOf("second"))
	r.Quote("a\n" + hostile)
	table := Columns("tool", ">tokens")
	table.Row(Name(hostile), 7)
	table.FaintRow("other", 8)
	table.Ruler("limit")
	r.Table(table)
	r.Sketch(Columns("of characters"), TextOf("what they mean"))
	r.Draw(drawn(hostile))
	page := r.HTML(hostile)
	for _, want := range []string{
		`<nav><a href="#s1">What is sent</a></nav>`, `<h2 id="s1">`, "12,345", "<strong>bold</strong>", `<span class="alarm">red</span>`,
		"<li><code>&lt;script&gt;", `<td class="figure">7</td>`, `<tr class="faint"><td>other</td>`, `colspan="2"`, "</figcaption><svg", "default-src 'none'",
	} {
		if !strings.Contains(page, want) {
			t.Errorf("no %s on\n%s", want, page)
		}
	}
	if strings.Contains(page, "<script") || strings.ContainsAny(page, "\x1b\u202e") || strings.Contains(page, "http") && !strings.Contains(page, "http-equiv") {
		t.Errorf("foreign text acts on\n%s", page)
	}
	if strings.Contains(page, "of characters") || strings.Contains(page, "what they mean") {
		t.Error("the page has a picture of characters beside its chart")
	}
	text, _ := r.Markdown()
	if strings.Contains(text, "svg") || !strings.Contains(text, "of characters") {
		t.Errorf("Markdown has a chart, or no picture of characters:\n%s", text)
	}
	if !strings.Contains(text, "\n| limit |  |\n") {
		t.Errorf("the ruler is no row of Markdown:\n%s", text)
	}
}
