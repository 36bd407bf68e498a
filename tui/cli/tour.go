package cli

import (
	"context"
	"strconv"

	"caliper/tui/cli/runner"
	"caliper/tui/report"
	"caliper/tui/topics"
)

// tourRow is `tour`: six steps on the demo. In a terminal the explorer shows
// them.
func (r *run) tourRow() runner.Row {
	return runner.Row{Reads: runner.NoRegistry, Run: func(ctx context.Context, _ []string) (*runner.Outcome, error) {
		if r.Flags.OwnData() {
			return nil, runner.Usagef("is about the demo, and takes neither --registry nor --config")
		}
		if r.Env.Explore != nil && r.Env.StdinTerminal && r.Env.StdoutTerminal && !r.Flags.JSON {
			r.Flags.Tour = true
			return nil, r.exploreDemo(ctx, "")
		}
		in, err := r.Input()
		r.DemoUnasked = false // the tour says that it is about the demo
		if err != nil {
			return nil, err
		}
		walked, err := topics.WalkTour(ctx, r.Bench, in, r.Counts("labelled queries"))
		if err != nil {
			return nil, err
		}
		page := new(report.Report)
		page.Head("tour", "tool search in six steps, on the demo: the tools of an invented boat hire")
		for i, s := range walked.Steps {
			page.Blank()
			page.Line(report.Strong("%s  %s", strconv.Itoa(i+1), s.Name), "  "+s.Title)
			page.Line("   ", report.Faint("%s", s.Command))
			page.Blank()
			page.Add(s.Answer)
		}
		page.Blank()
		page.Line(report.Strong("Next"))
		page.Say("caliper import --mcp-config FILE lists the servers of your own client; caliper help basics explains the words.")
		return &runner.Outcome{Page: page, Value: runner.Object{{"steps", runner.Array(walked.Steps, func(s topics.TourStep) runner.Object {
			text, _ := s.Answer.Markdown()
			return runner.Object{{"step", s.Name}, {"command", s.Command}, {"text", text}}
		})}}}, nil
	}}
}
