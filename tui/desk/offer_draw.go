package desk

import (
	"image"
	"slices"

	"github.com/charmbracelet/x/ansi"

	"caliper/model/safetext"
	"caliper/model/words"
	"caliper/tui/ui"
)

// The lines of the details below the list, on screens that have room for them and
// on smaller ones.
const (
	manyDetails, fewDetails = 5, 2
	roomForMany             = 20
)

// Draw returns exactly h lines of w cells.
func (s *Offer) Draw(t *ui.Theme, w, h int) []string {
	lines := s.draw(t, w, h)
	if s.help == nil {
		return lines
	}
	box := s.help.Draw(t, w, h)
	return ui.Overlay(lines, box, max(0, (w-ansi.StringWidth(box[0]))/2), max(0, (h-len(box))/2))
}

// draw draws the screen without a box over it: a line of what this is, the list in
// a frame, the details of the selected row in the same frame, and the keys.
func (s *Offer) draw(t *ui.Theme, w, h int) []string {
	tall := fewDetails
	if h >= roomForMany {
		tall = manyDetails
	}
	s.footer = h - 1
	l := ui.StartLine(w, 0)
	l.Text(t.Brand, "caliper")
	l.Gap(2)
	about := []string{"found on this machine; nothing is started before you check it and press enter", "found here; nothing is started yet"}
	switch {
	case s.asking.Running:
		about = []string{"the checked servers are started and asked for their tools; esc stops them", "starting the checked servers; esc stops"}
	case len(s.servers) == 0 && len(s.opt.Last) > 0:
		about = []string{"the files of earlier runs, newest first; caliper --registry opens others", "the files of earlier runs"}
	case len(s.servers) == 0 && len(s.opt.Logs) > 0:
		about = []string{"found only logs of agents; caliper import --help and --registry take tools from elsewhere", "found only logs; --registry names tools", "found only logs of agents"}
	}
	l.Text(t.Faint, ui.Longest(l.Room(), about...))
	lines := []string{l.End()}

	middle := image.Rect(0, 1, w, h-3-tall)
	box := ui.NewBox(middle, false, false)
	s.list = box.Inner.Min.Y
	content := s.cursor.Draw(t, s.listed(), box.Inner.Dx(), box.Inner.Dy(), true, func(l *ui.Line, i int, _ bool) {
		r := s.rows[i]
		switch r.kind {
		case fileRow:
			f := s.opt.Files[r.file]
			end := ui.Count(len(f.Config.Servers), "server")
			n := 0
			for _, server := range s.servers {
				if slices.Contains(server.Also, r.file) {
					n++
				}
			}
			if n > 0 {
				end += ", " + ui.Thousands(n) + " above"
			}
			if f.Problem != "" {
				end = "cannot be read"
			}
			l.Text(t.Strong, of(f.Client))
			l.Gap(2)
			l.Text(t.Faint, ui.FitName(s.opt.shortened(f.Path), max(8, l.Room()-ui.Width(end)-2)))
			l.Right(t.Faint, " "+end)
		case lastRow:
			l.Text(t.Strong, "again")
			l.Gap(3)
			l.Text(t.Faint, ui.FitName(s.opt.files(s.opt.Last[r.last]), l.Room()))
		case logsRow:
			l.Text(t.Strong, "replay")
			l.Gap(2)
			l.Text(t.Faint, ui.Longest(l.Room(), "the logs of your agents in "+s.opt.logs()+"; starts nothing", "the logs of your agents", "your logs"))
		case demoRow:
			l.Text(t.Strong, "demo")
			l.Gap(2)
			l.Text(t.Faint, ui.Longest(l.Room(), "the tools of an invented boat hire; starts nothing", "starts nothing"))
		default:
			s.drawServer(l, t, r.server)
		}
	})
	var note string
	switch {
	case s.asking.Running:
		note = "asking: " + ui.Thousands(s.asking.Done) + " of " + ui.Count(len(s.question), "server")
	case len(s.servers) == 0:
		note = "no client configuration was found"
	default:
		note = ui.Thousands(len(s.chosen())) + " of " + ui.Count(len(s.servers), "server") + " checked"
	}
	lines = append(lines, ui.Frame{Title: "open", Note: note, Focused: true}.Draw(t, box, content)...)

	under := ui.NewBox(image.Rect(0, middle.Max.Y, w, h-1), true, true)
	lines = append(lines, ui.Frame{Title: s.heading(), Above: true}.Draw(t, under, s.drawDetails(t, under.Inner.Dx(), under.Inner.Dy()))...)
	return append(lines, s.drawFooter(t, w))
}

// nameWidth is the most that the name of a server takes beside what it starts.
const nameWidth = 24

// drawServer draws a server: its check, its name, and what it starts or how far it is.
func (s *Offer) drawServer(l *ui.Line, t *ui.Theme, i int) {
	x := s.servers[i]
	mark := "[ ] "
	switch {
	case !usable(x.Server):
		mark = "    "
	case s.checked[i]:
		sign := t.Tick
		if t.Look.ASCII {
			sign = "x"
		}
		mark = "[" + sign + "] "
	}
	l.Gap(1)
	l.Text(t.Accent, mark)
	l.Cell(t.Name, ui.FitName(safetext.Line(x.Name), nameWidth-1), min(nameWidth, l.Room()/2))
	st, asked := s.states[i]
	switch {
	case !asked && !usable(x.Server):
		l.Text(t.Warn, "cannot be asked: "+safetext.Line(x.Problem))
	case !asked && !x.Enabled:
		l.Text(t.Faint, "(off) "+command(x.Server))
	case !asked:
		var names []string
		for _, i := range x.Also {
			if name := of(s.opt.Files[i].Client); !slices.Contains(names, name) {
				names = append(names, name)
			}
		}
		also := safetext.Line(words.And(names))
		if also != "" {
			l.Text(t.Text, "(also "+also+") ")
		}
		l.Text(t.Faint, command(x.Server))
	case st.Err != "":
		l.Text(t.Bad, "failed: "+safetext.Line(st.Err))
	case st.Ended:
		l.Text(t.Ok, ui.Count(st.Tools, "tool"))
	case st.Stage == "":
		l.Text(t.Faint, "waits")
	case st.Tools > 0:
		l.Text(t.Warn, string(st.Stage)+", "+ui.Count(st.Tools, "tool"))
	default:
		l.Text(t.Warn, string(st.Stage))
	}
}

// heading returns the title of the details.
func (s *Offer) heading() string {
	switch r := s.row(); r.kind {
	case serverRow:
		return safetext.Line(s.servers[r.server].Name)
	case fileRow:
		return s.opt.shortened(s.opt.Files[r.file].Path)
	case logsRow:
		return "replay"
	case lastRow:
		return "again"
	}
	return "demo"
}

// details returns everything about the selected row, in paragraphs; inFull adds where it stands.
func (s *Offer) details(inFull bool) []string {
	switch r := s.row(); r.kind {
	case serverRow:
		var lines []string
		if st := s.states[r.server]; st.Err != "" {
			lines = append(lines, "failed: "+safetext.Line(st.Err))
		}
		lines = append(lines, about(s.servers[r.server])...)
		for _, i := range s.servers[r.server].Also {
			lines = append(lines, "also in "+of(s.opt.Files[i].Client)+", "+s.opt.shortened(s.opt.Files[i].Path))
		}
		if inFull || s.opt.Files[r.file].Project {
			where := "configured in " + s.opt.shortened(s.opt.Files[r.file].Path)
			if s.opt.Files[r.file].Project {
				where += ": whoever wrote this folder chose what it starts"
			}
			lines = append(lines, where)
		}
		return lines
	case fileRow:
		return []string{"cannot be read: " + safetext.Line(s.opt.Files[r.file].Problem)}
	case lastRow:
		return []string{s.opt.files(s.opt.Last[r.last]), "The files of an earlier run, as they are now, with its query and what was tried. Starts nothing."}
	case logsRow:
		return []string{"What your own sessions cost and where they looped. The logs in " + s.opt.logs() + " are only read. Which tools would have been found is measured with those that the logs define, or where they define none with the demo's, until you name yours with --registry."}
	}
	return []string{"A registry, sessions, labelled queries and large results of an invented boat hire, in a fresh folder of their own. caliper tour walks through it."}
}

// drawDetails draws as much of the details as fits, and the key for the rest.
func (s *Offer) drawDetails(t *ui.Theme, w, h int) []string {
	var all []string
	for _, paragraph := range s.details(false) {
		all = append(all, ui.Wrap(paragraph, w-2)...)
	}
	var lines []string
	var l ui.Line
	for i := 0; i < h; i++ {
		l.StartAt(w, 1)
		if i < len(all) {
			l.Text(t.Text, all[i])
		}
		lines = append(lines, l.End())
	}
	if len(all) > h && h > 0 { // SECURITY: a command that goes on must not look complete
		l.StartAt(w, 1)
		more := " " + t.Ellipsis + " " + t.Right + " all"
		l.Cell(t.Text, all[h-1], w-2-ui.Width(more))
		l.Text(t.Key, more)
		lines[h-1] = l.End()
	}
	return lines
}

// drawFooter draws the notice, or else the keys.
func (s *Offer) drawFooter(t *ui.Theme, w int) string {
	l := ui.StartLine(w, 0)
	s.hints = nil
	show := func(shown ui.Shown, gap int) {
		l.Gap(gap)
		shown.From = l.At()
		l.Text(t.Key, shown.Key)
		l.Gap(1)
		l.Text(t.Faint, shown.Words)
		shown.To = l.At()
		s.hints = append(s.hints, shown)
	}
	const gap = 2
	hints := s.Layer().Footer()
	width := func(shown ui.Shown) int { return gap + ui.Width(shown.Key) + 1 + ui.Width(shown.Words) }
	help := slices.IndexFunc(hints, func(shown ui.Shown) bool { return shown.Binding.Action == ui.Help })
	kept := 0 // cells of the help, which has its place whatever else fits
	if help >= 0 {
		kept = width(hints[help])
	}
	if s.notice != "" {
		l.Gap(1)
		l.Cell(t.Warn, s.notice, max(0, l.Room()-kept))
		if help >= 0 {
			show(hints[help], gap)
		}
		return l.End()
	}
	for i, shown := range hints {
		switch {
		case i == help:
			kept = 0
			show(shown, gap)
		case width(shown)+kept <= l.Room():
			show(shown, min(i+1, gap))
		}
	}
	return l.End()
}
