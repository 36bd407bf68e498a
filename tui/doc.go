// Package tui is the explorer: the app, which holds its screens together.
//
//	app.go        what the app is made of          update.go   what can happen to it
//	load.go       files become states              view.go     what it draws
//	keys.go       the keys of every screen         route.go    a key finds its binding
//	screens.go    the list of screens              host.go     the app as a screen sees it
//	overlay.go    what lies over a screen          menus.go    palette and pickers
//	front.go      what is offered before it opens
//	tour.go       the tour of the demo             comparing.go   two states side by side
//	tried.go      what is tried, and undone        writeback.go   written to the config file
//
// The rules of the house:
//
//   - Screens. A screen is a package (tui/explore, tui/budget, ...) that knows
//     a desk.Desk, which is the app as a screen.Host and what all screens share, and
//     no other screen. The app knows it as screen.Screen, gives it news as messages,
//     and does what it asks for by messages (screen/request.go). A new screen is its
//     package and one line in screens.go, as package activity shows.
//   - Keys. A binding is declared once, where its action is: the keys, the words
//     of help, footer and palette, what it does, and why it would do nothing now.
//     Help, footer, palette and routing are derived from the bindings. A key
//     means the same on every screen that has it.
//   - Work. Update reads nothing, writes nothing and waits for nothing. Work of a
//     screen runs in commands, as a ui.Job: a new question stops the work on the
//     one before, and what that still reports is dropped. A load is the app's own
//     and has a generation.
//   - States. A workbench.State never changes. A load makes a new one, and every
//     screen gets it with the one it replaces, as the message desk.Loaded.
//   - Pictures. Draw returns exactly the lines and cells that were asked for. A picture
//     is drawn once after each message, whole.
//   - Foreign text. Whatever comes from files, servers or the clipboard is made
//     safe before it reaches the screen, a clipboard or a file (model/safetext,
//     desk.SafeToCopy).
//   - Words. What was found is put into words in package report, once, for
//     screens, commands and Markdown.
//
// The packages below: ui has the pieces of screens, bindings and background jobs;
// screen, how the app and a screen meet; desk, what all screens share, with the knobs
// that try settings. terminal works around bubbletea and opens the editor. workbench
// reads and changes files of the user, and makes states of them. report puts results
// into words; handout makes the report for a team; topics has the pages of help. cli
// has the commands, serving the agents that are served.
//
// Scenes in testdata/scenes test all of it: they press keys by the names of their
// actions and name what the screen shows.
package tui
