//go:build !unix

package rescue

import "os"

// strangers put something that is no file at a path.
var strangers = map[string]func(path string) error{
	"a folder": func(path string) error { return os.Mkdir(path, 0o700) },
}
