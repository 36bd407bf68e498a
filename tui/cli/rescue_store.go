package cli

import (
	"context"
	"time"

	"caliper/tui/report"
)

// rescueStatusRow is `rescue status`: what the store holds.
func (r *run) rescueStatusRow() row {
	return row{run: func(ctx context.Context, _ []string) (*outcome, error) {
		return r.rescue(ctx, false, func(s rescuing) (*outcome, error) {
			st, err := s.rescuer.Status(ctx)
			most := s.rescuer.StoreCap()
			var expiry any
			if !st.NextExpiry.IsZero() {
				expiry = st.NextExpiry.UTC().Format(time.RFC3339)
			}
			return &outcome{page: report.Store(st, most), value: object{
				{"store", st.Path},
				{"blobs", st.Blobs},
				{"bytes", st.Bytes},
				{"max_bytes", most},
				{"sessions", st.Sessions},
				{"references", st.References},
				{"expired", st.Expired},
				{"tombstones", st.Tombstones},
				{"quarantined", st.Quarantined},
				{"next_expiry", expiry},
			}}, err
		})
	}}
}

// rescueSweepRow is `rescue sweep`: removes what has expired.
func (r *run) rescueSweepRow() row {
	var dryRun bool
	return row{
		flags: func(f flagSet) { f.on(&dryRun, "dry-run", "say what would go and leave it") },
		run: func(ctx context.Context, _ []string) (*outcome, error) {
			return r.rescue(ctx, false, func(s rescuing) (*outcome, error) {
				w, err := s.rescuer.Sweep(ctx, dryRun)
				return &outcome{page: report.Sweep(s.rescuer.Path(), w, dryRun), value: object{
					{"dry_run", dryRun},
					{"expired", w.Expired},
					{"lost", w.Lost},
					{"blobs", w.Blobs},
					{"bytes", w.Bytes},
					{"tombstones", w.Tombstones},
					{"quarantined", w.Quarantined},
					{"abandoned", w.Abandoned},
				}}, err
			})
		},
	}
}
