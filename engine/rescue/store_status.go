package rescue

import (
	"cmp"
	"context"
	"fmt"
	"io/fs"
	"slices"
	"time"

	"caliper/model"
)

// StoreStatus is the content of a store in numbers.
type StoreStatus struct {
	Path                                                 string
	Blobs, Sessions, References, Tombstones, Quarantined int
	Expired                                              int       // of References: their time is over, and the next sweep takes them
	Bytes                                                int64     // of blobs and quarantine, what the cap counts
	NextExpiry                                           time.Time // of the others; zero when nothing expires
}

// Status counts the store. References whose time is over count until a sweep.
func (s *Store) Status(ctx context.Context) (StoreStatus, error) {
	st := StoreStatus{Path: s.path}
	err := s.shared(ctx, func() error {
		stored, err := s.stored()
		if err != nil {
			return err
		}
		aside, err := s.aside()
		if err != nil {
			return err
		}
		st.Blobs, st.Quarantined = len(stored), len(aside)
		for _, b := range slices.Concat(stored, aside) {
			st.Bytes += b.bytes
		}
		held, err := s.held(ctx)
		if err != nil {
			return err
		}
		st.References = len(held)
		owners := map[string]bool{}
		for _, h := range held {
			owners[h.owner] = true
			if s.expired(h) {
				st.Expired++
			} else if x := h.Expires; !x.IsZero() && (st.NextExpiry.IsZero() || x.Before(st.NextExpiry)) {
				st.NextExpiry = x
			}
		}
		st.Sessions = len(owners)
		return s.eachNote(tombstones, func(string, string, fs.DirEntry) error {
			st.Tombstones++
			return nil
		})
	})
	if err != nil {
		return StoreStatus{}, fmt.Errorf("status: %w", err)
	}
	return st, nil
}

// References returns every session's references, the latest put first, then by
// session and id. It is for the owner of the store, not for a session.
func (s *Store) References(ctx context.Context) ([]Reference, error) {
	var list []Reference
	err := s.shared(ctx, func() (err error) {
		list, err = s.held(ctx)
		return err
	})
	if err != nil {
		return nil, fmt.Errorf("references: %w", err)
	}
	model.Sort(list, func(a, b Reference) int {
		return cmp.Or(b.Meta.Stored.Compare(a.Meta.Stored), cmp.Compare(a.Meta.Session, b.Meta.Session), cmp.Compare(a.Meta.ID, b.Meta.ID))
	})
	return list, nil
}

// held reads all references. The caller holds the lock.
func (s *Store) held(ctx context.Context) (list []Reference, err error) {
	err = s.eachNote(refs, func(owner, id string, _ fs.DirEntry) error {
		if err := ctx.Err(); err != nil {
			return err
		}
		r, err := s.readNote(refs, owner, id)
		list = append(list, r)
		return err
	})
	return list, err
}
