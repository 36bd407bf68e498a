package live

import (
	"bytes"
	"context"
	"encoding/base64"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"testing"
	"unicode"

	"caliper/model"
	"caliper/model/require"
	"caliper/model/safetext"

	"github.com/modelcontextprotocol/go-sdk/mcp"
	"pgregory.net/rapid"
)

func TestMessage(t *testing.T) {
	r := newRedactor([]string{"se same/+", "sesame", "sesame-and-more", "abc", "held]", ""})
	for text, want := range map[string]string{
		"a sesame-and-more b sesame":                             "a [withheld] b [withheld]",
		"?q=se+same%2F%2B&r=se%20same%2F+&s=abc":                 "?q=[withheld]&r=[withheld]&s=[withheld]",
		"an abcde, 'ABC' and cabc":                               "an abcde, '[withheld]' and cabc",
		"SESAME sEsAmE %53esam%65 %73%65%73%61%6D%65 ses%41%4De": "[withheld] [withheld] [withheld] [withheld] [withheld]",
		`k=se%20same/%2b \u0073esame\/ "sesame"`:                 `k=[withheld] [withheld]\/ "[withheld]"`,
		"736573616d65 736573616D65":                              "[withheld] [withheld]",
		"c2VzYW1l bWU6c2VzYW1l YTpzZXNhbWU=":                     "[withheld] bWU6[withheld] YTp[withheld]U=",
		"sesame%0Dand%0Dmore":                                    "[withheld]%0Dand%0Dmore", // only letters have two cases
		"https://u:p@h says [withheld]":                          "https://[withheld]@h says [withheld]",
		"a\x1b[31mred\x1b[0m\r\nb\x00\xffc\u202e":                "ared b \uFFFDc",
	} {
		if got := r.message(text); got != want {
			t.Errorf("%q: %q", text, got)
		}
	}
}

// A secret that looks like an escape, in JSON.
func TestSecretThatLooksLikeAnEscape(t *testing.T) {
	const secret = `%25    "`
	r := newRedactor([]string{secret})
	for _, text := range []string{secret, `%25    \"`, `%2525++++%22`, `%25%20   \u0022`} {
		if got := r.redact("<"+text+">", 0); got != "<"+withheld+">" {
			t.Errorf("%q is shown as %q", text, got)
		}
	}
}

// What depends on a secret alone is withheld in every spelling of it.
func TestSpellings(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		secret := rapid.StringMatching(`[ -~é]{8,40}`).Draw(t, "secret")
		r := newRedactor([]string{secret})
		quoted, _ := json.Marshal(secret)
		for _, text := range []string{secret, strings.ToUpper(secret), strings.ToLower(secret), url.QueryEscape(secret), url.PathEscape(secret),
			strings.ToLower(url.QueryEscape(secret)), string(quoted[1 : len(quoted)-1]), hex.EncodeToString([]byte(secret))} {
			if got := r.redact("<"+text+">", 0); got != "<"+withheld+">" {
				t.Fatalf("%q is shown as %q", text, got)
			}
		}
		for _, escaped := range []string{escapedBy("%%%02X", secret), escapedBy("%%%02x", secret), escapedBy(`\u%04x`, secret)} {
			if got := r.redact("<"+escaped+">", 0); got != "<"+withheld+">" {
				t.Fatalf("%q is shown as %q", escaped, got)
			}
		}
		before := strings.Repeat("x", rapid.IntRange(0, 5).Draw(t, "before"))
		for _, e := range []*base64.Encoding{base64.StdEncoding, base64.URLEncoding, base64.RawStdEncoding} {
			text := e.EncodeToString([]byte(before + secret))
			got := r.redact(text, 0)
			if !strings.Contains(got, withheld) || len(strings.Replace(got, withheld, "", 1)) > (len(before)*8+5)/6+3 {
				t.Fatalf("%q is shown as %q", text, got)
			}
		}
	})
}

// escapedBy writes every byte in a format, letters in upper case.
func escapedBy(format, s string) string {
	var b strings.Builder
	for _, c := range []byte(s) {
		if 'a' <= c && c <= 'z' {
			c -= 'a' - 'A'
		}
		fmt.Fprintf(&b, format, c)
	}
	return b.String()
}

// Of a text in Base64 just those digits are withheld that the secret alone
// decides, which are those that stay whatever stands around it.
func TestDigitsOfSecrets(t *testing.T) {
	const secret = "Open sesame, AZ!"
	r := newRedactor([]string{secret})
	for before := range 7 {
		for behind := range 4 {
			texts := make([]string, 2)
			for i, filler := range []byte{0x00, 0xff} {
				around := bytes.Repeat([]byte{filler}, before+behind)
				texts[i] = base64.StdEncoding.EncodeToString(slices.Concat(around[:before], []byte(secret), around[before:]))
			}
			text, from, to := texts[0], 0, len(texts[0])
			for texts[0][from] != texts[1][from] {
				from++
			}
			for end := len(strings.TrimRight(text, "=")); to > end || texts[0][to-1] != texts[1][to-1]; {
				to--
			}
			if behind == 0 && (before+len(secret))%3 != 0 {
				to-- // the last digit is filled up with bits of nobody
			}
			if got, want := r.redact(text, 0), text[:from]+withheld+text[to:]; got != want {
				t.Errorf("%d bytes before and %d behind: %q is shown as %q, want %q", before, behind, text, got, want)
			}
		}
	}
}

func TestQuotation(t *testing.T) {
	r := newRedactor([]string{"sesame"})
	for line, want := range map[string]string{
		"\uFEFF{\"a\":1}":             `"�{\"a\":1}"`,
		"\x1b[32m{} sesame":           `"␛[32m{} [withheld]"`,
		strings.Repeat("sesame", 1e6): `"` + strings.Repeat(withheld, 12) + `…"`,
	} {
		if got := r.quotation([]byte(line)); got != want {
			t.Errorf("%.20q: %s, want %s", line, got, want)
		}
	}
}

// The end of a secret whose beginning is not kept any more is not shown, even
// where the secrets behind it leave room for it.
func TestTailHidesTheRestOfASecret(t *testing.T) {
	secret := strings.Repeat("S", 99) + "E"
	x := &tail{redactor: newRedactor([]string{secret})}
	x.Write([]byte(strings.Repeat(secret, 200)))
	if got := x.String(); strings.ReplaceAll(got, withheld, "") != "" {
		t.Errorf("shows %.200q", got)
	}
	// So it is with the user information of an address, of whomever it is.
	x = &tail{}
	x.Write([]byte("http://user:" + strings.Repeat("p", maxStderr) + "@h is wrong\n"))
	if got := x.String(); got != "h is wrong" {
		t.Errorf("shows %.200q", got)
	}
}

// However the writes fall, no secret is shown, nor the end of one.
func TestTailHidesSecrets(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		secret := strings.Repeat("S", rapid.IntRange(shortestSecret, 3000).Draw(t, "length")-1) + "E"
		x := &tail{redactor: newRedactor([]string{secret})}
		for range rapid.IntRange(1, 8).Draw(t, "writes") {
			text := strings.Repeat("x", rapid.IntRange(0, 5000).Draw(t, "before")) + secret
			at := rapid.IntRange(0, len(text)).Draw(t, "at")
			x.Write([]byte(text[:at]))
			x.Write([]byte(text[at:]))
		}
		got := strings.ReplaceAll(x.String(), withheld, "")
		if strings.ContainsAny(got, "SE") || len(got) > maxStderr {
			t.Fatalf("%d bytes: %q", len(got), got)
		}
	})
}

// TestWritten: a secret is found to its end however each of its bytes is written, also where
// its own bytes look like escapes.
func TestWritten(t *testing.T) {
	if got := written(`\q`, "\x00"); got != 0 {
		t.Errorf("an escape that is none is read as a secret's byte 0, up to %d", got)
	}
	rapid.Check(t, func(t *rapid.T) {
		secret := rapid.StringOfN(rapid.RuneFrom([]rune("%25u0/\\ na\"")), 1, 6, -1).Draw(t, "secret")
		text := ""
		for i := range len(secret) {
			ways := []string{secret[i : i+1], fmt.Sprintf("%%%02x", secret[i]), fmt.Sprintf(`\u00%02x`, secret[i])}
			switch secret[i] {
			case ' ':
				ways = append(ways, "+")
			case '/', '\\', '"':
				ways = append(ways, `\`+secret[i:i+1])
			}
			text += rapid.SampledFrom(ways).Draw(t, "written")
		}
		if got := written(text, secret); got != len(text) {
			t.Fatalf("%q is written %q, and read up to %d", secret, text, got)
		}
		if got := written(text[:len(text)-1], secret); got >= len(text) {
			t.Fatalf("%q is not in %q, read up to %d", secret, text[:len(text)-1], got)
		}
	})
}

// shownInfo returns the user information that a text would show.
func shownInfo(text string) string {
	for _, s := range userInfos(text) {
		if info := text[s[0]:s[1]]; info != withheld {
			return info
		}
	}
	return ""
}

// isPlain reports whether a secret is one that cleaning a text leaves as it is.
func isPlain(secret string) bool {
	return plain(secret) == secret && safetext.Line(secret) == secret && !strings.Contains(withheld, secret) && !strings.Contains(secret, "[withheld")
}

// Neither a secret nor the user information of an address is in the shown part
// of a text, however it is cut, and cleaning twice is cleaning once.
func FuzzRedactor(f *testing.F) {
	f.Add("sesame", "a %53esame b\x1b[1mses\u200bame http://u:p@h", 3)
	f.Add("p@ss", "http://u:p%40ss@h/?x=1 postgres:\\/\\/u:p@h", 9)
	f.Add("[with", "[withheld]", 0)
	f.Add("aaaa", "aaaaaaaaa", 5)
	f.Fuzz(func(t *testing.T, secret, text string, cut int) {
		r := newRedactor([]string{secret})
		at := min(max(cut, 0), len(text))
		text = text[:at] + secret + text[at:]
		message := r.message(text)
		x := &tail{redactor: r}
		_, _ = x.Write([]byte(text[:at]))
		_, _ = x.Write([]byte(text[at:]))
		quotation, err := strconv.Unquote(r.quotation([]byte(text)))
		require.NoError(t, err)
		for name, got := range map[string]string{"message": message, "quotation": quotation, "tail": x.String()} {
			if info := shownInfo(got); info != "" {
				t.Fatalf("%s shows the user information %q: %q", name, info, got)
			}
			between := strings.ReplaceAll(got, withheld, "\x00")
			if len(secret) >= shortestSecret && isPlain(secret) && strings.Contains(lowerASCII(between), lowerASCII(secret)) {
				t.Fatalf("%s shows %q: %q", name, secret, got)
			}
		}
		if again := r.message(message); again != message {
			t.Fatalf("%q becomes %q", message, again)
		}
		if strings.ContainsFunc(message, unicode.IsControl) {
			t.Fatalf("%q has control characters", message)
		}
	})
}

// expanded returns the one server of a client's configuration, with a value for each variable.
func expanded(t *testing.T, config, value string) Server {
	c, err := ParseClientConfig("mcp.json", []byte(config))
	if err != nil {
		t.Fatal(err)
	}
	s, err := c.Servers[0].Expand(func(string) (string, bool) { return value, true })
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// TestSecretsOfCopies: what a copy of a server is given does not take the place of what another was given.
func TestSecretsOfCopies(t *testing.T) {
	of := hidden{secrets: make([]string, 1, 64), keys: make([]string, 1, 64)}
	one, other := of, of
	one.env, other.env = []pair{{name: "A_TOKEN", value: "sesame-1"}}, []pair{{name: "A_TOKEN", value: "sesame-2"}}
	one.collectSecrets()
	other.collectSecrets()
	if !slices.Contains(one.secrets, "sesame-1") || !slices.Contains(one.keys, "sesame-1") || !slices.Contains(other.keys, "sesame-2") {
		t.Errorf("%q and %q are withheld, and %q", one.secrets, one.keys, other.keys)
	}
}

// TestRepeatedSecrets: a secret that a server was given is withheld from its words about
// itself, wherever and however it stands there, and other values stay.
func TestRepeatedSecrets(t *testing.T) {
	for _, c := range []struct {
		name   string
		server Server
		env    []string
		text   string // of a description
		want   string // empty: the same
	}{
		{"a token of the environment", Stdio("x", "c").WithEnv("API_TOKEN", "tok-51abc"), nil, "Signed in with tok-51abc.", "Signed in with [withheld]."},
		{"in base64, and in upper case", Stdio("x", "c").WithEnv("API_TOKEN", "tok-51abc"), nil, "dG9rLTUxYWJj TOK-51ABC", "[withheld] [withheld]"},
		{"of a header", remote(t, HTTPTransport, "https://h/mcp", "X-Api-Key: tok-51abc"), nil, "with tok-51abc", "with [withheld]"},
		{"a bearer", remote(t, HTTPTransport, "https://h/mcp", "Authorization: Bearer tok-51abc"), nil, "with tok-51abc", "with [withheld]"},
		{"a login", remote(t, HTTPTransport, "https://h/mcp", "Authorization: Basic bWU6dG9rLTUxYWJj"), nil, "with tok-51abc", "with [withheld]"},
		{"of a query", remote(t, HTTPTransport, "https://h/mcp?api_key=tok-51abc&mode=readonly"), nil, "readonly with tok-51abc", "readonly with [withheld]"},
		{"of a path", remote(t, HTTPTransport, "https://h/s/a1b2c3d4e5f6a7b8c9/mcp"), nil, "at a1b2c3d4e5f6a7b8c9", "at [withheld]"},
		{"of user information", remote(t, HTTPTransport, "https://me:tok-51abc@h/mcp"), nil, "with tok-51abc", "with [withheld]"},
		{"of an option", Stdio("x", "c", "--token", "tok-51abc"), nil, "with tok-51abc", "with [withheld]"},
		{"of an option, joined", Stdio("x", "c", "--api-key=tok-51abc=="), nil, "with tok-51abc==", "with [withheld]"},
		{"of a header among the arguments", Stdio("x", "c", "--header", "Authorization: Bearer tok-51abc"), nil, "with tok-51abc", "with [withheld]"},
		{"of a variable among the arguments", Stdio("x", "c", "-e", "DB_PASSWORD=tok-51abc"), nil, "with tok-51abc", "with [withheld]"},
		{"of the user's own environment", Stdio("x", "c"), []string{"GITHUB_TOKEN=tok-51abc"}, "with tok-51abc", "with [withheld]"},
		{"of a name that says nothing", Stdio("x", "c").WithEnv("WORKSPACE", "a1b2c3d4e5f6a7b8c9"), nil, "in a1b2c3d4e5f6a7b8c9", "in [withheld]"},
		{"a key of a service, of such a name", Stdio("x", "c").WithEnv("WORKSPACE", "hf_abcdefghijklmnop"), nil, "in hf_abcdefghijklmnop", "in [withheld]"},
		{"of short names", Stdio("x", "c").WithEnv("BOT_TOK", "tok-51abc").WithEnv("SIGNING_PASSPHRASE", "a tall ship"), nil, "with tok-51abc of a tall ship", "with [withheld] of [withheld]"},
		{"of a file of variables", Stdio("x", "c").WithEnvFile([]string{"API_TOKEN=tok-51abc"}), nil, "with tok-51abc", "with [withheld]"},
		{"of a variable of such a name, in an address", expanded(t, `{"mcpServers":{"a":{"url":"https://h/${API_TOKEN}/mcp"}}}`, "tok-51abc"), nil, "with tok-51abc", "with [withheld]"},
		{"a word, in prose", Stdio("x", "c").WithEnv("PASSWORD", "swordfish"), nil, "The password is swordfish, not swordfishes.", "The password is [withheld], not swordfishes."},
		{"with characters between that nobody sees", Stdio("x", "c").WithEnv("API_TOKEN", "tok-51abc"), nil, "with tok\u200b-51\u00adabc, at\ufeff last", "with [withheld], at last"},
		{"such characters without a secret", Stdio("x", "c").WithEnv("API_TOKEN", "tok-51abc"), nil, "at\u200b last", ""},
		{"a word by itself", Stdio("x", "c").WithEnv("PASSWORD", "swordfish"), nil, "swordfish", ""},
		{"a word that descriptions have anyway", Stdio("x", "c").WithEnv("POSTGRES_PASSWORD", "postgres"), nil, "Asks a postgres database.", ""},
		{"a mode", Stdio("x", "c").WithEnv("MODE", "production"), nil, "In production this asks first.", ""},
		{"a folder", Stdio("x", "c", "/home/me/notes-2026"), nil, "Reads /home/me/notes-2026.", ""},
		{"a number", Stdio("x", "c").WithEnv("MAX_TOKENS", "100000"), nil, "At most 100000 tokens.", ""},
		{"a switch", Stdio("x", "c"), []string{"TOKENIZERS_PARALLELISM=true"}, "Is true by default.", ""},
		{"user information of an example", Stdio("x", "c").WithEnv("API_TOKEN", "tok-51abc"), nil, "Such as postgres://user:pass@host/db.", ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			if c.want == "" {
				c.want = c.text
			}
			x := &session{server: c.server, o: Options{Env: c.env}}
			given := []json.RawMessage{json.RawMessage(`{"name":"a","description":"` + c.text + `"}`)}
			l := x.repetitions().clean(Listing{Instructions: c.text, Title: c.text, Tools: given})
			if want := `{"name":"a","description":"` + c.want + `"}`; string(l.Tools[0]) != want || l.Instructions != c.want || l.Title != c.want {
				t.Errorf("instructions %q, title %q, %s, want %q", l.Instructions, l.Title, l.Tools[0], c.want)
			}
			repeats := []string{"instructions", "title", "tool a"}
			if c.want == c.text {
				repeats = nil
			}
			if !slices.Equal(l.Repeats, repeats) {
				t.Errorf("repeats %q", l.Repeats)
			}
		})
	}
}

// TestRepeatedInJSON: a secret is withheld from keys, escapes and names, and no other byte
// changes.
func TestRepeatedInJSON(t *testing.T) {
	r := repeated{newRedactor([]string{`tök"51/abc`}), redactorOf(nil, nil)}
	for given, want := range map[string]string{
		`{"tök\"51/abc" : 1,  "b":"t\u00f6k\u0022\u0035\u0031\/abc" }`: `{"[withheld]" : 1,  "b":"[withheld]" }`,
		`{"a":1e400,"a":"\ud800","c":"\\\"","d":[]}`:                   "",
		`{"a":"x`: "",
		`"\`:      "",
	} {
		if want == "" {
			want = given
		}
		if got := string(r.value(json.RawMessage(given))); got != want {
			t.Errorf("%s becomes %s, want %s", given, got, want)
		}
	}
}

// TestRepeatedTokenIsInNoDump: the token with which a user is signed in, or that the
// configuration has, is in no part of a dump, and the listing says where the server
// repeats it.
func TestRepeatedTokenIsInNoDump(t *testing.T) {
	const secret = "tok-51abc-SECRET"
	web := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		given := strings.TrimPrefix(r.Header.Get("Authorization"), "Bearer ")
		s := mcp.NewServer(&mcp.Implementation{Name: "x", Title: "of " + given, Version: given}, &mcp.ServerOptions{Instructions: "You are " + given + "."})
		s.AddTool(&mcp.Tool{Name: "whoami", Description: "As " + given, Title: given, InputSchema: json.RawMessage(`{"type":"object","properties":{"as":{"type":"string","default":"` + given + `"}}}`),
			Meta: mcp.Meta{given: given}}, nil)
		s.AddTool(&mcp.Tool{Name: "plain", Description: "Does nothing.", InputSchema: json.RawMessage(`{"type":"object"}`)}, nil)
		mcp.NewStreamableHTTPHandler(func(*http.Request) *mcp.Server { return s }, &mcp.StreamableHTTPOptions{Stateless: true}).ServeHTTP(w, r)
	}))
	defer web.Close()
	for _, c := range []struct {
		server Server
		o      Options
	}{{remote(t, HTTPTransport, web.URL, "Authorization: Bearer "+secret), Options{}}, {remote(t, HTTPTransport, web.URL), Options{Token: func(context.Context, string) (string, error) { return secret, nil }}}} {
		l, err := List(t.Context(), c.server, c.o)
		require.NoError(t, err)
		dump, _ := Dump([]Listing{l}, model.HermesNaming)
		if strings.Contains(string(dump), secret) || strings.Count(string(dump), withheld) != 8 {
			t.Errorf("the dump is %s", dump)
		}
		if want := []string{"instructions", "title", "version", "tool whoami"}; !slices.Equal(l.Repeats, want) {
			t.Errorf("repeats %q, want %q", l.Repeats, want)
		}
		if w := l.Warnings(); len(w) != 1 || w[0] != "instructions, title, version and 1 more repeat a secret that the server was given, which is there as [withheld]" {
			t.Errorf("warns %q", w)
		}
	}
}
