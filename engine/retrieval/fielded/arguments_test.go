package fielded

import (
	"strings"
	"testing"

	"caliper/model"
)

// TestValues: which words of a query are values, and of which kind.
func TestValues(t *testing.T) {
	for text, want := range map[string]string{
		"see https://example.org/a?b=c, please": "a URL https://example.org/a?b=c",
		"open (www.example.org).":               "a URL www.example.org",
		"write to ann@example.org!":             "an e-mail address ann@example.org",
		"read /var/log/mail.log.":               "a path /var/log/mail.log",
		"read `~/notes` and ./x/y":              "a path ~/notes|a path ./x/y",
		`C:\data\a.csv`:                         `a path C:\data\a.csv`,
		"merge a.pdf with src/main.go":          "a path a.pdf|a path src/main.go",
		"读取/etc/hosts文件":                        "a path /etc/hosts",
		"on 2026-11-25, or 25.11.2026":          "a date 2026-11-25|a date 25.11.2026",
		"from 2026-11-25T10:00:00Z":             "a date 2026-11-25T10:00:00Z",
		"save ,;!notes.html and x.jpeg2":        "a path notes.html",
		"on 1-2-6 or 1/12/26 or 1-2-":           "a date 1/12/26",
		"on 12345-1-2 or 2026-1/2 or 1-2-3-4":   "",
		"/x a:b ~x .x www. ftp://x 1://x":       "a URL ftp://x",
		"?? , :!":                               "",
		"/search and/or 1/2 e.g. Next.js":       "",
		"a@b v1.2.3.4 tcp/ip ... -- @ ://":      "",
	} {
		var got []string
		for _, v := range appendValues(nil, []byte(text)) {
			got = append(got, v.kind.String()+" "+text[v.from:v.to])
		}
		if got := strings.Join(got, "|"); got != want {
			t.Errorf("values of %q: %q, want %q", text, got, want)
		}
	}
}

// TestArguments: of tools that are alike, the first is the one that takes what the query
// gives.
func TestArguments(t *testing.T) {
	properties := func(text string) []byte { return []byte(`{"properties":{` + text + `}}`) }
	tools := []*model.Tool{
		newTool("kla_report", model.NoToolset, "Makes a report.", properties(`"topic":{}`)),
		newTool("klb_report", model.NoToolset, "Makes a report.", properties(`"url":{}`)),
		newTool("klc_report", model.NoToolset, "Makes a report.", properties(`"file":{}`)),
		newTool("kld_report", model.NoToolset, "Makes a report.", properties(`"mailTo":{}`)),
		newTool("kle_report", model.NoToolset, "Makes a report.", properties(`"when":{"format":"date-time"}`)),
	}
	without := Default
	without.Arguments = 0
	const url = "make a report of https://zzqx.zzqx"
	if first := index(t, NewCorpus(), tools, nil, without).Search(url, 1).Hits[0]; first.Doc == 1 {
		t.Error("it is first without the component: the test shows nothing")
	}
	x := index(t, NewCorpus(), tools, nil, Default)
	for query, want := range map[string]string{
		url:                                      "klb_report",
		"make a report of /zzqx/zzqx.zzq":        "klc_report",
		"make a report for zzqx@zzqx.zzqx":       "kld_report",
		"make a report of 2026-11-25":            "kle_report",
		"make a report of what is tomorrow":      "kle_report",
		"make a report of https://z.z/ by z@z.z": "klb_report",
	} {
		hits := x.Search(query, 1).Hits
		if got := tools[hits[0].Doc].Name; got != want {
			t.Errorf("%q: %s is first, want %s\n%s", query, got, want, draw(x.Explain(query, hits[0].Doc)))
		}
	}
	const want = "+0.0500 arguments: the query gives a URL and an e-mail address; a parameter takes a URL"
	if text := draw(x.Explain("make a report of https://z.z/ by z@z.z", 1)); !strings.Contains(text, want) {
		t.Errorf("no %q in\n%s", want, text)
	}
}
