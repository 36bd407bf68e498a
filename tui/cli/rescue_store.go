package cli

import (
	"context"
	"time"

	"caliper/engine/rescue/store"
	"caliper/model"

	"github.com/spf13/cobra"
)

// rescueStatusCommand is `rescue status`: what the store holds.
func (r *run) rescueStatusCommand() *cobra.Command {
	return &cobra.Command{
		Use:   "status",
		Short: "Show where results are kept, how many, and when the next expires.",
		Example: `caliper rescue status --config config.yaml
caliper rescue status --config config.yaml --json`,
		Long: "JSON: {store, blobs, bytes, max_bytes, sessions, references, tombstones, quarantined, next_expiry}, the " +
			"last in UTC, or null when nothing expires.",
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
	if s.run.flags.json {
		out := struct {
			Store       string  `json:"store"`
			Blobs       int     `json:"blobs"`
			Bytes       int64   `json:"bytes"`
			MaxBytes    int64   `json:"max_bytes"`
			Sessions    int     `json:"sessions"`
			References  int     `json:"references"`
			Tombstones  int     `json:"tombstones"`
			Quarantined int     `json:"quarantined"`
			NextExpiry  *string `json:"next_expiry"`
		}{st.Path, st.Blobs, st.Bytes, most, st.Sessions, st.References, st.Tombstones, st.Quarantined, nil}
		if !st.NextExpiry.IsZero() {
			text := st.NextExpiry.UTC().Format(time.RFC3339)
			out.NextExpiry = &text
		}
		return s.run.printJSON(out)
	}
	p := s.run.page()
	expiry := "nothing expires"
	if !st.NextExpiry.IsZero() {
		expiry = st.NextExpiry.UTC().Format(time.RFC3339)
	}
	p.line(p.strong("store"), "  ", cellsOf(st.Path))
	t := table{columns: []column{{}, {grow: true}}}
	t.add("blobs", grouped(st.Blobs))
	t.add("bytes", grouped(int(st.Bytes))+" of "+grouped(int(most)))
	t.add("sessions", grouped(st.Sessions)+" with "+counted(st.References, "reference"))
	t.add("tombstones", grouped(st.Tombstones))
	t.add("quarantined", grouped(st.Quarantined))
	t.add("next expiry", expiry)
	t.print(p)
	return nil
}

// rescueSweepCommand is `rescue sweep`: removes what has expired.
func (r *run) rescueSweepCommand() *cobra.Command {
	var dryRun bool
	cmd := &cobra.Command{
		Use:   "sweep",
		Short: "Remove results that have expired and what nobody refers to.",
		Example: `caliper rescue sweep --dry-run --config config.yaml
caliper rescue sweep --config config.yaml --json`,
		Long: "A session that asks for a result that was swept is told so, with the tool to run again, until the " +
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
	if s.run.flags.json {
		return s.run.printJSON(struct {
			DryRun      bool  `json:"dry_run"`
			Expired     int   `json:"expired"`
			Lost        int   `json:"lost"`
			Blobs       int   `json:"blobs"`
			Bytes       int64 `json:"bytes"`
			Tombstones  int   `json:"tombstones"`
			Quarantined int   `json:"quarantined"`
			Abandoned   int   `json:"abandoned"`
		}{dryRun, w.Expired, w.Lost, w.Blobs, w.Bytes, w.Tombstones, w.Quarantined, w.Abandoned})
	}
	s.sweepText(w, dryRun)
	return nil
}

// sweepText prints what a sweep did for a person.
func (s rescuing) sweepText(w store.Swept, dryRun bool) {
	p := s.run.page()
	verb := "swept"
	if dryRun {
		verb = "would be swept"
	}
	p.line(p.strong(verb), "  ", model.Sanitize(s.rescuer.Path()))
	t := table{columns: []column{{align: right}, {grow: true}}}
	t.add(grouped(w.Expired), "expired references")
	t.add(grouped(w.Lost), "references whose content is missing")
	t.add(grouped(w.Blobs), "blobs that nobody refers to")
	t.add(grouped(int(w.Bytes)), "bytes freed")
	t.add(grouped(w.Tombstones), "old tombstones")
	t.add(grouped(w.Quarantined), "quarantined blobs")
	t.add(grouped(w.Abandoned), "half-done puts of dead processes")
	t.print(p)
}
