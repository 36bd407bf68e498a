package replay

import (
	"strings"

	tea "github.com/charmbracelet/bubbletea"

	"caliper/engine/replay"
	"caliper/model/safetext"
	"caliper/tui/report/replays"
	"caliper/tui/ui"
)

// fitted reports whether a tokenizer was fitted to one model.
func fitted(tokenizer string) bool { return strings.HasPrefix(tokenizer, replay.CalibratedPrefix) }

// Tokenizers returns the tokenizers that are fitted to the logged usage: one choice by
// which each session is counted by its model's, and one for each model, by which all
// are. There is none without such usage.
func (s *Screen) Tokenizers() []ui.Choice {
	if s.noCalibration() != "" {
		return nil
	}
	choice := func(id string, of []replay.Model) ui.Choice {
		return ui.Choice{ID: id, Label: safetext.Line(id), Note: "on Replay, " + replays.CalibrationError(of), Current: s.calibrated == id}
	}
	choices := []ui.Choice{choice(replay.CalibratedAll, s.report.Calibration)}
	for _, m := range s.report.Calibration {
		choices = append(choices, choice(replay.CalibratedPrefix+m.Name, []replay.Model{m}))
	}
	return choices
}

// CountBy counts by a choice of Tokenizers; by the tokenizer of the app for any other.
func (s *Screen) CountBy(id string) {
	s.calibrated = ""
	if id == replay.CalibratedAll || fitted(id) {
		s.calibrated = id
	}
}

// noCalibration returns why no tokenizer can be fitted.
func (s *Screen) noCalibration() string {
	switch {
	case s.report == nil:
		return "no session was replayed"
	case len(s.report.Calibration) == 0:
		return "no model has enough requests whose usage is known"
	}
	return ""
}

// calibrate turns to the fitted tokenizers, and back, and says so.
func (s *Screen) calibrate() tea.Cmd {
	if s.calibrated != "" {
		s.CountBy("")
		return s.host.Notify(ui.LevelInfo, "counted by the tokenizer of the header again")
	}
	s.CountBy(replay.CalibratedAll)
	return s.host.Notify(ui.LevelInfo, "counted by the tokenizers that are fitted to these logs; T turns back")
}
