//go:build !linux && !darwin

package newfile

import "errors"

// exchange is a step that this system does not have.
func exchange(string, string) error { return errors.ErrUnsupported }
