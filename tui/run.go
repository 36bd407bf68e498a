package tui

import (
	"context"
	"errors"
	"os"
	"os/signal"
	"syscall"
	"time"

	tea "github.com/charmbracelet/bubbletea"
)

// Run opens the explorer and returns when it is left. The error is
// context.Canceled when the user interrupted it or ctx ended. Signals that end
// programs are its own while it runs: bubbletea's handler can wait for ever
// for a loop that has ended, and knows nothing of an editor that was meant.
func Run(ctx context.Context, opt Options) error {
	if opt.Now == nil {
		opt.Now = time.Now
	}
	if opt.Suspend == nil {
		opt.Suspend = canSuspend
	}
	filter := NewFilter(opt.AskBackground)
	terminal := newPainter(os.Stdout)
	settings := []tea.ProgramOption{
		tea.WithAltScreen(), tea.WithFilter(filter.Filter), tea.WithContext(ctx),
		tea.WithOutput(terminal), tea.WithFPS(1), tea.WithoutSignalHandler(),
	}
	if opt.Mouse {
		settings = append(settings, tea.WithMouseCellMotion())
	}
	app := NewApp(ctx, opt)
	defer app.stop()
	ended := make(chan struct{})
	defer close(ended)
	go terminal.run(ended)
	program := tea.NewProgram(painted{app, terminal}, settings...)
	filter.Send = program.Send
	signals := make(chan os.Signal, 1)
	signal.Notify(signals, os.Interrupt, syscall.SIGTERM)
	defer signal.Stop(signals)
	go func() {
		for {
			select {
			case s := <-signals:
				program.Send(signalledMsg{interrupt: s == os.Interrupt, at: time.Now()})
			case <-ended:
				return
			}
		}
	}()
	_, err := program.Run()
	if errors.Is(err, tea.ErrInterrupted) || ctx.Err() != nil {
		return context.Canceled
	}
	return err
}
