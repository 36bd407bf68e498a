package desk

import (
	"context"
	"errors"
	"slices"
	"strings"
	"testing"

	tea "github.com/charmbracelet/bubbletea"
	"github.com/charmbracelet/x/ansi"
	"pgregory.net/rapid"

	"caliper/engine/live"
	_ "caliper/model/require"
	"caliper/tui/ui"
)

// found returns the files of two clients with three servers that can be asked and
// one that cannot.
func found(t interface{ Fatal(...any) }) []live.ClientFile {
	var files []live.ClientFile
	for name, text := range map[string]string{
		"/home/me/.claude.json":    `{"mcpServers":{"a":{"command":"a","args":["--token","sesame"],"env":{"K":"sesame"}},"b":{"url":"https://b.example"}}}`,
		"/home/me/p/.mcp.json":     `{"mcpServers":{"c":{"command":"c"},"useless":{}}}`,
		"/home/me/.cursor/mcp.cfg": "",
	} {
		f := live.ClientFile{Path: name, Project: strings.Contains(name, "/p/")}
		if text == "" {
			f.Problem = "not a regular file"
		} else {
			var err error
			if f.Config, err = live.ParseClientConfig(name, []byte(text)); err != nil {
				t.Fatal(err)
			}
		}
		files = append(files, f)
	}
	slices.SortFunc(files, func(a, b live.ClientFile) int { return strings.Compare(a.Path, b.Path) })
	return files
}

// asker counts what it is asked for.
type asker struct {
	asked  []string
	fails  map[string]bool
	blocks bool // until enough, or the end of the context
}

func (a *asker) ask(ctx context.Context, servers []OfferServer, enough <-chan struct{}, report func(int, OfferState)) (OfferAnswer, error) {
	var answer OfferAnswer
	for n, s := range servers {
		a.asked = append(a.asked, s.Name)
		if a.fails[s.Name] {
			report(n, OfferState{Err: "no answer", Ended: true})
			continue
		}
		report(n, OfferState{Tools: 2, Ended: true})
		answer.Registry, answer.Servers, answer.Tools = "r.json", answer.Servers+1, answer.Tools+2
	}
	if a.blocks {
		select {
		case <-enough:
		case <-ctx.Done():
			return OfferAnswer{}, ctx.Err()
		}
	}
	return answer, nil
}

// screenOf returns a screen of 80×24 cells on what found returns.
func screenOf(t interface{ Fatal(...any) }, a *asker) *Offer {
	s := NewOffer(context.Background(), OfferOptions{Files: found(t), Home: "/home/me", Ask: a.ask}, ui.UnicodeGlyphs())
	s.Draw(ui.NewTheme(ui.Look{Plain: true}), 80, 24)
	return s
}

var keys = map[string]tea.KeyMsg{
	"enter": {Type: tea.KeyEnter}, "esc": {Type: tea.KeyEsc}, "space": {Type: tea.KeySpace, Runes: []rune{' '}},
	"down": {Type: tea.KeyDown}, "up": {Type: tea.KeyUp}, "end": {Type: tea.KeyEnd}, "right": {Type: tea.KeyRight},
	"ctrl+c": {Type: tea.KeyCtrlC}, "pgdown": {Type: tea.KeyPgDown},
}

// press presses keys, runs the commands to their end unless hold is set, and
// returns the last decision and the last command.
func press(s *Offer, hold bool, names ...string) (OfferDecision, tea.Cmd) {
	d, cmd := None, tea.Cmd(nil)
	for _, name := range names {
		k, ok := keys[name]
		if !ok {
			k = tea.KeyMsg{Type: tea.KeyRunes, Runes: []rune(name)}
		}
		if d, cmd = s.Update(k); !hold {
			if later := settle(s, cmd); later != None {
				d = later
			}
		}
	}
	return d, cmd
}

// settle runs a command and what follows from it, and returns the last decision.
func settle(s *Offer, cmd tea.Cmd) OfferDecision {
	d := None
	for queue := []tea.Cmd{cmd}; len(queue) > 0; queue = queue[1:] {
		if queue[0] == nil {
			continue
		}
		switch msg := queue[0]().(type) {
		case nil:
		case tea.BatchMsg:
			queue = append(queue, msg...)
		default:
			later, next := s.Update(msg)
			if later != None {
				d = later
			}
			queue = append(queue, next)
		}
	}
	return d
}

// Whatever is pressed, only checked servers are asked, by enter.
func TestNothingStartsUnchecked(t *testing.T) {
	t.Parallel()
	names := []string{"esc", "down", "up", "end", "right", "pgdown", "*", "space", "d", "?", "q", "x", "j", "G"}
	rapid.Check(t, func(rt *rapid.T) {
		a := new(asker)
		s := screenOf(rt, a)
		press(s, false, rapid.SliceOf(rapid.SampledFrom(names)).Draw(rt, "keys")...)
		if len(a.asked) > 0 {
			rt.Fatalf("asked %q", a.asked)
		}
		s.help, s.notice = nil, ""
		var want []string
		for _, i := range s.chosen() {
			want = append(want, s.servers[i].Name)
		}
		press(s, false, "enter")
		if !slices.Equal(a.asked, want) {
			rt.Fatalf("asked %q, want %q", a.asked, want)
		}
	})
}

func TestDecisions(t *testing.T) {
	t.Parallel()
	tests := []struct {
		name  string
		fails []string
		keys  []string
		want  OfferDecision
		asked []string
	}{
		{"esc opens the demo", nil, []string{"esc"}, OfferDemo, nil},
		{"d too", nil, []string{"d"}, OfferDemo, nil},
		{"the last row too", nil, []string{"end", "enter"}, OfferDemo, nil},
		{"enter without a check does nothing", nil, []string{"enter"}, None, nil},
		{"one server", nil, []string{"down", "space", "enter"}, OfferOpen, []string{"b"}},
		{"all that can be asked", nil, []string{"*", "enter"}, OfferOpen, []string{"a", "b", "c"}},
		{"one fails: what failed is read first", []string{"b"}, []string{"*", "enter"}, None, []string{"a", "b", "c"}},
		{"and enter opens the others", []string{"b"}, []string{"*", "enter", "enter"}, OfferOpen, []string{"a", "b", "c"}},
		{"another choice asks again", []string{"b"}, []string{"*", "enter", "space", "enter"}, OfferOpen, []string{"a", "b", "c", "a", "c"}},
		{"all fail: enter asks again", []string{"b"}, []string{"down", "space", "enter", "enter"}, None, []string{"b", "b"}},
		{"help first", nil, []string{"?", "esc"}, None, nil},
		{"q leaves", nil, []string{"q"}, OfferLeave, nil},
		{"ctrl-c leaves at once", nil, []string{"?", "ctrl+c"}, OfferInterrupt, nil},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			a := &asker{fails: map[string]bool{}}
			for _, name := range tt.fails {
				a.fails[name] = true
			}
			s := screenOf(t, a)
			if d, _ := press(s, false, tt.keys...); d != tt.want || !slices.Equal(a.asked, tt.asked) {
				t.Errorf("decided %d and asked %q, want %d and %q; %s", d, a.asked, tt.want, tt.asked, s.notice)
			}
		})
	}
}

// The asking can be stopped, and ended with what was listed until then.
func TestStopAndHurry(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		name, key string
		want      OfferDecision
	}{{"stopped", "esc", None}, {"hurried", "enter", OfferOpen}} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			s := screenOf(t, &asker{blocks: true})
			_, cmd := press(s, true, "*", "enter")
			batch := cmd().(tea.BatchMsg) // the work, and its progress
			ended := make(chan tea.Msg)
			go func() { ended <- batch[0]() }()
			_, next := s.Update(batch[1]())
			for s.asking.Done < 3 {
				_, next = s.Update(next())
			}
			if _, cmd := press(s, true, tt.key); cmd != nil {
				t.Error("a command of no use")
			}
			if d, _ := s.Update(<-ended); d != tt.want {
				t.Errorf("decided %d, want %d: %s", d, tt.want, s.notice)
			}
			s.Wait()
			if s.asking.Running || len(s.states) != 3 {
				t.Errorf("running %t, %d servers listed", s.asking.Running, len(s.states))
			}
		})
	}
}

// An explorer that cannot be opened leaves the user where the choice was.
func TestFail(t *testing.T) {
	t.Parallel()
	s := screenOf(t, new(asker))
	s.Fail(errors.New("no room on the disk\x1b[2J"))
	if text := drawn(s, 80, 24); !strings.Contains(text, "no room on the disk") || strings.Contains(text, "\x1b[2J") {
		t.Errorf("%q", text)
	}
}

// drawn returns a picture without styles.
func drawn(s *Offer, w, h int) string {
	return strings.Join(s.Draw(ui.NewTheme(ui.Look{Plain: true}), w, h), "\n")
}

// The picture has its size whatever was pressed, and holds no secret.
func TestDraw(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(rt *rapid.T) {
		s := screenOf(rt, &asker{fails: map[string]bool{"a": true}})
		for range rapid.IntRange(0, 12).Draw(rt, "presses") {
			press(s, false, rapid.SampledFrom([]string{"enter", "esc", "space", "down", "up", "end", "*", "?", "right", "pgdown"}).Draw(rt, "key"))
			w, h := rapid.IntRange(40, 150).Draw(rt, "w"), rapid.IntRange(10, 50).Draw(rt, "h")
			lines := s.Draw(ui.NewTheme(ui.Look{Plain: true}), w, h)
			if len(lines) != h {
				rt.Fatalf("%d lines, want %d", len(lines), h)
			}
			for _, line := range lines {
				if got := ansi.StringWidth(line); got != w {
					rt.Fatalf("%d cells, want %d: %q", got, w, line)
				}
				if strings.Contains(line, "sesame") {
					rt.Fatalf("a secret: %q", line)
				}
			}
		}
	})
}
