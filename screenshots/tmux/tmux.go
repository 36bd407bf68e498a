// Package tmux runs one program in a private tmux server and captures its screen.
//
// The server has a socket of its own, no configuration and no status line; the program sees only
// the environment it is given. Nothing of the user's own tmux is read or touched.
package tmux

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"strconv"
	"strings"
)

const socket = "shot"

// Session is a running program. Close ends it.
type Session struct {
	folder string // holds the socket
}

// Options describe the program and its terminal.
type Options struct {
	Columns, Rows int
	Command       []string // the program's path and arguments
	Env           []string // NAME=VALUE, all the program sees besides Environment
	Folder        string   // the working folder
}

// Environment is what every program sees: a terminal with all colours, UTF-8, UTC.
func Environment() []string {
	return []string{
		"PATH=" + os.Getenv("PATH"),
		"TERM=tmux-256color",
		"COLORTERM=truecolor",
		"LC_ALL=C.UTF-8",
		"TZ=UTC",
	}
}

// Start runs a program. The terminal stays when the program ends, see [Session.Exited].
func Start(ctx context.Context, o Options) (*Session, error) {
	folder, err := os.MkdirTemp("", "shot-")
	if err != nil {
		return nil, err
	}
	s := &Session{folder: folder}
	args := []string{
		"-f", os.DevNull, "-u", "start-server",
		";", "set-option", "-s", "escape-time", "0",
		";", "set-option", "-g", "status", "off",
		";", "set-option", "-g", "remain-on-exit", "on",
		// The line that tmux writes about a dead pane would scroll the screen.
		";", "set-option", "-gq", "remain-on-exit-format", "",
		";", "set-option", "-g", "default-terminal", "tmux-256color",
		";", "new-session", "-d", "-s", socket, "-c", o.Folder,
		"-x", strconv.Itoa(o.Columns), "-y", strconv.Itoa(o.Rows),
		"env", "-i",
	}
	for _, word := range append(append(Environment(), o.Env...), o.Command...) {
		args = append(args, literal(word))
	}
	if _, err := s.tmux(ctx, nil, args...); err != nil {
		return nil, errors.Join(err, s.Close())
	}
	return s, nil
}

// Close ends the program and its server.
func (s *Session) Close() error {
	// The server is gone already when nothing was started: that is no error.
	_, _ = s.tmux(context.Background(), nil, "kill-server")
	return os.RemoveAll(s.folder)
}

// Type sends text as key presses.
func (s *Session) Type(ctx context.Context, text string) error {
	_, err := s.tmux(ctx, nil, "send-keys", "-t", socket, "-l", "--", literal(text))
	return err
}

// Key presses keys by tmux's names, such as Enter, C-k, M-1 or BTab.
func (s *Session) Key(ctx context.Context, names ...string) error {
	args := []string{"send-keys", "-t", socket, "--"}
	for _, name := range names {
		if !KnownKey(name) {
			return fmt.Errorf("key %q: unknown name; use type for text", name)
		}
		args = append(args, literal(name))
	}
	_, err := s.tmux(ctx, nil, args...)
	return err
}

// Paste sends text as a bracketed paste, if the program asked for that.
func (s *Session) Paste(ctx context.Context, text string) error {
	if _, err := s.tmux(ctx, strings.NewReader(text), "load-buffer", "-"); err != nil {
		return err
	}
	_, err := s.tmux(ctx, nil, "paste-buffer", "-d", "-p", "-r", "-t", socket)
	return err
}

// Capture returns the screen with its styles. Blanks at the ends of rows are kept when the program
// wrote them, with their background; cells that it only cleared come out blank.
func (s *Session) Capture(ctx context.Context) ([]byte, error) {
	return s.tmux(ctx, nil, "capture-pane", "-p", "-e", "-N", "-t", socket)
}

// Exited says how the program ended: "status 1", "signal 9", or "status unknown" when tmux missed
// it; "" while the program runs.
func (s *Session) Exited(ctx context.Context) (string, error) {
	const format = "#{pane_dead},#{pane_dead_status},#{pane_dead_signal}"
	out, err := s.tmux(ctx, nil, "display-message", "-p", "-t", socket, format)
	if err != nil {
		return "", err
	}
	fields := strings.Split(strings.TrimSpace(string(out)), ",")
	switch {
	case len(fields) != 3:
		return "", fmt.Errorf("tmux: display-message: %q", out)
	case fields[0] != "1":
		return "", nil
	case fields[1] != "":
		return "status " + fields[1], nil
	case fields[2] != "":
		return "signal " + fields[2], nil
	}
	return "status unknown", nil
}

func (s *Session) tmux(ctx context.Context, in *strings.Reader, args ...string) ([]byte, error) {
	cmd := exec.CommandContext(ctx, "tmux", append([]string{"-L", socket}, args...)...)
	if in != nil {
		cmd.Stdin = in
	}
	for _, entry := range os.Environ() {
		if !strings.HasPrefix(entry, "TMUX") {
			cmd.Env = append(cmd.Env, entry)
		}
	}
	cmd.Env = append(cmd.Env, "TMUX_TMPDIR="+s.folder, "LC_ALL=C.UTF-8")
	var stderr bytes.Buffer
	cmd.Stderr = &stderr
	out, err := cmd.Output()
	if err != nil {
		return nil, fmt.Errorf("tmux: %w: %s", err, bytes.TrimSpace(stderr.Bytes()))
	}
	return out, nil
}

// literal protects a semicolon at the end of an argument, which separates commands in tmux.
func literal(arg string) string {
	if strings.HasSuffix(arg, ";") {
		return arg[:len(arg)-1] + `\;`
	}
	return arg
}
