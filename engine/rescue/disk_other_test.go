//go:build !linux

package rescue

import "errors"

// fill is the worker of the full-disk tests, which need Linux.
func fill(string, string) error { return errors.New("not on this system") }
