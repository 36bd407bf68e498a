// Package lazy delays work of package variables to their first use. Most runs of
// the program use few of them, and a start pays for all that are not delayed.
package lazy

import (
	"regexp"
	"sync"
)

// Regexp returns a function that returns the expression, which it compiles when
// it is called first. It panics then when the expression is wrong.
func Regexp(expression string) func() *regexp.Regexp {
	return sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(expression) })
}
