package live

import (
	"fmt"
	"slices"
	"strings"
	"testing"
)

func TestShownArgs(t *testing.T) {
	for _, c := range []struct{ args, want, secrets string }{
		{"-y|@x/y@latest|/home/me", "-y|@x/y@latest|/home/me", ""},
		{"mcp-remote|https://u:sesame1@h/p?k=sesame2&x=1|--header|Authorization: Bearer sesame3", "mcp-remote|https://h/p?k=…&x=…|--header|Authorization: …", "sesame1|sesame2|sesame3"},
		{"run|-i|--rm|-e|TOKEN|-e|OTHER=sesame|image", "run|-i|--rm|-e|TOKEN|-e|OTHER=…|image", "sesame"},
		{"--env=KEY=sesame|--api-key=sesame-2|--api-key|sesame-3|-H|X-Key:sesame-4", "--env=KEY=…|--api-key=…|--api-key|…|-H|X-Key:…", "sesame|sesame-2|sesame-3|sesame-4"},
		{"TOKEN=sesame|server|--access-token|--verbose", "TOKEN=…|server|--access-token|--verbose", "sesame"},
		{"ghp_sesame|--key|${KEY}|--header|A:${KEY}|--token|${KEY:-sesame2}", "…|--key|${KEY}|--header|A:${KEY}|--token|…", "ghp_sesame|${KEY:-sesame2}"},
		{"--proxy=http://u:sesame@h:1/x|proxy=http://sesame@h|a://u:sesame3@b,c://u:sesame4@d", "--proxy=http://h:1/x|proxy=http://h|a://b,c://d", "sesame|sesame3|sesame4|u:sesame"},
		{"--mode=fast|path=/x|a.b:c", "--mode=fast|path=/x|a.b:c", ""},
	} {
		shown, secrets := shownArgs(strings.Split(c.args, "|"))
		if got := strings.Join(shown, "|"); got != c.want || c.secrets == "" && secrets != nil {
			t.Errorf("%s: shown are %s, withheld are %q", c.args, got, secrets)
		}
		for s := range strings.SplitSeq(c.secrets, "|") {
			if s != "" && !slices.Contains(secrets, s) {
				t.Errorf("%s: %s would not be withheld", c.args, s)
			}
		}
		if c.secrets != "" && !slices.Contains(Stdio("x", "c", strings.Split(c.args, "|")...).hidden().secrets, strings.Split(c.secrets, "|")[0]) {
			t.Errorf("%s: a server's messages would show a secret", c.args)
		}
		s := Stdio("x", "c", strings.Split(c.args, "|")...).WithEnv("E", "sesame-env")
		if text := fmt.Sprintf("%v %+v %#v", s, s, s); strings.Contains(text, "sesame") || !slices.Equal(s.Env, []string{"E"}) {
			t.Errorf("%s: shows %s", c.args, text)
		}
	}
}

func FuzzSplitCommand(f *testing.F) {
	f.Add(`npx -y "a b" 'c' d\ e`)
	f.Add("\"\\")
	f.Fuzz(func(t *testing.T, line string) {
		words, err := SplitCommand(line)
		if err != nil {
			return
		}
		if len(words) == 0 || words[0] == "" {
			t.Fatalf("%q: %q", line, words)
		}
		// Words in single quotes come back as they are.
		for i, w := range words {
			if strings.ContainsAny(w, "'\uFFFD") {
				return
			}
			words[i] = "'" + w + "'"
		}
		again, err := SplitCommand(strings.Join(words, " "))
		if err != nil || "'"+strings.Join(again, "' '")+"'" != strings.Join(words, " ") {
			t.Fatalf("%q: %q, %v", line, again, err)
		}
	})
}
