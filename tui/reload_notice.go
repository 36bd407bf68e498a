package tui

import (
	"errors"
	"fmt"
	"io/fs"
	"slices"
	"time"

	"caliper/config"
	"caliper/model/safetext"
	"caliper/model/words"
	"caliper/tui/report"
	"caliper/tui/report/changes"
	"caliper/tui/ui"
	"caliper/tui/workbench"
	"caliper/watch"
)

// reloadText returns the notice about the changes of a load, with its duration
// when files were read; the text is empty when nothing is worth a notice.
func (a *App) reloadText(before *workbench.State, r *workbench.Reload, own bool, took time.Duration) (ui.Level, string) {
	after := a.state
	if len(after.Errors) > 0 {
		if own && a.saved != nil && !a.saved.back { // another file is broken, as the header says
			return ui.LevelOk, a.savedText(*a.saved)
		}
		text, flag := after.Errors[0].Brief(), "" // of the file that is not there
		if a.header.Good != "" {
			text += " · shown as it was at " + a.header.Good
		}
		gone := func(f watch.File) bool { return errors.Is(f.Err, fs.ErrNotExist) }
		switch {
		case a.input.Config != nil && gone(*a.input.Config):
			flag = "--config"
		case slices.ContainsFunc(a.input.Registry, gone):
			flag = "--registry"
		default:
			return ui.LevelBad, text + " · still watched, and read again when it is saved"
		}
		return ui.LevelBad, text + " · still watched, in case it comes back; of a renamed file, start again with " + flag + " and its new name"
	}
	if before == nil {
		return ui.LevelInfo, ""
	}
	if r != nil {
		level := ui.LevelOk
		if len(r.Flips) > 0 {
			level = ui.LevelFlip
		}
		news := changes.Reload{Reload: r, Saved: a.overridden}
		for _, e := range a.knobs.Edits() { // the description on disk changed while another is tried
			was, is := before.OnDisk().Snapshot.Registry.Named(e.Tool), after.OnDisk().Snapshot.Registry.Named(e.Tool)
			if was != nil && is != nil && was.Description != is.Description {
				news.Hidden = append(news.Hidden, e.Tool)
			}
		}
		if own && a.saved != nil {
			news.Saved = a.savedText(*a.saved)
			if a.saved.back {
				names := make([]string, len(a.saved.changes))
				for i, c := range a.saved.changes {
					names[i] = valueText(c.Key, a.knobs.OnDisk)
				}
				news.Saved = "save undone: " + words.And(names)
			}
			return ui.LevelOk, news.Notice(took) + details(a.saved.unsaved)
		}
		return level, news.Notice(took)
	}
	was, now := before.Snapshot, after.Snapshot
	level, text := ui.LevelOk, "nothing changed"
	switch {
	case !workbench.SameQueries(before.Queries, after.Queries):
		text = ui.LabelledQueries(len(after.Queries)) + " read"
	case was.Session.Name != now.Session.Name:
		text = fmt.Sprintf("session %s: %s granted", ui.Truncate(safetext.Line(now.Session.Name), 60), ui.Count(after.Budget.Tools, "tool"))
	case was.Message() != now.Message():
		text = "sent with the message: " + ui.Count(len(now.Assembly().Tools), "tool")
	case was.Tokenizer != now.Tokenizer:
		text = "counting tokens with " + string(now.Tokenizer)
	}
	if active := after.OnDisk().Budget.Active; before.OnDisk().Budget.Active != active {
		if was.Session.Name == now.Session.Name {
			level = ui.LevelFlip
		}
		text += " · search is now " + report.OnOff(active)
	}
	return level, text
}

// goneSession returns the text that the session which was shown is not in the
// configuration any more, and which one is shown in its place; empty where it still is.
func goneSession(before, after *workbench.State) string {
	if before == nil {
		return ""
	}
	was, now := before.Snapshot.Session.Name, after.Snapshot.Session.Name
	if was == now || slices.ContainsFunc(after.Snapshot.Config.Sessions, func(s config.Session) bool { return s.Name == was }) {
		return ""
	}
	short := func(name string) string { return ui.Truncate(safetext.Line(name), 30) }
	return "session " + short(was) + " is gone; showing " + short(now)
}

// triedText adds to a notice about search on disk what the trials make of it in the
// session, which the header shows; it is empty where both are the same.
func triedText(s *workbench.State) string {
	if s.OnDisk().Budget.Active == s.Budget.Active {
		return ""
	}
	return " on disk, " + report.OnOff(s.Budget.Active) + " as WHAT IF"
}
