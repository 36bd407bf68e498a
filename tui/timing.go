package tui

import "time"

// Every duration of the interface.
const (
	// frameTime is the least time between two frames: sixty a second.
	frameTime = 16 * time.Millisecond

	// coalesce is how long wheel and motion events are gathered.
	coalesce = frameTime

	// replyPatience is how long after a piece of the terminal's answer about
	// its background the next piece may come.
	replyPatience = time.Second

	// replyFresh is how long after the start a key that could be the first
	// byte of that answer makes the keys after it wait for more. Later only an
	// answer in one piece is recognised behind it.
	replyFresh = 10 * time.Second

	// noticeTime is how long a notice stays in the footer, and noticeBad how
	// long a bad one does.
	noticeTime = 5 * time.Second
	noticeBad  = 10 * time.Second

	// clipPatience is how long the native clipboard may take before the user
	// is told without it.
	clipPatience = 2 * time.Second

	// editorGrace is how long after the editor an interrupt may still have been
	// meant for it.
	editorGrace = 200 * time.Millisecond

	// progressAfter is how long work may take unmentioned.
	progressAfter = 200 * time.Millisecond
)
