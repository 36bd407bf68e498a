package tui

import "time"

const (
	// editorGrace is the time after the editor closed during which an interrupt
	// may still have been meant for it.
	editorGrace = 200 * time.Millisecond

	// progressAfter is the time after which running work is mentioned.
	progressAfter = 200 * time.Millisecond
)
