package live

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"
	"testing"
	"testing/iotest"

	"caliper/model"
	"caliper/model/jsontree"
)

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

// Whatever the files of Claude Code hold, a server is off with a reason or as its entry has
// it, two readings agree, and no fault repeats a value.
func FuzzReadClaudeRules(f *testing.F) {
	f.Add(`{"projects":{"/p":{"disabledMcpServers":["a"],"disabledMcpjsonServers":["b"]}}}`, `{"permissions":{"deny":["mcp__a__r*","mcp__b"]}}`)
	f.Add(`{"projects":[]}`, `{"allowedMcpServers":[{"serverName":"a"},{"serverUrl":"SECRET"}],"deniedMcpServers":[{"serverCommand":["SECRET"]}]}`)
	f.Add(`{`, `{"disabledMcpjsonServers": SECRET`)
	f.Fuzz(func(t *testing.T, state, settings string) {
		text := ""
		for range 2 {
			c := parsed(t, ".mcp.json", []byte(`{"mcpServers":{"a":{"command":"x"},"b":{"url":"u"}}}`))
			rules, faults := ReadClaudeRules("/p", ClaudeFile{"state", []byte(state)}, []ClaudeFile{{"settings", []byte(settings)}})
			rules.Heed(&c, true)
			now := fmt.Sprint(faults)
			for _, s := range c.Servers {
				now += "\n" + describe(s)
				if !s.Enabled && s.Off == "" {
					t.Errorf("%s is off without a reason", s.Name)
				}
			}
			if text != "" && text != now {
				t.Errorf("%s, then %s", text, now)
			}
			if text = now; strings.Contains(fmt.Sprint(faults), "SECRET") {
				t.Errorf("a fault repeats a value: %s", faults)
			}
		}
	})
}

// Whatever a server lists, the dump is JSON, and what could be read is named.
func FuzzReadTool(f *testing.F) {
	f.Add([]byte(oddTool))
	f.Add([]byte(`{"name":"a","name":"b","inputSchema":1,"inputSchema":{}}`))
	f.Add([]byte(`{"name":"a"} {}`))
	f.Add([]byte(`[{"name":"a"}]`))
	f.Fuzz(func(t *testing.T, raw []byte) {
		tool, ok := readTool(raw)
		if ok != (ok && tool.name != "" && json.Valid(raw)) {
			t.Fatalf("%q is read as %q", raw, tool.name)
		}
		data, _ := Dump([]Listing{{Server: "s", Tools: []json.RawMessage{raw}}}, model.HermesNaming)
		if !json.Valid(data) {
			t.Fatalf("%q", data)
		}
		if name := string(jsontree.Encode(model.HermesNaming.ToolName("s", tool.name))); ok && !strings.Contains(string(data), `"function":{"name":`+name) {
			t.Fatalf("%q is not in %s", tool.name, data)
		}
	})
}

func FuzzParseEnvFile(f *testing.F) {
	f.Add([]byte("A='x'\nB=\"\\\""))
	f.Fuzz(func(t *testing.T, data []byte) {
		list, err := ParseEnvFile("x", data)
		if err != nil && strings.Contains(err.Error(), string(data)) && len(data) > 20 {
			t.Error("repeats the file")
		}
		for _, v := range list {
			if name, _, ok := strings.Cut(v, "="); !ok || !envName().MatchString(name) {
				t.Errorf("%q", v)
			}
		}
	})
}

// messages returns what the lines of an output are taken for, and the fault
// that ends them.
func messages(r io.Reader, most int) (all []string, fault error) {
	l := newLines(redactor{}, most)
	done := make(chan struct{})
	go func() {
		l.readAll(r)
		close(done)
	}()
	for {
		select {
		case m := <-l.incoming:
			all = append(all, string(m))
		case <-done:
			return all, l.failure()
		}
	}
}

// Lines are what stands between line feeds, however they come.
func FuzzServerLines(f *testing.F) {
	f.Add([]byte("{}\r\n\n [1]\n{\"a\":\"\xff\"}\n{\"half\":"), uint16(64))
	f.Add([]byte("hello\n{}"), uint16(3))
	f.Add([]byte("{\"a\":{\"nextCursor\":\"x\"}}"), uint16(100))
	f.Fuzz(func(t *testing.T, data []byte, most uint16) {
		got, err := messages(bytes.NewReader(data), int(most))
		again, err2 := messages(iotest.OneByteReader(bytes.NewReader(data)), int(most))
		if strings.Join(got, "\n") != strings.Join(again, "\n") || (err == nil) != (err2 == nil) || err != nil && err.Error() != err2.Error() {
			t.Fatalf("%q: %q and %v, byte by byte %q and %v", data, got, err, again, err2)
		}
		if err == nil {
			t.Fatalf("%q: no fault, and no end", data)
		}
		var want []string
		lines := bytes.Split(data, []byte("\n"))
		for i, line := range lines {
			last := i == len(lines)-1
			trimmed := bytes.TrimSpace(line)
			size := len(line)
			if !last {
				size++
			}
			if size > int(most) || last && !json.Valid(line) || len(trimmed) > 0 && trimmed[0] != '{' && trimmed[0] != '[' {
				break
			}
			if len(trimmed) > 0 {
				want = append(want, string(trimmed))
			}
		}
		if !errors.Is(err, ErrTooDeep) && strings.Join(got, "\n") != strings.Join(want, "\n") {
			t.Fatalf("%q: %q and %v, want %q", data, got, err, want)
		}
		// The stream of events is looked at alike in whatever parts it comes.
		var whole, parts eventInspector
		err = whole.inspect(data)
		err2 = nil
		for i := 0; i < len(data) && err2 == nil; i++ {
			err2 = parts.inspect(data[i : i+1])
		}
		if err != err2 || err == nil && (whole.message.depth != parts.message.depth || whole.message.inString != parts.message.inString) {
			t.Fatalf("%q: %v and %v", data, err, err2)
		}
	})
}

// Braces name variables or stand for themselves; nothing else of a text
// changes.
func FuzzExpandBraces(f *testing.F) {
	for _, seed := range []string{"${A}", "a${A:-b}c", "${env:A}${input:x y}${", "$${A}}", "${A:-${B}}", "${/}", "${}", "${1}"} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, text string) {
		const mark = "\x00\x01"
		asked := 0
		got := expandBraces(text, func(name, fallback string, has bool) string {
			asked++
			if name == "" || strings.ContainsAny(name, "}") || !has && fallback != "" {
				t.Fatalf("asked for %q, %q", name, fallback)
			}
			if id, ok := strings.CutPrefix(name, "input:"); !isVariable(name) && (!ok || id == "") {
				t.Fatalf("asked for %q", name)
			}
			return mark
		})
		if !strings.Contains(text, "${") && got != text {
			t.Fatalf("%q becomes %q", text, got)
		}
		if asked == 0 && !strings.Contains(text, "${/}") && !strings.Contains(text, "${pathSeparator}") && got != text {
			t.Fatalf("%q becomes %q", text, got)
		}
		if !strings.Contains(text, mark) && strings.Count(got, mark) != asked {
			t.Fatalf("%q: %d values in %q", text, asked, got)
		}
		// Variables that stand for themselves leave the text as it is.
		same := expandBraces(text, func(name, fallback string, has bool) string {
			if has {
				name += ":-" + fallback
			}
			return "${" + name + "}"
		})
		if same != text && !strings.Contains(text, "${env:") && !strings.Contains(text, "${/") && !strings.Contains(text, "${pathSeparator") {
			t.Fatalf("%q becomes %q", text, same)
		}
	})
}

// The arguments of a command are shown one for one, without values marked as a
// secret and without user information of addresses.
func FuzzShownArgs(f *testing.F) {
	f.Add("-y\n--proxy=http://u:p@h\n--header\nX: y", "sesame")
	f.Add("-e\nNAME=value\nhttp://h?a=b#c", "--a=b")
	f.Add("--key", "k=v")
	f.Fuzz(func(t *testing.T, lines, secret string) {
		args := strings.Split(lines, "\n")
		shown, _ := shownArgs(args)
		if len(shown) != len(args) {
			t.Fatalf("%q is shown as %q", args, shown)
		}
		for _, a := range shown {
			if len(userInfos(a)) > 0 {
				t.Fatalf("%q is shown as %q", args, shown)
			}
		}
		if again, _ := shownArgs(shown); !slices.Equal(again, shown) {
			t.Fatalf("%q becomes %q", shown, again)
		}
		if len(secret) < shortestSecret || strings.ContainsFunc(secret, endsAddress) || strings.ContainsAny(secret, "$@/?#%\\=: -") {
			return
		}
		marked := []string{"--api-key", secret, "--token=" + secret, "NAME=" + secret, "-e", "X=" + secret, "http://u:" + secret + "@h", "http://h?k=" + secret}
		shown, secrets := shownArgs(marked)
		if text := strings.Join(shown, "\n"); strings.Contains(text, secret) && !strings.Contains("--api-key\n--token=…NAME=…-eX=…http://h?k=…", secret) {
			t.Fatalf("%q is shown in %q", secret, text)
		}
		if !slices.Contains(secrets, secret) {
			t.Fatalf("%q would not be withheld: %q", secret, secrets)
		}
	})
}
