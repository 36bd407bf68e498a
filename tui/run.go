package tui

import (
	"context"
	"errors"
	"os"
	"os/signal"
	"syscall"
	"time"

	"caliper/tui/terminal"
	"caliper/tui/ui"

	tea "github.com/charmbracelet/bubbletea"
	"golang.org/x/term"
)

// Run shows the explorer and returns when it ends. The error is context.Canceled when the
// user interrupted it. The end of ctx does not end it: Run handles signals itself, because
// one that was meant for the editor must not end it, and bubbletea's handler can wait for ever
// for a loop that has ended.
func Run(ctx context.Context, opt Options) error {
	ctx = context.WithoutCancel(ctx)
	var err error
	if opt.Look, opt.AskBackground, err = ui.Appearance(opt.Theme, opt.getenv); err != nil {
		return err
	}
	opt.Now, opt.Suspend, opt.Terminal = time.Now, terminal.CanSuspend, os.Stderr // the screen is on standard output
	if !term.IsTerminal(int(os.Stderr.Fd())) {
		opt.Terminal = os.Stdout
	}
	filter := terminal.NewFilter(opt.AskBackground)
	painter := terminal.NewPainter(os.Stdout, opt.getenv("TERM"))
	settings := []tea.ProgramOption{
		tea.WithAltScreen(), tea.WithFilter(filter.Filter), tea.WithContext(ctx),
		tea.WithOutput(painter), tea.WithFPS(1), tea.WithoutSignalHandler(),
	}
	if !opt.NoMouse {
		settings = append(settings, tea.WithMouseCellMotion())
	}
	working, stop := context.WithCancel(ctx)
	var model tea.Model
	if opt.Offer != nil {
		front := newFront(working, opt)
		defer front.screen.Wait() // servers are ended before the program
		model = front
	} else {
		model = NewApp(working, opt)
	}
	defer stop()
	ended := make(chan struct{})
	defer close(ended)
	go painter.Run(ended)
	painter.Model = model
	program := tea.NewProgram(painter, settings...)
	filter.Send = program.Send
	signals := make(chan os.Signal, 1)
	signal.Notify(signals, os.Interrupt, syscall.SIGTERM)
	if !signal.Ignored(syscall.SIGHUP) { // as it is under nohup
		signal.Notify(signals, syscall.SIGHUP) // the terminal is gone: the state is saved
	}
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
	_, err = program.Run()
	if errors.Is(err, tea.ErrInterrupted) {
		return context.Canceled
	}
	return err
}
