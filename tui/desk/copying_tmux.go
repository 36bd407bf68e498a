package desk

import (
	"context"
	"os/exec"
	"strings"
	"time"
)

// tmuxTimeout is how long tmux may take to take a text.
const tmuxTimeout = 2 * time.Second

// throughTmux returns what copies a text within tmux, which by its default drops what a
// program sends by OSC 52 and says nothing (set-clipboard external). The text goes into a
// buffer of tmux, which hands it to its own terminal, and to the desktop where there is
// one, which may be nil. One that takes it is enough.
func throughTmux(desktop func(string) error) func(string) error {
	return func(text string) error {
		ctx, cancel := context.WithTimeout(context.Background(), tmuxTimeout)
		defer cancel()
		load := exec.CommandContext(ctx, "tmux", "load-buffer", "-w", "-")
		load.Stdin = strings.NewReader(text)
		err := load.Run()
		if desktop != nil && desktop(text) == nil {
			return nil
		}
		return err
	}
}
