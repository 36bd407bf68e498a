package tui

import (
	"flag"
	"fmt"
	"reflect"
	"strings"
	"testing"
	"time"
	"unicode/utf8"

	tea "github.com/charmbracelet/bubbletea"
	"github.com/charmbracelet/x/ansi"
)

// slowCommand is how long the driver waits for a command. None of a test's own
// takes as long, however busy the machine; what waits for ever is left alone.
const slowCommand = 10 * time.Second

// driver drives a model as bubbletea would, without a terminal: it calls
// Update, runs the commands that come back, and feeds their messages in, until
// nothing is left to do.
type driver struct {
	t     testing.TB
	model tea.Model
	w, h  int
	late  chan tea.Msg // messages of commands that took long
	slow  int          // commands whose message goes there
	quit  bool
	good  map[string]int // the width of each line that was found to fit
}

// drive starts a model in a terminal of w×h cells.
func drive(t testing.TB, m tea.Model, w, h int) *driver {
	t.Helper()
	d := &driver{t: t, model: m, w: w, h: h, late: make(chan tea.Msg, 100)}
	d.Send(tea.WindowSizeMsg{Width: w, Height: h})
	d.run(m.Init())
	return d
}

// Send delivers a message and settles.
func (d *driver) Send(msg tea.Msg) *driver {
	d.t.Helper()
	for queue := []tea.Msg{msg}; len(queue) > 0; queue = queue[1:] {
		switch m := queue[0].(type) {
		case nil:
			continue
		case tea.QuitMsg, tea.InterruptMsg:
			d.quit = true
			continue
		case tea.BatchMsg:
			for _, cmd := range m {
				queue = append(queue, d.wait(cmd)...)
			}
			continue
		}
		// A sequence is an unexported slice of commands.
		if v := reflect.ValueOf(queue[0]); v.Kind() == reflect.Slice && v.Type().Elem() == reflect.TypeFor[tea.Cmd]() {
			for i := range v.Len() {
				queue = append(queue, d.wait(v.Index(i).Interface().(tea.Cmd))...)
			}
			continue
		}
		next, cmd := d.model.Update(queue[0])
		d.model = next
		d.check()
		queue = append(queue, d.wait(cmd)...)
	}
	return d
}

// run runs a command and settles.
func (d *driver) run(cmd tea.Cmd) {
	for _, msg := range d.wait(cmd) {
		d.Send(msg)
	}
}

// wait returns the message of a command, or nothing when it is slow; its
// message then goes to late.
func (d *driver) wait(cmd tea.Cmd) []tea.Msg {
	if cmd == nil {
		return nil
	}
	done := make(chan tea.Msg, 1)
	go func() { done <- cmd() }()
	select {
	case msg := <-done:
		return []tea.Msg{msg}
	case <-time.After(slowCommand):
		d.slow++
		go func() { d.late <- <-done }()
		return nil
	}
}

// Until feeds late messages in until the screen holds text.
func (d *driver) Until(text string) *driver {
	d.t.Helper()
	deadline := time.After(20 * time.Second)
	for !strings.Contains(d.Screen(), text) {
		select {
		case msg := <-d.late:
			d.Send(msg)
		case <-deadline:
			d.t.Fatalf("the screen never shows %q:\n%s", text, d.Screen())
		}
	}
	return d
}

// namedKeys are the keys that Press knows by name.
var namedKeys = map[string]tea.KeyMsg{
	"enter": {Type: tea.KeyEnter}, "esc": {Type: tea.KeyEsc}, "tab": {Type: tea.KeyTab},
	"shift+tab": {Type: tea.KeyShiftTab}, "up": {Type: tea.KeyUp}, "down": {Type: tea.KeyDown},
	"left": {Type: tea.KeyLeft}, "right": {Type: tea.KeyRight}, "pgup": {Type: tea.KeyPgUp},
	"pgdown": {Type: tea.KeyPgDown}, "home": {Type: tea.KeyHome}, "end": {Type: tea.KeyEnd},
	"backspace": {Type: tea.KeyBackspace}, "f1": {Type: tea.KeyF1}, "f3": {Type: tea.KeyF3}, "space": {Type: tea.KeySpace, Runes: []rune{' '}},
}

// key returns the key of a name: one of namedKeys, ctrl+letter, alt+rune, or
// a rune.
func (d *driver) key(name string) tea.KeyMsg {
	if k, ok := namedKeys[name]; ok {
		return k
	}
	if letter, ok := strings.CutPrefix(name, "ctrl+"); ok && len(letter) == 1 {
		return tea.KeyMsg{Type: tea.KeyType(letter[0] - 'a' + 1)}
	}
	alt := false
	if rest, ok := strings.CutPrefix(name, "alt+"); ok {
		name, alt = rest, true
	}
	if runes := []rune(name); len(runes) == 1 {
		return tea.KeyMsg{Type: tea.KeyRunes, Runes: runes, Alt: alt}
	}
	d.t.Fatalf("no key is called %q", name)
	return tea.KeyMsg{}
}

// Press presses keys by name.
func (d *driver) Press(names ...string) *driver {
	d.t.Helper()
	for _, name := range names {
		d.Send(d.key(name))
	}
	return d
}

// Type types text, rune by rune.
func (d *driver) Type(text string) *driver {
	d.t.Helper()
	for _, r := range text {
		if r == ' ' {
			d.Press("space")
			continue
		}
		d.Send(tea.KeyMsg{Type: tea.KeyRunes, Runes: []rune{r}})
	}
	return d
}

// Paste pastes text as a terminal with bracketed paste does.
func (d *driver) Paste(text string) *driver {
	d.t.Helper()
	return d.Send(tea.KeyMsg{Type: tea.KeyRunes, Runes: []rune(text), Paste: true})
}

// Click clicks the cell x of line y.
func (d *driver) Click(x, y int) *driver {
	d.t.Helper()
	d.Send(tea.MouseMsg{X: x, Y: y, Action: tea.MouseActionPress, Button: tea.MouseButtonLeft})
	return d.Send(tea.MouseMsg{X: x, Y: y, Action: tea.MouseActionRelease, Button: tea.MouseButtonLeft})
}

// Resize changes the size of the terminal.
func (d *driver) Resize(w, h int) *driver {
	d.t.Helper()
	d.w, d.h = w, h
	return d.Send(tea.WindowSizeMsg{Width: w, Height: h})
}

// Styled returns the screen with its styles.
func (d *driver) Styled() string { return d.model.View() }

// Screen returns the screen as text, without trailing spaces.
func (d *driver) Screen() string {
	lines := strings.Split(ansi.Strip(d.model.View()), "\n")
	for i, line := range lines {
		lines[i] = strings.TrimRight(line, " ")
	}
	return strings.Join(lines, "\n")
}

// check asserts that the screen is exactly w×h cells, and that nothing on it
// but SGR sequences can act on a terminal.
func (d *driver) check() {
	d.t.Helper()
	if err := d.fits(d.model.View()); err != nil {
		d.t.Fatal(err)
	}
}

// fits reports how a screen differs from lines of cells that fill the terminal. A line is measured once.
func (d *driver) fits(view string) error {
	if d.good == nil {
		d.good = map[string]int{}
	}
	lines := strings.Split(view, "\n")
	if len(lines) != d.h {
		return fmt.Errorf("%d lines on a screen of %d×%d:\n%s", len(lines), d.w, d.h, ansi.Strip(view))
	}
	for i, line := range lines {
		if d.good[line] == d.w {
			continue
		}
		if got := ansi.StringWidth(line); got != d.w {
			return fmt.Errorf("line %d has %d cells on a screen of %d×%d: %q", i, got, d.w, d.h, ansi.Strip(line))
		}
		if bad := strings.IndexFunc(ansi.Strip(line), func(r rune) bool { return r < 0x20 || r >= 0x7f && r < 0xa0 }); bad >= 0 {
			return fmt.Errorf("line %d holds a control character: %q", i, line)
		}
		rest := line
		for {
			at := strings.IndexByte(rest, 0x1b)
			if at < 0 {
				break
			}
			end := strings.IndexByte(rest[at:], 'm')
			if end < 0 || strings.Trim(rest[at+1:at+end], "[0123456789;:") != "" {
				return fmt.Errorf("line %d holds a sequence that is not a colour: %q", i, line)
			}
			rest = rest[at+end+1:]
		}
		d.good[line] = d.w
	}
	return nil
}

var update = flag.Bool("update", false, "write the golden files anew")

// keyNamed returns the key that bubbletea calls by a name.
func keyNamed(name string) (tea.KeyMsg, bool) {
	alt := strings.HasPrefix(name, "alt+")
	bare := strings.TrimPrefix(name, "alt+")
	for k := tea.KeyType(-100); k < 128; k++ {
		if m := (tea.KeyMsg{Type: k, Alt: alt}); k != tea.KeyRunes && m.String() == name {
			return m, true
		}
	}
	if utf8.RuneCountInString(bare) == 1 {
		return tea.KeyMsg{Type: tea.KeyRunes, Runes: []rune(bare), Alt: alt}, true
	}
	return tea.KeyMsg{}, false
}
