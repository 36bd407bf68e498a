package cli

import (
	"context"
	"strconv"

	"caliper/tui/report"
	"caliper/tui/topics"

	"github.com/spf13/cobra"
)

// tourCommand is `tour`: five steps on the demo. In a terminal the explorer shows
// them.
func (r *run) tourCommand() *cobra.Command {
	return &cobra.Command{
		Use:         "tour",
		Short:       "Walk through five steps on the demo: find, why not, fix, threshold, prove.",
		GroupID:     groupAbout,
		Annotations: map[string]string{withoutRegistry: ""},
		Example: `caliper tour
caliper tour --json`,
		Long: "In a terminal the explorer walks through the steps. Elsewhere, and with --json, they are printed, each with the command " +
			"that shows it. Every answer is computed. JSON: {steps: [{step, command, text}]}.",
		Args: argumentCount(0, 0, ""),
		RunE: func(cmd *cobra.Command, _ []string) error {
			if r.flags.ownData() {
				return usageErrorf(cmd, "is about the demo, and takes neither --registry nor --config")
			}
			if r.env.Explore != nil && r.env.StdinTerminal && r.env.StdoutTerminal && !r.flags.json {
				r.flags.tour = true
				return r.exploreDemo(cmd.Context(), "")
			}
			return r.printTour(cmd.Context())
		},
	}
}

// printTour prints the steps.
func (r *run) printTour(ctx context.Context) error {
	in, err := r.input()
	r.demoUnasked = false // the tour says that it is about the demo
	if err != nil {
		return err
	}
	p := r.progress("labelled queries")
	walked, err := topics.WalkTour(ctx, r.bench, in, p.report)
	p.clear()
	if err != nil {
		return err
	}
	steps := walked.Steps
	if r.flags.json {
		return r.printJSON(object{{"steps", array(steps, func(s topics.TourStep) object {
			text, _ := s.Answer.Markdown()
			return object{{"step", s.Name}, {"command", s.Command}, {"text", text}}
		})}})
	}
	page := new(report.Report)
	page.Head("tour", "tool search in five steps, on the demo: the tools of an invented boat hire")
	for i, s := range steps {
		page.Blank()
		page.Line(report.Strong("%s  %s", strconv.Itoa(i+1), s.Name), "  "+s.Title)
		page.Line("   ", report.Faint("%s", s.Command))
		page.Blank()
		page.Add(s.Answer)
	}
	page.Blank()
	page.Line(report.Strong("Next"))
	page.Say("caliper import --mcp-config FILE lists the servers of your own client; caliper help basics explains the words.")
	r.print(page)
	return nil
}
