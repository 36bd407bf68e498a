package tui

import (
	"slices"
	"sync"

	tea "github.com/charmbracelet/bubbletea"

	"caliper/model/shapes"
	"caliper/model/words"
	"caliper/tui/screen"
	"caliper/tui/workbench"
)

// arrivals are the tools that the first load has read so far. The load puts them
// in, and a command waits for more.
type arrivals struct {
	more chan struct{} // there is something new
	over chan struct{} // closed when the load has ended

	mu      sync.Mutex
	sources [][]shapes.Heading
	read    []int // bytes of each source
}

// newArrivals returns the arrivals of a load that has not begun.
func newArrivals() *arrivals {
	return &arrivals{more: make(chan struct{}, 1), over: make(chan struct{})}
}

// put takes in a part. The load calls it. A registry that is read in one piece is
// not worth a picture.
func (r *arrivals) put(p shapes.Part) {
	r.mu.Lock()
	defer r.mu.Unlock()
	for len(r.sources) <= p.Source {
		r.sources, r.read = append(r.sources, nil), append(r.read, 0)
	}
	known := r.sources[p.Source]
	if p.First < len(known) {
		known = slices.Clone(known[:p.First]) // the screen may have what comes behind
	}
	r.sources[p.Source] = append(known, p.Tools...)
	r.read[p.Source] = p.Read
	if p.Read < p.Size {
		select {
		case r.more <- struct{}{}:
		default:
		}
	}
}

// arrivedMsg reports that more tools have been read.
type arrivedMsg struct{ of *arrivals }

// wait returns a command that waits for more tools, or for the end of the load.
func (r *arrivals) wait() tea.Cmd {
	return func() tea.Msg {
		select {
		case <-r.over:
			return nil
		default:
		}
		select {
		case <-r.more:
			return arrivedMsg{r}
		case <-r.over:
			return nil
		}
	}
}

// toolsArrived shows the tools that have been read, and how far the load is.
func (a *App) toolsArrived(msg arrivedMsg) tea.Cmd {
	if msg.of != a.reading || a.state != nil {
		return nil
	}
	sources, _ := a.reading.soFar()
	a.header.busy = a.progress()
	return tea.Batch(a.reading.wait(), a.toScreens(screen.ArrivedMsg{Sources: sources}))
}

// soFar returns the tools that have been read, and the bytes.
func (r *arrivals) soFar() (sources [][]shapes.Heading, read int) {
	r.mu.Lock()
	defer r.mu.Unlock()
	for _, n := range r.read {
		read += n
	}
	return slices.Clone(r.sources), read
}

// progress returns what the newest load is doing, and how far it is.
func (a *App) progress() string {
	phase := workbench.Phase(a.phase.Load())
	if phase == workbench.PhaseParsing && a.reading != nil {
		if _, read := a.reading.soFar(); read > 0 {
			return "parsing " + words.Size(read) + " of " + words.Size(a.bytes())
		}
	}
	return phaseText(phase, a.bytes())
}
