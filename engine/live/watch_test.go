package live

import (
	"context"
	"errors"
	"slices"
	"testing"
	"testing/synctest"
	"time"
)

// reads returns when the list is read, given when changes are announced, both
// as times since the beginning. The clock is the bubble's. Reading takes
// a while, in which announcements are kept as the session keeps them.
func reads(t *testing.T, announcements []time.Duration, takes time.Duration) (at []time.Duration) {
	synctest.Test(t, func(t *testing.T) {
		ctx, cancel := context.WithCancel(t.Context())
		start := time.Now()
		announced := make(chan time.Time, 1)
		for _, d := range announcements {
			time.AfterFunc(d, func() {
				select {
				case announced <- time.Now():
				default:
				}
			})
		}
		time.AfterFunc(announcements[len(announcements)-1]+time.Minute, cancel)
		err := afterAnnouncements(ctx, announced, nil, func() error {
			at = append(at, time.Since(start))
			<-time.After(takes)
			return nil
		})
		if !errors.Is(err, context.Canceled) {
			t.Errorf("ended with %v", err)
		}
	})
	return at
}

func TestAfterAnnouncements(t *testing.T) {
	every := func(step, until time.Duration) (all []time.Duration) {
		for d := time.Duration(0); d <= until; d += step {
			all = append(all, d)
		}
		return all
	}
	ms := func(n ...int) (all []time.Duration) {
		for _, n := range n {
			all = append(all, time.Duration(n)*time.Millisecond)
		}
		return all
	}
	for _, c := range []struct {
		name          string
		announcements []time.Duration
		takes         time.Duration
		want          []time.Duration
	}{
		{"one", ms(10), 0, ms(210)},
		{"a burst is read once", ms(0, 50, 100, 299), 0, ms(499)},
		{"two bursts", ms(0, 100, 1000), 0, ms(300, 1200)},
		{"never calm", every(110*time.Millisecond, 4*time.Second), 0, ms(1500, 3040, 4160)},
		{"announced while it is read", ms(0, 300, 400), time.Second, ms(200, 1400)},
		{"overdue while it is read", ms(0, 300), 3 * time.Second, ms(200, 3200)},
	} {
		t.Run(c.name, func(t *testing.T) {
			if got := reads(t, c.announcements, c.takes); !slices.Equal(got, c.want) {
				t.Errorf("read at %v, want %v", got, c.want)
			}
		})
	}
}

func TestAfterAnnouncementsEnds(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		broken := errors.New("broken")
		gone := make(chan error, 1)
		gone <- broken
		if err := afterAnnouncements(t.Context(), nil, gone, nil); !errors.Is(err, broken) || !errors.Is(err, ErrEnded) {
			t.Errorf("error is %v", err)
		}
		announced := make(chan time.Time, 1)
		announced <- time.Now()
		if err := afterAnnouncements(t.Context(), announced, nil, func() error { return broken }); err != broken {
			t.Errorf("error is %v", err)
		}
	})
}
