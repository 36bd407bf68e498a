package embed

import (
	"strings"
	"testing"
	"unicode/utf8"

	"pgregory.net/rapid"

	"caliper/model"
)

func TestWords(t *testing.T) {
	for in, want := range map[string]string{
		"create_issue":         "create issue",
		"create-issue":         "create issue",
		"createIssue":          "create issue",
		"CreateIssue":          "create issue",
		"parseHTTPResponse2":   "parse http response2",
		"v2Users":              "v2 users",
		"a.b/c:d":              "a b c d",
		"__private__":          "private",
		"URL":                  "url",
		"étéChaud":             "été chaud",
		"查询_天气":                "查询 天气",
		"e\u0301te\u0301Chaud": "e\u0301te\u0301 chaud",
		"Aℂ":                   "aℂ",
		"___":                  "",
		"":                     "",
	} {
		if got := lowerWords(in); got != want {
			t.Errorf("words of %q are %q, not %q", in, got, want)
		}
	}
}

func TestTemplate(t *testing.T) {
	for _, c := range []struct {
		name string
		tool *model.Tool
		want string
	}{
		{"all", tool("create_issue", "Opens an\n\tissue.", "bodyText", "repo_id"), "create issue. Opens an issue. parameters: body text, repo id"},
		{"no full stop", tool("ping", "Pings", "host"), "ping. Pings. parameters: host"},
		{"no description", tool("ping", " \n", "host"), "ping. parameters: host"},
		{"no parameters", tool("ping", "Pings."), "ping. Pings."},
		{"a parameter without words", tool("ping", "", "_", "host"), "ping. parameters: host"},
		{"name only", &model.Tool{Name: "ping"}, "ping"},
		{"no words in the name", tool("__", "Does it."), "Does it."},
		{"nothing", &model.Tool{}, "tool"},
		{"no UTF-8", tool("a", "b\xffc"), "a. b\uFFFDc"},
	} {
		if got := Template(c.tool); got != c.want {
			t.Errorf("%s: %q, not %q", c.name, got, c.want)
		}
	}
}

func TestTemplateIsCutBetweenCharacters(t *testing.T) {
	for shift := range 3 {
		got := Template(tool(strings.Repeat("a", 1+shift), strings.Repeat("天", maxText)))
		if len(got) > maxText || len(got) < maxText-2 || !utf8.ValidString(got) {
			t.Errorf("%d bytes, valid %v", len(got), utf8.ValidString(got))
		}
	}
}

func TestTemplateProperties(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		text := rapid.OneOf(rapid.String(), rapid.Map(rapid.SliceOf(rapid.Byte()), func(b []byte) string { return string(b) }))
		x := tool(text.Draw(t, "name"), text.Draw(t, "description"), rapid.SliceOf(rapid.String()).Draw(t, "parameters")...)
		got := Template(x)
		if got == "" || len(got) > maxText || !utf8.ValidString(got) {
			t.Fatalf("template %q", got)
		}
		if w := lowerWords(x.Name); lowerWords(w) != w {
			t.Fatalf("words of %q change when they are taken again", w)
		}
	})
}
