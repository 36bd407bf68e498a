package config

// ReadFloat reads a number from text as the reference agent's language does:
// spaces around it, any script's decimal digits, underscores between digits,
// inf, infinity and nan; no hexadecimal. Beyond the range of float64 it is an
// infinity.
func ReadFloat(text string) (f float64, ok bool) { return readFloat(text) }

// ReadInt reads an integer from text with the liberties of ReadFloat. Beyond
// the range of int64 it is the nearest one.
func ReadInt(text string) (n int64, ok bool) { return readInt(text) }
