package replay

import (
	"path/filepath"

	tea "github.com/charmbracelet/bubbletea"

	"caliper/engine/replay"
	"caliper/model/safetext"
	"caliper/tui/ui"
	"caliper/watch"
)

// price takes the file of prices as it is now. One that is gone or broken changes no
// cost: the prices before stay, and the notice says why.
func (s *Screen) price(f watch.File) tea.Cmd {
	name, err := filepath.Base(f.Name), f.Err
	var now replay.PriceList
	if err == nil {
		now, err = replay.ReadPrices(name, f.Data)
	}
	if err != nil {
		return s.host.Notify(ui.LevelBad, "the prices stay as they were: "+safetext.Line(err.Error()))
	}
	if now.Equal(s.prices) {
		return nil
	}
	s.prices = now
	s.priced++
	s.changes++
	return s.host.Notify(ui.LevelOk, "prices read again from "+safetext.Line(name))
}
