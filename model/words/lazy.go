package words

import (
	"regexp"
	"sync"
)

// LazyRegexp returns a function that returns the expression, which it compiles when
// it is called first. It panics then when the expression is wrong.
func LazyRegexp(expression string) func() *regexp.Regexp {
	return sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(expression) })
}
