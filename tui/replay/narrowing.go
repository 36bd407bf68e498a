package replay

import (
	"strconv"
	"strings"
	"time"

	tea "github.com/charmbracelet/bubbletea"

	"caliper/engine/transcript"
	"caliper/tui/screen"
	"caliper/tui/ui"
)

// noPaths returns why there is nothing to narrow.
func (s *Screen) noPaths() string {
	if len(s.paths) == 0 {
		return "no sessions were found: f reads those of a file or folder"
	}
	return ""
}

// chooseAgent asks who wrote the logs, and reads them again when that changes.
func (s *Screen) chooseAgent() tea.Cmd {
	choices := []ui.Choice{{ID: "", Label: "their content tells", Note: "each log as what it is", Current: s.agent == ""}}
	for _, a := range transcript.Agents {
		choices = append(choices, ui.Choice{ID: string(a), Label: string(a), Current: s.agent == a})
	}
	s.host.Choose("read the logs as those of", choices, false, func(id string) tea.Cmd {
		s.agent = transcript.Agent(id)
		return nil
	})
	return nil
}

// longestSince is how many characters of a time can be typed.
const longestSince = 20

// askSince asks since when sessions count.
func (s *Screen) askSince() tea.Cmd {
	var closed func()
	closed = s.host.AskText(screen.TextQuestion{
		Title: "sessions that went on since", Empty: "all; or 30d, 12h, 2w, 2026-09-01", Text: s.sinceTyped, Longest: longestSince, Note: s.sinceNote,
		Take: func(text string) tea.Cmd {
			since, err := s.parseSince(text)
			if err != nil {
				return s.host.Notify(ui.LevelInfo, err.Error())
			}
			s.since, s.sinceTyped = since, strings.TrimSpace(text)
			closed()
			return nil
		},
	})
	return nil
}

// parseSince reads what was typed; nothing is the zero time.
func (s *Screen) parseSince(text string) (time.Time, error) {
	if text = strings.TrimSpace(text); text == "" {
		return time.Time{}, nil
	}
	return transcript.ParseSince(text, s.host.Now())
}

// sinceNote tells what a typed time will leave out.
func (s *Screen) sinceNote(text string) string {
	since, err := s.parseSince(text)
	switch {
	case err != nil:
		return err.Error()
	case since.IsZero():
		return "empty: all sessions"
	case s.log == nil:
		return "sessions that ended before " + since.Format(time.DateOnly) + " are left out"
	}
	all, left := len(s.log.Sessions), 0
	for i := range s.log.Sessions {
		if s.log.Sessions[i].Before(since) {
			left++
		}
	}
	return strconv.Itoa(left) + " of " + ui.Count(all, "session") + " ended before " + since.Format(time.DateOnly) + " and will be left out"
}
