package runner

import (
	"context"
	"slices"

	"caliper/config"
	"caliper/engine"
	"caliper/engine/hosts"
	"caliper/tui/workbench"
)

// PrepareIndex makes the index of a snapshot.
func PrepareIndex(ctx context.Context, s *engine.Snapshot) error {
	return s.Prepare(ctx, engine.WorkIndexing)
}

// LoadRanked is loadGood for each of the rankers, in their order, and their
// indexes are made by prepare; for none it is that with the config's.
func (r *Run) LoadRanked(ctx context.Context, names []string, prepare func(context.Context, *engine.Snapshot) error) ([]workbench.State, error) {
	if len(names) == 0 {
		st, err := r.LoadGood(ctx)
		if err == nil {
			err = prepare(ctx, st.Snapshot)
		}
		return []workbench.State{st}, err
	}
	in, err := r.Input()
	if err != nil {
		return nil, err
	}
	states := make([]workbench.State, len(names))
	for i, name := range names {
		in.Flags.Ranker, in.Flags.Host = name, ""
		if hosts.Named(name) != nil {
			in.Flags.Ranker, in.Flags.Host = "", name
		}
		if states[i], err = r.Good(r.LoadInput(ctx, in)); err != nil {
			return nil, err
		}
		if err = prepare(ctx, states[i].Snapshot); err != nil {
			return nil, err
		}
	}
	r.HintAtWarnings(states[0])
	return states, nil
}

// RankerNames returns the rankers, and the hosts that rank as no ranker does.
func RankerNames() []string { return append(slices.Clone(config.Rankers), hosts.Foreign()...) }
