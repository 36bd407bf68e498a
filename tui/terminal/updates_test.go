package terminal

import (
	"slices"
	"testing"

	tea "github.com/charmbracelet/bubbletea"
)

func TestUpdatesReply(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		reply            string
		synchronized, ok bool
	}{
		{"[?2026;1$y", true, true}, {"[?2026;2$y", true, true},
		{"[?2026;0$y", false, true}, {"[?2026;3$y", false, true}, {"[?2026;4$y", false, true},
		{"[?2027;2$y", false, false}, {"[?2026;2$", false, false}, {"[?2026", false, false}, {"]11;rgb:0/0/0\a", false, false},
	} {
		if synchronized, ok := updatesReply(tt.reply); synchronized != tt.synchronized || ok != tt.ok {
			t.Errorf("%q: %v, %v, want %v, %v", tt.reply, synchronized, ok, tt.synchronized, tt.ok)
		}
	}
}

// TestUpdatesReplySplitAnywhere sends the answer in pieces between keys, alone
// and before the answer about the background.
func TestUpdatesReplySplitAnywhere(t *testing.T) {
	t.Parallel()
	const reply = "\x1b[?2026;2$y"
	for _, background := range []bool{false, true} {
		for i := 0; i <= len(reply); i++ {
			for _, j := range []int{i, min(i+1, len(reply)), min(i+4, len(reply))} {
				f, answers := NewFilter(background, true), []bool{}
				f.Synchronize = func(synchronized bool) { answers = append(answers, synchronized) }
				pieces := []string{"a", reply[:i], reply[i:j], reply[j:], "b"}
				if background {
					pieces = append(pieces, replyDark, "c")
				}
				got := readByBubbletea(t, f, pieces...)
				want := "ab"
				if background {
					want = "abc"
				}
				if typed(got) != want || !slices.Equal(answers, []bool{true}) {
					t.Fatalf("%q | %q | %q: typed %q, answers %v", reply[:i], reply[i:j], reply[j:], typed(got), answers)
				}
				if background && !slices.Contains(got, tea.Msg(BackgroundMsg{Dark: true})) {
					t.Fatalf("%q | %q | %q: the background is not known", reply[:i], reply[i:j], reply[j:])
				}
			}
		}
	}
}

func TestUpdatesAnswerOfNobodyAsked(t *testing.T) {
	t.Parallel()
	f := NewFilter(false, false)
	if got := f.Filter(nil, []byte("\x1b[?2026;2$y")); got == nil {
		t.Error("a message was lost")
	}
}

// TestPainterSynchronizes asks once, before the first frame, and wraps frames
// after the answer.
func TestPainterSynchronizes(t *testing.T) {
	t.Parallel()
	e := newEasel(t)
	e.painter.ask = true
	for _, step := range []struct {
		name string
		do   func()
		want string
	}{
		{"the screen is entered", func() { _, _ = e.painter.Write([]byte(enterScreen)) }, enterScreen},
		{"a frame before the answer", func() { e.painter.draw("a") }, askUpdates + "\x1b[Ha\x1b[1;H"},
		{"the answer", func() { e.painter.Synchronize(true) }, ""},
		{"a frame after it", func() { e.painter.draw("b") }, beginUpdate + "\x1b[Hb\x1b[1;H" + endUpdate},
		{"nothing new", func() { e.painter.draw("b") }, ""},
		{"an editor", func() { _, _ = e.painter.Write([]byte(leaveScreen)) }, leaveScreen},
		{"and back", func() { _, _ = e.painter.Write([]byte(enterScreen)) }, enterScreen},
		{"a whole frame", func() { e.painter.draw("b") }, beginUpdate + "\x1b[Hb\x1b[1;H" + endUpdate},
	} {
		step.do()
		if got := e.wrote(); got != step.want {
			t.Errorf("%s: wrote %q, want %q", step.name, got, step.want)
		}
	}
}
