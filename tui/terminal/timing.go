package terminal

import "time"

// The durations of this package.
const (
	// frameTime is the least time between two frames: sixty a second.
	frameTime = 16 * time.Millisecond

	// coalesce is the time during which wheel and motion events are merged.
	coalesce = frameTime

	// replyPatience is the longest time between two pieces of the terminal's
	// answer about its background.
	replyPatience = time.Second

	// replyFresh is the time after the start during which a key that may be the
	// first byte of the answer holds back the keys after it. Later, only an
	// answer that arrives in one piece is recognised.
	replyFresh = 10 * time.Second
)
