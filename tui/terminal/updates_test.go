package terminal

import "testing"

func TestPainterSynchronizes(t *testing.T) {
	t.Parallel()
	for _, synchronized := range []bool{true, false} {
		e, begin, end := newEasel(t), "", ""
		if e.painter.whole = synchronized; synchronized {
			begin, end = beginUpdate, endUpdate
		}
		for _, step := range []struct {
			name string
			do   func()
			want string
		}{
			{"the screen is entered", func() { _, _ = e.painter.Write([]byte(enterScreen)) }, enterScreen},
			{"a frame", func() { e.painter.draw(frame{text: "a"}) }, begin + "\x1b[Ha\x1b[1;H" + end},
			{"another", func() { e.painter.draw(frame{text: "b"}) }, begin + "\x1b[Hb\x1b[1;H" + end},
			{"nothing new", func() { e.painter.draw(frame{text: "b"}) }, ""},
			{"an editor", func() { _, _ = e.painter.Write([]byte(leaveScreen)) }, leaveScreen},
			{"and back", func() { _, _ = e.painter.Write([]byte(enterScreen)) }, enterScreen},
			{"a whole frame", func() { e.painter.draw(frame{text: "b"}) }, begin + "\x1b[Hb\x1b[1;H" + end},
		} {
			step.do()
			if got := e.wrote(); got != step.want {
				t.Errorf("synchronized %t: %s: wrote %q, want %q", synchronized, step.name, got, step.want)
			}
		}
	}
}

func TestSynchronizes(t *testing.T) {
	t.Parallel()
	for term, want := range map[string]bool{"xterm-256color": true, "": true, "tmux": true, "dumb": false, "linux": false} {
		if got := Synchronizes(term); got != want {
			t.Errorf("%q: %t, want %t", term, got, want)
		}
	}
}
