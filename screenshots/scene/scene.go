// Package scene is a script that drives a full-screen program and takes pictures of it.
//
// A scene is a test as well: it waits for what the screen must show, and fails with the screen
// it saw when that never comes. So a picture cannot show what the program no longer does.
//
// One verb a line; # starts a comment line. First the settings:
//
//	size 120x36               the terminal, in cells (the default)
//	theme dark light          the scene is run once for each (default: dark)
//	args --session NAME       further arguments of the program
//	env NAME=VALUE            a variable of its environment
//	home PATH                 a file in its home folder, which is the working folder too; its content
//	                          is in the lines below, each after a tab
//	mask REGEXP REPLACEMENT   hides what differs between runs; same width, see ansi.Grid.Mask
//	pace SECONDS              how long a GIF shows each key (default 0.09)
//
// then the steps:
//
//	until REGEXP              waits until the screen shows it; fails when it never does
//	type TEXT                 keys, one for each character
//	key NAME...               keys by tmux's names: Enter Down C-k M-1 BTab F1 Escape
//	press NAME...             keys that a film shows with the next until only: for what goes on by itself
//	                          afterwards, such as a write of a file that the program then reloads
//	paste TEXT                bracketed paste
//	settle                    waits until the screen stands still; after a key, until is safer: the
//	                          screen from before the key stands still too
//	shot NAME                 settles and takes a picture
//	gif start NAME            starts a film: every key, until and settle adds a frame
//	hold SECONDS              shows the film's current screen that much longer
//	say TEXT                  the film's caption from here on, below the screen: what a viewer cannot
//	                          see there, such as an edit of a file
//	gif stop                  ends it; its last screen is shown one pace longer
//	sh COMMAND                runs a shell command; $DEMO is the folder the program wrote its demo to
//
// Arguments may be quoted with backquotes. $THEME in arguments of args, env, shot, gif start and
// until is the theme of the run. A regexp sees the masked screen as text, rows separated by newlines,
// without the blanks at their ends; ^ and $ are the ends of a row, (?s) lets . go on to the next.
//
// Goals: the same scene gives the same pictures on a fast and on a slow machine, so a film's
// durations come from the script and never from a clock. Non-goals: mouse, resizing, loops.
package scene

import (
	"regexp"
	"strings"
	"time"
)

// The defaults of a scene that does not say otherwise.
const (
	DefaultColumns = 120
	DefaultRows    = 36
	DefaultPace    = 90 * time.Millisecond
)

// Scene is a parsed scene file.
type Scene struct {
	Name    string // the file's, for messages
	Columns int
	Rows    int
	Themes  []string
	Args    []string
	Env     []string // NAME=VALUE
	Home    []File   // in the home folder when the program starts
	Masks   []Mask
	Pace    time.Duration
	Steps   []Step
}

// File is a file of the made-up home folder.
type File struct {
	Path    string // below the home folder
	Content string
}

// Mask hides text that differs between runs.
type Mask struct {
	Pattern     *regexp.Regexp
	Replacement string
}

// Verb names what a step does.
type Verb string

// The verbs of steps.
const (
	Until    Verb = "until"
	Type     Verb = "type"
	Key      Verb = "key"
	Press    Verb = "press"
	Paste    Verb = "paste"
	Settle   Verb = "settle"
	Shot     Verb = "shot"
	Hold     Verb = "hold"
	Say      Verb = "say"
	Shell    Verb = "sh"
	GIFStart Verb = "gif start"
	GIFStop  Verb = "gif stop"
)

// Step is one line of a scene.
type Step struct {
	Line     int
	Verb     Verb
	Text     string        // type, paste, say, sh: the text; until: the pattern; shot, gif start: the name
	Keys     []string      // key, press
	Duration time.Duration // hold
}

// Expand returns text with $THEME replaced.
func Expand(text, theme string) string { return strings.ReplaceAll(text, "$THEME", theme) }

// Picture is one file that a scene makes.
type Picture struct {
	Name     string
	Theme    string
	Animated bool
	Columns  int
	Rows     int
}

// Pictures returns what the scene makes, for all its themes, in the order of the runs.
func (s *Scene) Pictures() []Picture {
	var out []Picture
	for _, theme := range s.Themes {
		for _, step := range s.Steps {
			if step.Verb == Shot || step.Verb == GIFStart {
				out = append(out, Picture{
					Name: Expand(step.Text, theme), Theme: theme, Animated: step.Verb == GIFStart,
					Columns: s.Columns, Rows: s.Rows,
				})
			}
		}
	}
	return out
}
