package rescue

import (
	"errors"
	"fmt"
	"syscall"
	"time"
)

// ForeignStore reports a folder that is not hasMarker. Nothing in it was touched.
type ForeignStore struct {
	Path  string
	Store bool // it is a store, of another version of the program
}

func (e *ForeignStore) Error() string {
	if e.Store {
		return e.Path + ": a rescue store of another version: left alone"
	}
	return fmt.Sprintf("%s: not a rescue store and not empty: left alone", e.Path)
}

// UnsafeStore reports a store that is not its user's alone, or no folder. Nothing in
// it was touched.
type UnsafeStore struct{ Path, Why string }

func (e *UnsafeStore) Error() string { return e.Path + ": not used as a rescue store: " + e.Why }

// NotFile reports something other than a file in the place of content or of a
// reference. It was neither read nor moved.
type NotFile struct{ ID, Tool, What string }

func (e *NotFile) Error() string {
	text := fmt.Sprintf("%s: %s is in the place of the stored content and is left alone; remove it", e.ID, e.What)
	if e.Tool == "" {
		return text
	}
	return fmt.Sprintf("%s and run %q again", text, e.Tool)
}

// BadID reports an id that no blob can have, or a prefix that several have.
type BadID struct{ ID, Problem string }

func (e *BadID) Error() string { return fmt.Sprintf("id %.80q: %s", e.ID, e.Problem) }

// NotHeld reports an id that the session has no reference to. It is the same
// whether the store has the blob for another session or never had it.
type NotHeld struct{ ID string }

func (e *NotHeld) Error() string { return fmt.Sprintf("%s: this session has no such result", e.ID) }

// NotFound reports a reference whose content somebody else took away.
type NotFound struct{ ID, Tool string }

func (e *NotFound) Error() string {
	return fmt.Sprintf("%s: the content is missing from the store; run %q again", e.ID, e.Tool)
}

// Gone reports a result that the session held and that has expired or was
// evicted at When.
type Gone struct {
	ID, Tool string
	When     time.Time
}

func (e *Gone) Error() string {
	return fmt.Sprintf("%s: no longer stored; run %q again", e.ID, e.Tool)
}

// Damaged reports content that does not have the hash it is filed under. It
// was moved to the quarantine; putting the same content again repairs it.
type Damaged struct{ ID, Tool string }

func (e *Damaged) Error() string {
	return fmt.Sprintf("%s: the stored content is damaged and was set aside; run %q again", e.ID, e.Tool)
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
