package scene

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"testing"
	"time"
)

// fake is a terminal whose program echoes what it is sent: text is appended to the screen, Enter
// clears it. Each input shows only after lag further captures, as with a busy program.
type fake struct {
	shown, pending string
	lag, left      int
	exited         string
	restless       bool // every capture differs
	captures       int
	err            error
}

func (f *fake) send(text string) error {
	f.pending = text
	f.left = f.lag
	return f.err
}

func (f *fake) Type(_ context.Context, text string) error { return f.send(f.pending + text) }
func (f *fake) Paste(_ context.Context, text string) error {
	return f.send(f.pending + "[" + text + "]")
}

func (f *fake) Key(_ context.Context, names ...string) error {
	for _, name := range names {
		if name == "Enter" {
			f.pending = ""
		}
	}
	return f.send(f.pending)
}

func (f *fake) Capture(context.Context) ([]byte, error) {
	f.captures++
	if f.left == 0 {
		f.shown = f.pending
	}
	f.left = max(0, f.left-1)
	if f.restless {
		return fmt.Appendf(nil, "%s %d", f.shown, f.captures), nil
	}
	return []byte("> " + f.shown), nil
}

func (f *fake) Exited(context.Context) (string, error) { return f.exited, nil }

func playText(t *testing.T, f *fake, text string) (*Take, []string, error) {
	t.Helper()
	s, err := Parse("x", []byte("size 20x2\npace 0.1\n"+text))
	if err != nil {
		t.Fatal(err)
	}
	var commands []string
	r := Runner{Terminal: f, Timeout: time.Millisecond, Echo: time.Millisecond,
		Shell: func(_ context.Context, command string) error {
			commands = append(commands, command)
			return f.send(f.pending + "!")
		}}
	take, err := r.Run(context.Background(), s, "dark")
	return take, commands, err
}

// frames prints a film as its screens and durations.
func frames(f Film) string {
	var out []string
	for _, frame := range f.Reel.Frames {
		out = append(out, strings.TrimSpace(frame.Grid.String())+" "+frame.Duration.String())
	}
	return f.Name + ": " + strings.Join(out, ", ")
}

func TestRunShots(t *testing.T) {
	take, commands, err := playText(t, &fake{}, "type ab\nuntil ^> ab$\nshot one-$THEME\nkey Enter\npaste c\nsh true\nuntil !\nshot two")
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, s := range take.Shots {
		got = append(got, s.Name+" "+strings.TrimSpace(s.Grid.String()))
	}
	if got, want := strings.Join(got, ", "), "one-dark > ab, two > [c]!"; got != want {
		t.Errorf("got %q, want %q", got, want)
	}
	if strings.Join(commands, "|") != "true" {
		t.Errorf("commands %q", commands)
	}
}

func TestRunFilm(t *testing.T) {
	tests := []struct{ name, scene, want string }{
		{"a frame a key", "gif start a\ntype ab\ngif stop", "a: > a 100ms, > ab 200ms"},
		{"hold prolongs the first screen", "gif start a\nhold 1\ntype a\nhold 2\ngif stop", "a: > 1s, > a 2.2s"},
		{"a key without effect", "gif start a\nkey Down\ntype a\ngif stop", "a: > 100ms, > a 200ms"},
		{"wide characters are one key", "gif start a\ntype 課x\ngif stop", "a: > 課 100ms, > 課x 200ms"},
		{"sh shows with until", "gif start a\nsh x\nuntil !\nhold 1\ngif stop", "a: > ! 1.1s"},
		{"press shows with until", "type ab\nuntil ab\ngif start a\nhold 1\npress Enter\nuntil ^>$\nhold 1\ngif stop", "a: > ab 1s, > 1.1s"},
		{"captions", "gif start a\nhold 1\nsay b c\nhold 1\ngif stop",
			"a: > 1s, >\n\n" + strings.Repeat("─", 20) + "\n b c 1.1s"},
		{"outside of the film", "type ab\nuntil ab\ngif start a\nkey Enter\ngif stop\ntype c", "a: > 200ms"},
	}
	for _, tt := range tests {
		for _, lag := range []int{0, 1} {
			t.Run(fmt.Sprintf("%s, lag %d", tt.name, lag), func(t *testing.T) {
				take, _, err := playText(t, &fake{lag: lag}, tt.scene)
				if err != nil {
					t.Fatal(err)
				}
				if got := frames(take.Films[0]); got != tt.want {
					t.Errorf("got %q, want %q", got, tt.want)
				}
			})
		}
	}
}

func TestRunFailures(t *testing.T) {
	tests := []struct {
		name  string
		fake  *fake
		scene string
		want  string
	}{
		{"never shown", &fake{}, "type ab\nuntil xyz", `x:4: until: the screen never showed "xyz" within 1ms` + "\nthe last screen:\n> ab"},
		{"exited", &fake{exited: "status 1"}, "until xyz", `x:3: until: the screen never showed "xyz"; the program has exited: status 1` + "\nthe last screen:\n>"},
		{"never settles", &fake{restless: true}, "shot a", "x:3: shot: the screen was still changing after 1ms"},
		{"terminal", &fake{err: errors.New("broken")}, "type ab", "x:3: type: broken\nthe last screen:\n"},
		{"mask too wide", &fake{}, "mask > long\nuntil >", "x:4: until: row 1: mask >: \"long\" is wider than \">\""},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			_, _, err := playText(t, tt.fake, tt.scene)
			var failure *Failure
			if !errors.As(err, &failure) || !strings.HasPrefix(err.Error(), tt.want) {
				t.Errorf("got  %v\nwant %s", err, tt.want)
			}
		})
	}
}

func TestRunMasksEveryCapture(t *testing.T) {
	take, _, err := playText(t, &fake{}, "mask \\d+ 0\ntype at 1234 x\nuntil at 0    x\nshot a")
	if err != nil {
		t.Fatal(err)
	}
	if got := take.Shots[0].Grid.String(); got != "> at 0    x\n\n" {
		t.Errorf("got %q", got)
	}
}

func TestRunHeedsItsContext(t *testing.T) {
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	s, err := Parse("x", []byte("until never"))
	if err != nil {
		t.Fatal(err)
	}
	r := Runner{Terminal: &fake{}, Timeout: time.Hour, Interval: time.Hour}
	if _, err := r.Run(ctx, s, "dark"); !errors.Is(err, context.Canceled) {
		t.Errorf("got %v", err)
	}
}

func TestUntilSeesRows(t *testing.T) {
	for _, pattern := range []string{`b\nc`, "^c$", "(?s)a.*c", "a   b$"} {
		f := &fake{pending: "a   b  \nc"}
		if _, _, err := playText(t, f, "until "+pattern); err != nil {
			t.Error(err)
		}
	}
}
