package replay

import "context"

// Single returns the report of one session of the inputs, with every request under every
// strategy, every call and every chain. These bear the number of the session in the inputs. All
// that is reported of the session equals the report of all of them, but for Session.Recomputed
// where the log has sums alone, which takes other sessions. The error is Run's.
func Single(ctx context.Context, in Inputs, session int) (*Report, error) {
	in.Sessions = in.Sessions[session : session+1]
	in.Steps, in.Detail, in.Pack, in.Spend, in.Progress = true, EveryCall, false, false, nil
	report, err := Run(ctx, in)
	if err != nil {
		return nil, err
	}
	for i := range report.Calls {
		report.Calls[i].Session = session
	}
	for i := range report.Chains {
		report.Chains[i].Session = session
	}
	return report, nil
}
