package rescue

import (
	"errors"
	"fmt"
	"syscall"
)

// The stable codes of errors of a blob; package fetch has those of requests.
const (
	CodeBadID    = "bad_id"    // no blob can have the id, or several have the prefix
	CodeNotHeld  = "not_held"  // the session has no such reference, whether another one has it or not
	CodeGone     = "gone"      // the session held it, and it has expired or was evicted
	CodeNotFound = "not_found" // somebody else took the content away
	CodeDamaged  = "damaged"   // the content does not have the hash it is filed under, or is no file
)

// Error is the reason why a request has no answer. Text is one sentence that names the remedy;
// foreign text in it is quoted.
type Error struct{ Code, Text string }

// Error returns the sentence.
func (e *Error) Error() string { return e.Text }

// Errorf returns an Error with a formatted text.
func Errorf(code, format string, a ...any) *Error {
	return &Error{Code: code, Text: fmt.Sprintf(format, a...)}
}

// StoreFull reports a result that does not fit: into the cap (Cap is not 0, Err is
// nil), or onto the disk (Err is the system's error). What was stored before
// is still there.
type StoreFull struct {
	Cap int64 // bytes
	Err error
}

func (e *StoreFull) Error() string {
	if e.Err != nil {
		return fmt.Sprintf("no room to store the result: %v", e.Err)
	}
	return fmt.Sprintf("the result is larger than the whole store may be (%d bytes)", e.Cap)
}

// Unwrap returns the system's error, if there is one.
func (e *StoreFull) Unwrap() error { return e.Err }

// full makes a StoreFull of an error that says the disk, the quota or the largest
// allowed file is used up, and leaves any other as it is. Which temporary file
// met it is nothing to tell.
func full(err error) error {
	for _, cause := range []error{syscall.ENOSPC, syscall.EDQUOT, syscall.EFBIG} {
		if errors.Is(err, cause) {
			return &StoreFull{Err: cause}
		}
	}
	return err
}
