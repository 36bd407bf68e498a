package topics

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"caliper/config"
	"caliper/engine"
	"caliper/engine/labels"
	"caliper/engine/whatif"
	"caliper/tui/demo"
	"caliper/tui/report"
	"caliper/tui/workbench"
)

// TourQuery is the query of the tour, and Tool the tool of the demo that should be found
// and is not.
const (
	TourQuery = "drive from the depot to Pike Point"
	TourTool  = "mcp_maps_plan_route"
)

// Paraphrase is a query without a word of Meant, the tool of the demo that it needs, which
// ranker hybrid finds by what the words mean.
const (
	Paraphrase = "are punters happy with us"
	Meant      = "mcp_helpdesk_customer_satisfaction"
)

// tourRankers are the rankers that the labelled queries are measured under.
var tourRankers = []string{config.RankerBM25, config.RankerFielded, config.RankerHybrid}

// Tour is the steps with their answers, and the figures of the answers.
type Tour struct {
	Steps []TourStep

	Found    engine.Results      // of TourQuery
	WhyNot   whatif.Answer       // of TourTool
	Words    string              // that its description lacks
	Draft    string              // its description with these words
	NewRank  int                 // of TourTool with the draft
	Tokens   [2]int              // of Tool before and with the draft
	Measured []labels.Evaluation // of the labelled queries, by rankers
	Drafted  labels.Evaluation   // of the labelled queries, by the first of these with the draft

	Unmeant whatif.Answer // of Paraphrase and Meant, by the ranker of the configuration
	MeantAt int           // the rank of Meant for Paraphrase by hybrid
}

// TourStep is one step.
type TourStep struct {
	Name, Title string
	Command     string // that shows the answer
	Answer      *report.Report
}

// WalkTour computes the tour on the demo as an input holds it. Progress is called with
// the labelled queries that were answered under one ranker. The error is that of an
// input in which the steps cannot be walked, or the context's.
func WalkTour(ctx context.Context, b *workbench.Workbench, in workbench.Input, progress func(done, total int)) (Tour, error) {
	var t Tour
	st, err := loadTour(ctx, b, in)
	if err != nil {
		return t, err
	}
	t.Found = st.Snapshot.Search(TourQuery, 0, 0)
	if t.WhyNot, err = whatif.WhyNot(ctx, b.Builder, st.Snapshot, TourQuery, TourTool, 0); err != nil {
		return t, err
	}
	fix, err := t.fix(ctx, b, in, st)
	if err != nil {
		return t, err
	}
	proof, err := t.prove(ctx, b, in, progress)
	if err != nil {
		return t, err
	}
	if t.Unmeant, err = whatif.WhyNot(ctx, b.Builder, st.Snapshot, Paraphrase, Meant, 0); err != nil {
		return t, err
	}
	in.Flags.Ranker = config.RankerHybrid
	hybrid, err := loadTour(ctx, b, in)
	if err != nil {
		return t, err
	}
	found := hybrid.Snapshot.Search(Paraphrase, 0, 0)
	t.MeantAt = 1 + slices.IndexFunc(found.Hits, func(h engine.Hit) bool { return h.Tool.Qualified == Meant })
	if t.MeantAt == 0 || t.MeantAt > found.Limit || len(t.Unmeant.Nearest) == 0 {
		return t, fmt.Errorf("the demo: %s does not find %s by its meaning", config.RankerHybrid, Meant)
	}
	meaning := report.Search(report.Searched{Results: found, State: hybrid})
	meaning.Blank()
	meaning.Say("%s is found by %s; %s", Meant, t.Unmeant.Nearest[0].String(), t.Unfound()+".")
	search := report.CommandLine("caliper", "search", TourQuery, "--demo")
	t.Steps = []TourStep{
		{"Find", "what the model gets for a question", search, report.Search(report.Searched{Results: t.Found, State: st})},
		{"Why not", "the expected tool is not among them", search + " --why-not " + TourTool, report.WhyNot(t.WhyNot)},
		{"Fix", "one word more in its description, in memory only", "caliper, then t in the explorer", fix},
		{"Threshold", "when tool search switches on, and what it saves", "caliper budget --demo", report.Threshold(st.Snapshot)},
		{"Prove", "labelled queries under three rankers", "caliper eval queries.jsonl --demo --ranker " + strings.Join(tourRankers, ","), proof},
		{"Meaning", "a question without a word of the tool's name", report.CommandLine("caliper", "search", Paraphrase, "--demo", "--ranker", config.RankerHybrid), meaning},
	}
	return t, nil
}

// loadTour returns the state of an input, with its index.
func loadTour(ctx context.Context, b *workbench.Workbench, in workbench.Input) (workbench.State, error) {
	st, err := b.Load(ctx, in)
	if err == nil && len(st.Errors) > 0 {
		err = st.Errors[0]
	}
	if err == nil {
		err = st.Snapshot.Prepare(ctx, engine.WorkIndexing)
	}
	return st, err
}

// fix tries the words that the description lacks, and returns the rank and the
// tokens before and after.
func (t *Tour) fix(ctx context.Context, b *workbench.Workbench, in workbench.Input, before workbench.State) (*report.Report, error) {
	at := slices.IndexFunc(t.WhyNot.Remedies, func(x whatif.Remedy) bool { return x.Kind == whatif.RemedyDescriptionWords })
	tool := t.WhyNot.Tool
	if at < 0 || tool == nil {
		return nil, fmt.Errorf("the demo: no words in the description of %s would help", TourTool)
	}
	t.Words = t.WhyNot.Remedies[at].Change
	t.Draft = whatif.Mention(tool.Description, t.Words)
	in.Flags.Edits = []workbench.Edit{{Tool: tool.Qualified, Description: t.Draft}}
	after, err := loadTour(ctx, b, in)
	if err != nil {
		return nil, err
	}
	edited := after.Snapshot.Registry.Tools[tool.Index]
	t.NewRank, _, _ = after.Snapshot.Rank(TourQuery, edited)
	t.Tokens = [2]int{before.Snapshot.ToolTokens(tool), after.Snapshot.ToolTokens(edited)}
	return report.Draft(t.Words, before.Snapshot, tool, after.Snapshot, edited, TourQuery), nil
}

// Unfound says where the ranker of the configuration has Meant.
func (t *Tour) Unfound() string {
	ranker := t.Measured[0].Ranker
	if t.Unmeant.Rank == nil {
		return ranker + " does not find it"
	}
	return fmt.Sprintf("%s has it on rank %d", ranker, *t.Unmeant.Rank)
}

// prove measures the labelled queries under the rankers: those of the input, else the demo's.
func (t *Tour) prove(ctx context.Context, b *workbench.Workbench, in workbench.Input, progress func(done, total int)) (*report.Report, error) {
	name, data := demo.QueriesFile, demo.Queries()
	if in.Queries != nil {
		name, data = in.Queries.Name, in.Queries.Data
	}
	queries, faults := labels.Parse(name, data)
	if len(faults) > 0 {
		return nil, errors.New("the demo: " + faults[0].Error())
	}
	measure := func(ranker string, edits ...workbench.Edit) (labels.Evaluation, error) {
		in.Flags.Ranker, in.Flags.Edits = ranker, edits
		st, err := loadTour(ctx, b, in)
		if err != nil {
			return labels.Evaluation{}, err
		}
		return labels.Evaluate(ctx, st.Snapshot.Unasked(), queries, progress)
	}
	for _, name := range tourRankers {
		ev, err := measure(name)
		if err != nil {
			return nil, err
		}
		t.Measured = append(t.Measured, ev)
	}
	var err error
	if t.Drafted, err = measure(tourRankers[0], workbench.Edit{Tool: t.WhyNot.Tool.Qualified, Description: t.Draft}); err != nil {
		return nil, err
	}
	proof := report.Metrics(t.Measured)
	proof.Say("With the draft of step 3, %s misses %d of %d.", tourRankers[0], len(t.Drafted.Misses()), len(t.Drafted.Answers))
	return proof, nil
}
