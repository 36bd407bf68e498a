package terminal

import (
	"io"
	"slices"
	"strings"
	"testing"
	"time"

	tea "github.com/charmbracelet/bubbletea"
	"pgregory.net/rapid"

	_ "caliper/model/require"
)

const replyDark = "\x1b]11;rgb:1e1e/1e1e/2e2e\x1b\\"

// chunks is a terminal that sends its bytes in the given pieces, and then
// goes away.
type chunks struct {
	pieces [][]byte
	end    func()
}

func (c *chunks) Read(p []byte) (int, error) {
	if len(c.pieces) == 0 {
		// Whatever was read before has been received: the reader of bubbletea
		// hands over one message at a time.
		c.end()
		return 0, io.EOF
	}
	n := copy(p, c.pieces[0])
	if c.pieces[0] = c.pieces[0][n:]; len(c.pieces[0]) == 0 {
		c.pieces = c.pieces[1:]
	}
	return n, nil
}

// listener collects the keys and answers that a program is told.
type listener struct{ got []tea.Msg }

func (l *listener) Init() tea.Cmd { return nil }
func (l *listener) View() string  { return "" }
func (l *listener) Update(msg tea.Msg) (tea.Model, tea.Cmd) {
	switch msg := msg.(type) {
	case BurstMsg:
		for _, m := range msg {
			l.Update(m)
		}
	case tea.KeyMsg, BackgroundMsg:
		l.got = append(l.got, msg)
	}
	return l, nil
}

// readByBubbletea runs the pieces through the real input reader, with or
// without a filter, and returns the keys and answers that come out.
func readByBubbletea(t *testing.T, filter *Filter, pieces ...string) []tea.Msg {
	t.Helper()
	in := &chunks{}
	for _, p := range pieces {
		if p != "" {
			in.pieces = append(in.pieces, []byte(p))
		}
	}
	l := &listener{}
	options := []tea.ProgramOption{tea.WithInput(in), tea.WithOutput(io.Discard), tea.WithoutRenderer(), tea.WithoutSignalHandler()}
	if filter != nil {
		options = append(options, tea.WithFilter(filter.Filter))
	}
	p := tea.NewProgram(l, options...)
	in.end = p.Quit
	if _, err := p.Run(); err != nil {
		t.Fatal(err)
	}
	return l.got
}

func TestReplySplitAnywhere(t *testing.T) {
	t.Parallel()
	for _, reply := range []string{replyDark, "\x1b]11;rgb:1e1e/1e1e/2e2e\a", "\x1b]11;rgba:1e/1e/2e/ff\x1b\\"} {
		for i := 0; i <= len(reply); i++ {
			for _, j := range []int{i, min(i+1, len(reply)), min(i+5, len(reply))} {
				got := readByBubbletea(t, NewFilter(true), "a", reply[:i], reply[i:j], reply[j:], "b")
				answered := slices.Contains(got, tea.Msg(BackgroundMsg(true)))
				if text := typed(got); text != "ab" || !answered {
					t.Fatalf("%q | %q | %q: typed %q, answered %v", reply[:i], reply[i:j], reply[j:], text, answered)
				}
			}
		}
	}
}

func TestWithoutQuestionKeysPassUntouched(t *testing.T) {
	t.Parallel()
	pieces := []string{"a", replyDark, "b"}
	if got, want := readByBubbletea(t, NewFilter(false), pieces...), readByBubbletea(t, nil, pieces...); !slices.EqualFunc(got, want, sameMsg) {
		t.Errorf("got %v, want %v", got, want)
	}
}

func TestReplyKeys(t *testing.T) {
	t.Parallel()
	altBracket := tea.KeyMsg{Type: tea.KeyRunes, Runes: []rune{']'}, Alt: true}
	altBackslash := tea.KeyMsg{Type: tea.KeyRunes, Runes: []rune{'\\'}, Alt: true}
	esc := tea.KeyMsg{Type: tea.KeyEsc}
	bell := tea.KeyMsg{Type: tea.KeyCtrlG}
	type step struct {
		after time.Duration
		key   tea.KeyMsg
		want  []tea.Msg
	}
	msgs := func(m ...tea.Msg) []tea.Msg { return m }
	tests := []struct {
		name  string
		steps []step
	}{
		{"answer with BEL", []step{
			{0, altBracket, msgs(altBracket)}, {0, runes("11;rgb:ffff/ffff/ffff"), nil}, {0, bell, msgs(BackgroundMsg(false))}, {0, bell, msgs(bell)},
		}},
		{"alt+] is not delayed", []step{{0, altBracket, msgs(altBracket)}, {0, runes("x"), msgs(runes("x"))}}},
		{"alt+] twice, then the answer", []step{
			{0, altBracket, msgs(altBracket)}, {0, altBracket, msgs(altBracket)}, {0, runes("11;rgb:0/0/0"), nil}, {0, altBackslash, msgs(BackgroundMsg(true))},
		}},
		{"a digit behind alt+] waits for the next key", []step{
			{0, altBracket, msgs(altBracket)}, {0, runes("1"), nil}, {0, runes("2"), msgs(runes("1"), runes("2"))},
		}},
		{"or for time", []step{
			{0, altBracket, msgs(altBracket)}, {0, runes("1"), nil}, {replyPatience, runes("1"), msgs(runes("1"), runes("1"))},
		}},
		{"escape is not delayed", []step{{0, esc, msgs(esc)}, {0, esc, msgs(esc)}, {0, runes("q"), msgs(runes("q"))}}},
		{"bracket behind escape waits while an answer is likely", []step{{0, esc, msgs(esc)}, {0, runes("]"), nil}, {0, runes("1a"), msgs(runes("]"), runes("1a"))}}},
		{"and not later", []step{{replyFresh, esc, msgs(esc)}, {0, runes("]"), msgs(runes("]"))}}},
		{"late answer behind a lost ESC", []step{{replyFresh, esc, msgs(esc)}, {0, runes("]11;rgb:0/0/0"), nil}, {0, bell, msgs(BackgroundMsg(true))}}},
		{"pasted text is no answer", []step{
			{0, altBracket, msgs(altBracket)}, {0, pasted("11;rgb:0/0/0"), msgs(pasted("11;rgb:0/0/0"))}, {0, bell, msgs(bell)},
		}},
		{"answer breaks off", []step{
			{0, altBracket, msgs(altBracket)}, {0, runes("11;rgb:0/0"), nil}, {0, runes("xyz"), msgs(runes("xyz"))}, {0, runes("1"), msgs(runes("1"))},
		}},
		{"escape behind a broken answer is kept", []step{
			{0, altBracket, msgs(altBracket)}, {0, runes("11;rgb:0/0/0"), nil}, {0, esc, nil}, {0, runes("x"), msgs(esc, runes("x"))},
		}},
		{"answer of another form", []step{
			{0, altBracket, msgs(altBracket)}, {0, runes("11;#1e1e2e"), nil}, {0, bell, nil}, {0, bell, msgs(bell)},
		}},
		{"arrow in the middle", []step{
			{0, altBracket, msgs(altBracket)}, {0, tea.KeyMsg{Type: tea.KeyDown}, msgs(tea.KeyMsg{Type: tea.KeyDown})}, {0, runes("11;rgb:0/0/0"), msgs(runes("11;rgb:0/0/0"))},
		}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			now := time.Unix(0, 0)
			r := replyScanner{since: now}
			for i, s := range tt.steps {
				now = now.Add(s.after)
				if got := r.key(s.key, now); !slices.EqualFunc(got, s.want, sameMsg) {
					t.Fatalf("step %d, %q: got %v, want %v", i, s.key, got, s.want)
				}
			}
		})
	}
}

func TestDarkReply(t *testing.T) {
	t.Parallel()
	tests := []struct {
		reply    string
		dark, ok bool
	}{
		{"]11;rgb:0000/0000/0000\a", true, true},
		{"]11;rgb:ffff/ffff/ffff\a", false, true},
		{"]11;rgb:f/f/f\a", false, true},
		{"]11;rgb:28/2c/34\a", true, true},
		{"]11;rgb:fdfd/f6f6/e3e3\x1b\\", false, true},
		{"]11;rgb:7575/7575/7575\a", true, true},
		{"]11;rgb:7878/7878/7878\a", false, true},
		{"]11;rgba:ffff/ffff/ffff/8080\a", false, true},
		{"]11;rgb:ffff\a", false, false},
	}
	for _, tt := range tests {
		if dark, ok := darkReply(tt.reply); dark != tt.dark || ok != tt.ok {
			t.Errorf("darkReply(%q) = %v, %v, want %v, %v", tt.reply, dark, ok, tt.dark, tt.ok)
		}
	}
}

// TestKeysAreNeitherLostNorChanged types anything that is no answer.
func TestKeysAreNeitherLostNorChanged(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		keys := rapid.SliceOf(rapid.Custom(drawKey)).Draw(t, "keys")
		now := time.Unix(0, 0)
		r := replyScanner{since: now}
		var got []tea.Msg
		held := 0
		for _, k := range keys {
			now = now.Add(time.Duration(rapid.IntRange(0, 1500).Draw(t, "ms")) * time.Millisecond)
			got = append(got, r.key(k, now)...)
			if held = len(r.held); held > 4 {
				t.Fatalf("%d keys are kept waiting", held)
			}
		}
		got = append(got, r.release()...)
		want := make([]tea.Msg, len(keys))
		for i, k := range keys {
			want[i] = k
		}
		if !slices.EqualFunc(got, want, sameMsg) {
			t.Fatalf("typed %v, came %v", want, got)
		}
	})
}

// drawKey returns any key, mostly such as an answer is made of, but never all
// of its head in one key.
func drawKey(t *rapid.T) tea.KeyMsg {
	switch rapid.IntRange(0, 5).Draw(t, "kind") {
	case 0:
		return tea.KeyMsg{Type: tea.KeyEsc, Alt: rapid.Bool().Draw(t, "alt")}
	case 1:
		return tea.KeyMsg{Type: rapid.SampledFrom([]tea.KeyType{tea.KeyCtrlG, tea.KeyDown, tea.KeyEnter, tea.KeyTab}).Draw(t, "type")}
	case 2:
		return tea.KeyMsg{Type: tea.KeyRunes, Runes: rapid.SampledFrom([][]rune{{']'}, {'\\'}, {'x'}}).Draw(t, "alt rune"), Alt: true}
	case 3:
		return pasted(rapid.SampledFrom([]string{"11;rgb:0/0/0", "]", "text"}).Draw(t, "pasted"))
	}
	return runes(rapid.SampledFrom([]string{"]", "1", "11", "]1", "q", "é", "課題", "rgb:", "0/0"}).Draw(t, "runes"))
}

func runes(s string) tea.KeyMsg { return tea.KeyMsg{Type: tea.KeyRunes, Runes: []rune(s)} }

func pasted(s string) tea.KeyMsg {
	return tea.KeyMsg{Type: tea.KeyRunes, Runes: []rune(s), Paste: true}
}

// typed joins the text of unmodified keys.
func typed(msgs []tea.Msg) string {
	var b strings.Builder
	for _, m := range msgs {
		if k, ok := m.(tea.KeyMsg); ok && k.Type == tea.KeyRunes && !k.Alt {
			b.WriteString(string(k.Runes))
		}
	}
	return b.String()
}

func sameMsg(a, b tea.Msg) bool {
	ka, ok := a.(tea.KeyMsg)
	kb, ok2 := b.(tea.KeyMsg)
	if !ok || !ok2 {
		return ok == ok2 && a == b
	}
	return ka.Type == kb.Type && ka.Alt == kb.Alt && ka.Paste == kb.Paste && string(ka.Runes) == string(kb.Runes)
}
