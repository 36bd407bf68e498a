package tui

import (
	"context"
	"strings"

	tea "github.com/charmbracelet/bubbletea"

	"caliper/tui/desk"
	"caliper/tui/terminal"
	"caliper/tui/ui"
)

// Offer is the choices of a user without data on the command line.
type Offer struct {
	desk.OfferOptions
	// Open, Again, Demo and Replay return what the explorer is opened on. They may read and write
	// files.
	Open   func(desk.OfferAnswer) (Options, error)
	Again  func(desk.LastFiles) (Options, error)
	Demo   func() (Options, error)
	Replay func() (Options, error)
}

// front is bubbletea's model while the offer shows. When the user has decided, it
// replaces itself by the explorer.
type front struct {
	ctx     context.Context
	screen  *desk.Offer
	theme   *ui.Theme
	width   int
	height  int
	opening bool                    // the explorer is being prepared
	dark    *terminal.BackgroundMsg // the terminal's answer about its background; nil before it
	typed   []tea.Msg               // keys that came while the explorer was being prepared
	look    Options                 // the same whatever is opened
}

// newFront returns the model that shows the offer of opt first.
func newFront(ctx context.Context, opt Options) *front {
	f := &front{ctx: ctx, theme: ui.NewTheme(opt.Look), look: opt}
	f.screen = desk.NewOffer(ctx, opt.Offer.OfferOptions, f.theme.Glyphs)
	return f
}

// openedMsg replaces the offer by the explorer, or shows why it cannot.
type openedMsg func() (tea.Model, tea.Cmd)

// Init asks the terminal for its background colour.
func (f *front) Init() tea.Cmd {
	if f.look.AskBackground && f.look.Terminal != nil {
		return terminal.AskBackground(f.look.Terminal)
	}
	return nil
}

// Update handles a message.
func (f *front) Update(msg tea.Msg) (tea.Model, tea.Cmd) {
	switch msg := msg.(type) {
	case tea.WindowSizeMsg:
		f.width, f.height = msg.Width, msg.Height
	case terminal.BackgroundMsg:
		f.dark = &msg
		look := f.theme.Look
		look.Light = !bool(msg)
		f.theme = ui.NewTheme(look)
	case signalledMsg:
		return f, tea.Interrupt
	case terminal.WheelMsg:
		f.screen.Move(msg.DY * wheelLines)
	case terminal.BurstMsg:
		return f.burst(msg)
	case openedMsg:
		return msg()
	case tea.KeyMsg, tea.MouseMsg:
		k, isKey := msg.(tea.KeyMsg)
		small := Arrange(f.width, f.height).Message != "" && f.width > 0
		switch {
		case isKey && k.Type == tea.KeyCtrlC:
			return f, tea.Interrupt
		case f.opening:
			f.typed = append(f.typed, msg) // for the explorer
		case small && isKey && k.String() == "q":
			return f, tea.Quit
		case small: // nothing is shown that could be meant
		case isKey && len(k.Runes) > 1 && !k.Paste && !k.Alt:
			var all terminal.BurstMsg // letters that bubbletea read at once
			for _, r := range k.Runes {
				one := k
				one.Runes = []rune{r}
				if r == ' ' {
					one.Type = tea.KeySpace
				}
				all = append(all, one)
			}
			return f.burst(all)
		default:
			return f.decide(f.screen.Update(msg))
		}
	default:
		return f.decide(f.screen.Update(msg))
	}
	return f, nil
}

// burst handles several messages in order.
func (f *front) burst(msgs terminal.BurstMsg) (tea.Model, tea.Cmd) {
	var model tea.Model = f
	var cmds []tea.Cmd
	for _, msg := range msgs {
		next, cmd := model.Update(msg)
		model, cmds = next, append(cmds, cmd)
	}
	return model, tea.Batch(cmds...)
}

// decide does what the user has decided.
func (f *front) decide(d desk.OfferDecision, cmd tea.Cmd) (tea.Model, tea.Cmd) {
	open := func(what func() (Options, error)) (tea.Model, tea.Cmd) {
		f.opening = true
		return f, tea.Batch(cmd, func() tea.Msg {
			opt, err := what()
			return openedMsg(func() (tea.Model, tea.Cmd) {
				f.opening = false
				if err != nil {
					f.typed = nil
					f.screen.Fail(err)
					return f, nil
				}
				opt.Look, opt.Terminal = f.look.Look, f.look.Terminal
				opt.Now, opt.Suspend, opt.Still = f.look.Now, f.look.Suspend, f.look.Still
				app := NewApp(f.ctx, opt)
				cmds := []tea.Cmd{app.Init()}
				send := func(msg tea.Msg) {
					_, cmd := app.Update(msg)
					cmds = append(cmds, cmd)
				}
				if f.dark != nil {
					send(*f.dark)
				}
				send(tea.WindowSizeMsg{Width: f.width, Height: f.height})
				for _, typed := range f.typed {
					send(typed)
				}
				return app, tea.Batch(cmds...)
			})
		})
	}
	switch d {
	case desk.OfferDemo:
		return open(f.look.Offer.Demo)
	case desk.OfferReplay:
		return open(f.look.Offer.Replay)
	case desk.OfferAgain:
		files := f.screen.Files()
		return open(func() (Options, error) { return f.look.Offer.Again(files) })
	case desk.OfferOpen:
		answer := f.screen.Answer()
		return open(func() (Options, error) { return f.look.Offer.Open(answer) })
	case desk.OfferLeave:
		return f, tea.Quit
	case desk.OfferInterrupt:
		return f, tea.Interrupt
	}
	return f, cmd
}

// View draws the terminal.
func (f *front) View() string {
	if f.width <= 0 || f.height <= 0 {
		return ""
	}
	var lines []string
	if message := Arrange(f.width, f.height).Message; message != "" {
		lines = ui.Centered(f.theme, f.width, f.height, message)
	} else {
		lines = f.screen.Draw(f.theme, f.width, f.height)
	}
	return inASCII(f.theme, strings.Join(lines, "\n"))
}

// getenv returns an environment variable; empty if it is not set.
func (o Options) getenv(name string) string {
	if o.Lookup == nil {
		return ""
	}
	value, _ := o.Lookup(name)
	return value
}
