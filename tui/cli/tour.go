package cli

import (
	"context"
	"strconv"

	"caliper/tui/report"
	"caliper/tui/topics"
)

// tourRow is `tour`: six steps on the demo. In a terminal the explorer shows
// them.
func (r *run) tourRow() row {
	return row{reads: noRegistry, run: func(ctx context.Context, _ []string) (*outcome, error) {
		if r.flags.ownData() {
			return nil, usagef("is about the demo, and takes neither --registry nor --config")
		}
		if r.env.Explore != nil && r.env.StdinTerminal && r.env.StdoutTerminal && !r.flags.json {
			r.flags.tour = true
			return nil, r.exploreDemo(ctx, "")
		}
		return r.walked(ctx)
	}}
}

// walked returns the steps.
func (r *run) walked(ctx context.Context) (*outcome, error) {
	in, err := r.input()
	r.demoUnasked = false // the tour says that it is about the demo
	if err != nil {
		return nil, err
	}
	walked, err := topics.WalkTour(ctx, r.bench, in, r.counts("labelled queries"))
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
	return &outcome{page: page, value: object{{"steps", array(walked.Steps, func(s topics.TourStep) object {
		text, _ := s.Answer.Markdown()
		return object{{"step", s.Name}, {"command", s.Command}, {"text", text}}
	})}}}, nil
}
