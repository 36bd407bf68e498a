package cli

import (
	"context"
	"time"

	"caliper/tui/cli/runner"
	"caliper/tui/report"
)

// rescueStatusRow is `rescue status`: what the store holds.
func (r *run) rescueStatusRow() runner.Row {
	return runner.Row{Run: func(ctx context.Context, _ []string) (*runner.Outcome, error) {
		return r.rescue(ctx, false, func(s rescuing) (*runner.Outcome, error) {
			st, err := s.rescuer.Status(ctx)
			most := s.rescuer.StoreCap()
			return &runner.Outcome{Page: report.Store(st, most), Value: runner.Object{
				{"store", st.Path},
				{"blobs", st.Blobs},
				{"bytes", st.Bytes},
				{"max_bytes", most},
				{"sessions", st.Sessions},
				{"references", st.References},
				{"expired", st.Expired},
				{"tombstones", st.Tombstones},
				{"quarantined", st.Quarantined},
				{"next_expiry", runner.NullUnless(!st.NextExpiry.IsZero(), st.NextExpiry.UTC().Format(time.RFC3339))},
			}}, err
		})
	}}
}

// rescueSweepRow is `rescue sweep`: removes what has expired.
func (r *run) rescueSweepRow() runner.Row {
	var dryRun bool
	return runner.Row{
		Flags: func(f runner.FlagSet) { f.On(&dryRun, "dry-run", "say what would go and leave it") },
		Run: func(ctx context.Context, _ []string) (*runner.Outcome, error) {
			return r.rescue(ctx, false, func(s rescuing) (*runner.Outcome, error) {
				w, err := s.rescuer.Sweep(ctx, dryRun)
				return &runner.Outcome{Page: report.Sweep(s.rescuer.Path(), w, dryRun), Value: runner.Object{
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
