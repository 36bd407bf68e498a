package cli

import (
	"context"
	"slices"
	"strings"

	"caliper/config"
	"caliper/engine"
	"caliper/engine/hosts"
	"caliper/tui/workbench"

	"github.com/spf13/cobra"
)

// prepareIndex makes the index of a snapshot.
func prepareIndex(ctx context.Context, s *engine.Snapshot) error {
	return s.Prepare(ctx, engine.WorkIndexing)
}

// loadRanked is loadGood for each of the rankers, in their order, and their
// indexes are made by prepare; for none it is that with the config's.
func (r *run) loadRanked(ctx context.Context, names []string, prepare func(context.Context, *engine.Snapshot) error) ([]workbench.State, error) {
	if len(names) == 0 {
		st, err := r.loadGood(ctx)
		if err == nil {
			err = prepare(ctx, st.Snapshot)
		}
		return []workbench.State{st}, err
	}
	in, err := r.input()
	if err != nil {
		return nil, err
	}
	states := make([]workbench.State, len(names))
	for i, name := range names {
		in.Flags.Ranker, in.Flags.Host = name, ""
		if hosts.Named(name) != nil {
			in.Flags.Ranker, in.Flags.Host = "", name
		}
		if states[i], err = r.good(r.loadInput(ctx, in)); err != nil {
			return nil, err
		}
		if err = prepare(ctx, states[i].Snapshot); err != nil {
			return nil, err
		}
	}
	r.hintAtWarnings(states[0])
	return states, nil
}

// rankerNames returns the rankers, and the hosts that rank as no ranker does.
func rankerNames() []string { return append(slices.Clone(config.Rankers), hosts.Foreign()...) }

// completeRankers completes the last of a list of rankers.
func completeRankers(_ *cobra.Command, _ []string, typed string) ([]string, cobra.ShellCompDirective) {
	return completeLast(rankerNames(), typed), cobra.ShellCompDirectiveNoFileComp
}

// completeLast completes the last of a list of words that are separated by commas, each
// once.
func completeLast(words []string, typed string) []string {
	before := typed[:strings.LastIndex(typed, ",")+1]
	var out []string
	for _, word := range words {
		if !slices.Contains(strings.Split(before, ","), word) {
			out = append(out, before+word)
		}
	}
	return out
}
