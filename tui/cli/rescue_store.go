package cli

import (
	"caliper/tui/report"
	"context"
	"time"

	"github.com/spf13/cobra"
)

// rescueStatusCommand is `rescue status`: what the store holds.
func (r *run) rescueStatusCommand() *cobra.Command {
	return &cobra.Command{
		Use:   "status",
		Short: "Show where results are kept, how many, and when the next expires.",
		Example: `caliper rescue status --config config.yaml
caliper rescue status --config config.yaml --json`,
		Long: "JSON: {store, blobs, bytes, max_bytes, sessions, references, expired, tombstones, quarantined, next_expiry}: " +
			"expired counts the references whose time is over, which the next put, fetch or sweep removes; next_expiry is that of the " +
			"others, in UTC, or null when nothing expires.",
		Args: argumentCount(0, 0, ""),
		RunE: func(cmd *cobra.Command, _ []string) error {
			return r.rescue(cmd.Context(), false, func(s rescuing) error { return s.status(cmd.Context()) })
		},
	}
}

// status prints what the store holds.
func (s rescuing) status(ctx context.Context) error {
	st, err := s.rescuer.Status(ctx)
	if err != nil {
		return err
	}
	most := s.rescuer.StoreCap()
	var expiry any
	if !st.NextExpiry.IsZero() {
		expiry = st.NextExpiry.UTC().Format(time.RFC3339)
	}
	return s.run.answer(object{
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
	}, report.Store(st, most))
}

// rescueSweepCommand is `rescue sweep`: removes what has expired.
func (r *run) rescueSweepCommand() *cobra.Command {
	var dryRun bool
	cmd := &cobra.Command{
		Use:   "sweep",
		Short: "Remove results that have expired and what nobody refers to.",
		Example: `caliper rescue sweep --dry-run --config config.yaml
caliper rescue sweep --config config.yaml --json`,
		Long: "A session that asks for a swept result is answered with the tool to run again, until the " +
			"tombstone goes too. JSON: {dry_run, expired, lost, blobs, bytes, tombstones, quarantined, abandoned}.",
		Args: argumentCount(0, 0, ""),
		RunE: func(cmd *cobra.Command, _ []string) error {
			return r.rescue(cmd.Context(), false, func(s rescuing) error { return s.sweep(cmd.Context(), dryRun) })
		},
	}
	cmd.Flags().BoolVar(&dryRun, "dry-run", false, "say what would go and leave it")
	return cmd
}

// sweep sweeps the store and prints what that did.
func (s rescuing) sweep(ctx context.Context, dryRun bool) error {
	w, err := s.rescuer.Sweep(ctx, dryRun)
	if err != nil {
		return err
	}
	return s.run.answer(object{
		{"dry_run", dryRun},
		{"expired", w.Expired},
		{"lost", w.Lost},
		{"blobs", w.Blobs},
		{"bytes", w.Bytes},
		{"tombstones", w.Tombstones},
		{"quarantined", w.Quarantined},
		{"abandoned", w.Abandoned},
	}, report.Sweep(s.rescuer.Path(), w, dryRun))
}
