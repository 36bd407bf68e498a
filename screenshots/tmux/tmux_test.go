package tmux

import (
	"context"
	"os"
	"os/exec"
	"strings"
	"testing"
	"time"

	"caliper/tui/picture/ansi"
)

func TestKnownKey(t *testing.T) {
	for name, want := range map[string]bool{
		"Enter": true, "Down": true, "F1": true, "F12": true, "BTab": true, "C-k": true, "M-1": true, "C-M-x": true,
		"C-Left": true, "a": true, "課": true, ";": true, "-": true, "C-": false, "F13": false, "Return": false,
		"S-Tab": false, "C-S-Tab": false, "Ctrl-k": false, "": false, " ": false, "ab": false, "enter": false,
	} {
		if got := KnownKey(name); got != want {
			t.Errorf("%q: got %v", name, got)
		}
	}
}

func TestLiteral(t *testing.T) {
	for in, want := range map[string]string{"a": "a", ";": `\;`, "a;": `a\;`, "a;b": "a;b", "": ""} {
		if got := literal(in); got != want {
			t.Errorf("%q: got %q, want %q", in, got, want)
		}
	}
}

// start runs a shell script in a session of 40 × 6 cells.
func start(t *testing.T, script string, env ...string) *Session {
	t.Helper()
	if _, err := exec.LookPath("tmux"); err != nil {
		t.Skip("tmux is not installed")
	}
	s, err := Start(t.Context(), Options{
		Columns: 40, Rows: 6, Folder: t.TempDir(), Env: env,
		Command: []string{"/bin/sh", "-c", script},
	})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := s.Close(); err != nil {
			t.Error(err)
		}
		if _, err := os.Stat(s.folder); err == nil {
			t.Error("Close left its folder")
		}
	})
	return s
}

// await captures until the screen contains text.
func await(t *testing.T, s *Session, text string) *ansi.Grid {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), 10*time.Second)
	defer cancel()
	for {
		data, err := s.Capture(ctx)
		if err != nil {
			t.Fatal(err)
		}
		g := ansi.Parse(data, 40, 6)
		if strings.Contains(g.String(), text) {
			return g
		}
	}
}

func TestSessionRunsInACleanTerminal(t *testing.T) {
	t.Setenv("NO_COLOR", "1")
	s := start(t, `printf '\033[44m  x  \033[0m%s %s %s [%s]' "$TERM" "$NAME" "$(stty size)" "$NO_COLOR$TMUX"; cat`, "NAME=value;")
	g := await(t, s, "value; 6 40 []")
	if got := g.String(); !strings.HasPrefix(got, "  x  tmux-256color value; ") {
		t.Errorf("got %q", got)
	}
	for i, want := range []string{"on colour 4", "on colour 4", "on colour 4", "on colour 4", "on colour 4", "plain"} {
		if got := g.Row(0)[i].Style.String(); got != want {
			t.Errorf("cell %d is %s, want %s", i, got, want)
		}
	}
	if exited, err := s.Exited(t.Context()); exited != "" || err != nil {
		t.Errorf("exited %q, %v", exited, err)
	}
}

func TestSessionTakesInput(t *testing.T) {
	s := start(t, `stty raw -echo; printf '\033[?2004h'; printf ready; cat -v`)
	await(t, s, "ready")
	ctx := t.Context()
	for _, step := range []struct {
		send func() error
		want string
	}{
		{func() error { return s.Type(ctx, "-l 課;") }, "-l M-hM-*M-2;"},
		{func() error { return s.Key(ctx, "C-k", "F1", ";", "-") }, "^K^[OP;-"},
		{func() error { return s.Paste(ctx, "p q") }, "^[[200~p q^[[201~"},
	} {
		if err := step.send(); err != nil {
			t.Fatal(err)
		}
		// The echo may run over the row's end.
		ctx, cancel := context.WithTimeout(t.Context(), 10*time.Second)
		for text := ""; !strings.Contains(text, step.want); {
			data, err := s.Capture(ctx)
			if err != nil {
				t.Fatalf("waiting for %q: %v", step.want, err)
			}
			text = strings.ReplaceAll(ansi.Parse(data, 40, 6).String(), "\n", "")
		}
		cancel()
	}
	if err := s.Key(ctx, "Return"); err == nil {
		t.Error("a misspelt key was sent")
	}
}

func TestSessionOutlivesItsProgram(t *testing.T) {
	for script, want := range map[string]string{
		"echo last words; read x; exit 3":     "status 3",
		"echo last words; read x; kill -9 $$": "signal 9",
	} {
		s := start(t, script)
		await(t, s, "last words")
		if exited, err := s.Exited(t.Context()); exited != "" || err != nil {
			t.Errorf("exited %q, %v", exited, err)
		}
		if err := s.Key(t.Context(), "Enter"); err != nil {
			t.Fatal(err)
		}
		ctx, cancel := context.WithTimeout(t.Context(), 10*time.Second)
		exited := ""
		for exited == "" {
			var err error
			if exited, err = s.Exited(ctx); err != nil {
				t.Fatal(err)
			}
		}
		cancel()
		if exited != want && exited != "status unknown" {
			t.Errorf("%s: %s", script, exited)
		}
		await(t, s, "last words")
	}
}
