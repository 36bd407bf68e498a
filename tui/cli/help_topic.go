package cli

import (
	"context"
	"fmt"
	"strings"

	"caliper/model/words"
	"caliper/tui/report"
	"caliper/tui/topics"

	"github.com/spf13/cobra"
)

// topicWidth is the widest that the text of a topic is set, in cells: longer lines
// are hard to read.
const topicWidth = 92

// helpRow is `help`: the page of a topic, or of a command, as its
// --help. A topic comes before a command of its name.
func (r *run) helpRow() row {
	return row{
		reads: noData,
		args:  func([]string) error { return nil },
		complete: func(_ *cobra.Command, args []string, _ string) ([]cobra.Completion, cobra.ShellCompDirective) {
			var list []cobra.Completion
			if len(args) == 0 {
				for _, t := range topics.All {
					list = append(list, cobra.CompletionWithDesc(t.Name, t.Title))
				}
				for _, c := range r.commands {
					list = append(list, cobra.CompletionWithDesc(c.Name(), c.Short))
				}
			}
			return list, cobra.ShellCompDirectiveNoFileComp
		},
		run: func(_ context.Context, args []string) (*outcome, error) {
			if len(args) == 0 {
				return r.listTopics(), nil
			}
			if t, ok := topics.Find(strings.ToLower(args[0])); ok && len(args) == 1 {
				return nil, r.printTopic(t)
			}
			about, rest, err := r.root.Find(args)
			if err != nil || len(rest) > 0 || r.flags.json {
				return nil, r.unknownTopic(strings.Join(args, " "))
			}
			about.InitDefaultHelpFlag()
			return &outcome{page: r.helpPage(about)}, nil
		},
	}
}

// unknownTopic is the error of a word that is neither a topic nor a command, with
// what there is.
func (r *run) unknownTopic(word string) error {
	names := topics.Names()
	known := append([]string{}, names...)
	for _, c := range r.root.Commands() {
		known = append(known, c.Name())
	}
	problem := fmt.Sprintf("no topic or command %q", word)
	if near := words.Nearest(strings.ToLower(word), known); near != "" {
		problem += "; did you mean " + near + "?"
	}
	return usagef("%s; topics: %s", problem, strings.Join(names, ", "))
}

// listTopics lists the commands and the topics.
func (r *run) listTopics() *outcome {
	page := new(report.Report)
	page.Line(report.Strong("caliper"), "  ", r.root.Short)
	for _, g := range r.root.Groups() {
		r.commandGroup(page, g)
	}
	t := report.Columns("", "…")
	for _, topic := range topics.All {
		t.Row(topic.Name, topic.Title)
	}
	titled(page, "Topics", t)
	page.Blank()
	page.Line("caliper help TOPIC, caliper COMMAND --help; caliper --help has the flags of all commands.")
	return &outcome{page: page, value: object{{"topics", array(topics.All, func(t topics.Topic) object {
		return object{{"topic", t.Name}, {"title", t.Title}}
	})}}}
}

// printTopic prints the page of a topic.
func (r *run) printTopic(t topics.Topic) error {
	page := t.Page()
	if !r.flags.json {
		r.printWithin(page, topicWidth)
		return nil
	}
	text, _ := page.Markdown()
	out := object{{"topic", t.Name}, {"title", t.Title}, {"text", text}}
	if t.Name == "glossary" {
		terms := []object{}
		for _, s := range topics.Glossary() {
			for _, term := range s.Terms {
				terms = append(terms, object{{"term", term.Word}, {"also", notNull(term.Also)}, {"meaning", term.Meaning}})
			}
		}
		out = append(out, member{"terms", terms})
	}
	return r.printJSON(out)
}
