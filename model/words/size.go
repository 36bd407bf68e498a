package words

import (
	"fmt"
	"strconv"
)

// Size returns a number of bytes in words: "1 byte", "12.3 kB", "4.0 MB", with
// powers of 1000. It must not be negative.
func Size(n int) string {
	switch {
	case n == 1:
		return "1 byte"
	case n < 1000:
		return strconv.Itoa(n) + " bytes"
	case n < 1_000_000:
		return fmt.Sprintf("%.1f kB", float64(n)/1000)
	}
	return fmt.Sprintf("%.1f MB", float64(n)/1e6)
}
