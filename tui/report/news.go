package report

// Level is how good or bad the news of a line is.
type Level int

// The levels.
const (
	Info Level = iota
	Good
	Warn
	Bad
)

// Line is one line of what happened, safe for a terminal.
type Line struct {
	Level Level
	Text  string
}

// Linef returns a line by a format, as Textf reads it.
func Linef(l Level, format string, args ...any) Line {
	return Line{l, Textf(format, args...).String()}
}
