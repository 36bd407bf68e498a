// Package terminal deals with the real terminal: it works around limits of
// bubbletea v1, and prepares the user's editor, which takes the terminal over. It
// knows no screen and no key of the explorer.
//
//	Painter      draws frames at once instead of at the ticks of a clock, only
//	             the lines that changed, as synchronized updates where the
//	             terminal has them
//	Filter       removes the terminal's answers from the keys, and merges
//	             wheel and motion events into one a frame
//	CanSuspend   reports whether a shell can resume the program after ctrl-z
//	OpenInEditor, EditedTexts
//	             report an EditorReadyMsg; the owner of the terminal runs its
//	             command line, and reports the EditorClosedMsg that Closed returns
//
// Invariants:
//   - no key is lost, and keys keep their order;
//   - bytes that can only be an answer of the terminal never reach the model as
//     keys;
//   - nothing is drawn while another program has the terminal;
//   - the process sleeps while nothing happens.
package terminal
