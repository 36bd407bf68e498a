package scene

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"time"

	"caliper/screenshots/reel"
	"caliper/tui/picture/ansi"
)

// Terminal is what a scene acts on. Its one implementation outside tests is tmux.Session.
type Terminal interface {
	Type(ctx context.Context, text string) error
	Key(ctx context.Context, names ...string) error
	Paste(ctx context.Context, text string) error

	// Capture returns the screen in the form that package ansi reads.
	Capture(ctx context.Context) ([]byte, error)

	// Exited says in words how the program ended, "" while it runs.
	Exited(ctx context.Context) (string, error)
}

// Runner plays scenes. Interval and Echo may be 0, in tests.
type Runner struct {
	Terminal Terminal
	Shell    func(ctx context.Context, command string) error // runs the commands of sh

	Timeout  time.Duration // how long until and settle wait
	Interval time.Duration // between two captures
	Echo     time.Duration // how long a film waits for a key to show any effect
}

// Take is what one run of a scene made.
type Take struct {
	Shots []Still
	Films []Film
}

// Still is a picture.
type Still struct {
	Name string
	Grid *ansi.Grid
}

// Film is an animation.
type Film struct {
	Name string
	Reel *reel.Reel
}

// Failure is a step that failed.
type Failure struct {
	Scene  string
	Line   int
	Verb   Verb
	Err    error
	Screen string // the text of the last screen, without blank rows above and below
	Exited string // how the program ended, "" if it did not
}

// Error returns "NAME:LINE: VERB: what", and below it the last screen.
func (f *Failure) Error() string {
	exited := ""
	if f.Exited != "" {
		exited = "; the program has exited: " + f.Exited
	}
	return fmt.Sprintf("%s:%d: %s: %v%s\nthe last screen:\n%s", f.Scene, f.Line, f.Verb, f.Err, exited, f.Screen)
}

// Unwrap returns the cause.
func (f *Failure) Unwrap() error { return f.Err }

// Run plays a scene for one theme. The program must have been started. A step that fails gives a
// *Failure.
func (r *Runner) Run(ctx context.Context, s *Scene, theme string) (*Take, error) {
	p := play{Runner: r, scene: s, theme: theme, take: &Take{}, screen: ansi.New(s.Columns, s.Rows)}
	for _, step := range s.Steps {
		if err := p.step(ctx, step); err != nil {
			exited, exitErr := r.Terminal.Exited(ctx)
			return nil, &Failure{
				Scene: s.Name, Line: step.Line, Verb: step.Verb, Err: errors.Join(err, exitErr),
				Screen: strings.Trim(p.screen.String(), "\n"), Exited: exited,
			}
		}
	}
	return p.take, nil
}

// play is the state of one run.
type play struct {
	*Runner
	scene  *Scene
	theme  string
	take   *Take
	screen *ansi.Grid // the last capture, masked
	film   *Film
	saying string // the film's caption
}

func (p *play) step(ctx context.Context, step Step) error {
	switch step.Verb {
	case Until:
		return p.until(ctx, Expand(step.Text, p.theme))
	case Type:
		keys := []string{step.Text}
		if p.film != nil {
			keys = strings.Split(step.Text, "")
		}
		return p.keys(ctx, keys, func(k string) error { return p.Terminal.Type(ctx, k) })
	case Key:
		return p.keys(ctx, step.Keys, func(k string) error { return p.Terminal.Key(ctx, k) })
	case Press:
		return p.Terminal.Key(ctx, step.Keys...)
	case Paste:
		return p.keys(ctx, []string{step.Text}, func(k string) error { return p.Terminal.Paste(ctx, k) })
	case Settle:
		return p.frame(ctx, 0)
	case Shot:
		if err := p.settle(ctx); err != nil {
			return err
		}
		p.take.Shots = append(p.take.Shots, Still{Name: Expand(step.Text, p.theme), Grid: p.screen})
		return nil
	case Hold:
		p.film.Reel.Add(p.view(), step.Duration)
		return nil
	case Say:
		p.saying = step.Text
		return nil
	case Shell:
		return p.Shell(ctx, step.Text)
	case GIFStart:
		p.film, p.saying = &Film{Name: Expand(step.Text, p.theme), Reel: &reel.Reel{}}, ""
		return p.frame(ctx, 0)
	case GIFStop:
		p.film.Reel.Add(p.view(), p.scene.Pace)
		p.take.Films = append(p.take.Films, *p.film)
		p.film = nil
		return nil
	}
	return fmt.Errorf("unknown verb")
}

// keys sends keys. In a film each is waited for and becomes a frame; otherwise the next until
// waits.
func (p *play) keys(ctx context.Context, keys []string, send func(string) error) error {
	for _, k := range keys {
		before := p.screen
		if err := send(k); err != nil {
			return err
		}
		if p.film == nil {
			continue
		}
		if err := p.echo(ctx, before); err != nil {
			return err
		}
		if err := p.frame(ctx, p.scene.Pace); err != nil {
			return err
		}
	}
	return nil
}

// until waits for the pattern, then settles; in a film the screen becomes a frame.
func (p *play) until(ctx context.Context, text string) error {
	pattern, err := compile(text)
	if err != nil {
		return err
	}
	err = p.poll(ctx, p.Timeout, func() (bool, error) {
		if pattern.MatchString(p.screen.String()) {
			return true, nil
		}
		exited, err := p.Terminal.Exited(ctx)
		if err == nil && exited != "" {
			err = fmt.Errorf("the screen never showed %q", text)
		}
		return false, err
	})
	if errors.Is(err, errTimeout) {
		return fmt.Errorf("the screen never showed %q within %v", text, p.Timeout)
	}
	if err != nil || p.film == nil {
		return err
	}
	return p.frame(ctx, 0)
}

// frame settles and, in a film, adds the screen.
func (p *play) frame(ctx context.Context, d time.Duration) error {
	if err := p.settle(ctx); err != nil {
		return err
	}
	if p.film != nil {
		p.film.Reel.Add(p.view(), d)
	}
	return nil
}

// standingStill is how many captures in a row must be equal. Two are too few on a busy machine: a
// program that is interrupted in the middle of a frame leaves half of it standing.
const standingStill = 4

func (p *play) settle(ctx context.Context) error {
	var previous *ansi.Grid
	equal := 0
	err := p.poll(ctx, p.Timeout, func() (bool, error) {
		if previous != nil && previous.Equal(p.screen) {
			equal++
		} else {
			previous, equal = p.screen, 1
		}
		return equal >= standingStill, nil
	})
	if errors.Is(err, errTimeout) {
		return fmt.Errorf("the screen was still changing after %v", p.Timeout)
	}
	return err
}

// echo waits until the screen differs from before. A key without effect is no error.
func (p *play) echo(ctx context.Context, before *ansi.Grid) error {
	err := p.poll(ctx, p.Echo, func() (bool, error) { return !before.Equal(p.screen), nil })
	if errors.Is(err, errTimeout) {
		return nil
	}
	return err
}

var errTimeout = errors.New("timeout")

// poll captures the screen until done says so. It captures at least standingStill times before it
// gives up, and waits longer between captures when they take long: then the program is slow too. What
// takes long to come is looked for less often, so that many scenes at once leave the machine free.
func (p *play) poll(ctx context.Context, timeout time.Duration, done func() (bool, error)) error {
	deadline := time.Now().Add(timeout)
	for try := 1; ; try++ {
		started := time.Now()
		if err := p.capture(ctx); err != nil {
			return err
		}
		if ok, err := done(); ok || err != nil {
			return err
		}
		if try >= standingStill && !time.Now().Before(deadline) {
			return errTimeout
		}
		select {
		case <-ctx.Done():
			return ctx.Err()
		case <-time.After(max(p.Interval*time.Duration(min(1+try/8, 8)), 2*time.Since(started))):
		}
	}
}

func (p *play) capture(ctx context.Context) error {
	data, err := p.Terminal.Capture(ctx)
	if err != nil {
		return err
	}
	grid := ansi.Parse(data, p.scene.Columns, p.scene.Rows)
	for _, m := range p.scene.Masks {
		if err := grid.Mask(m.Pattern, m.Replacement); err != nil {
			return err
		}
	}
	p.screen = grid
	return nil
}
