package cli

import (
	"context"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"

	"caliper/engine/selection"
	"caliper/model"
	"caliper/tui/cli/runner"
	"caliper/tui/report"
)

// selectRow is `select`: the schemas that a message is sent with.
func (r *run) selectRow() runner.Row {
	s := &runner.Preselecting{Run: r.Run}
	var turns string // file of a conversation; empty: there is one message
	var bytes bool
	return runner.Row{
		Args: func(args []string) error {
			switch {
			case turns != "" && len(args) > 0:
				return runner.Usagef("takes a MESSAGE or --turns, not both")
			case turns != "" && bytes:
				return runner.Usagef("--bytes is for one MESSAGE, not for --turns")
			case bytes && r.Flags.JSON:
				return runner.Usagef("--bytes is JSON already, and not with --json")
			case turns != "":
				return nil
			}
			return oneMessage(args)
		},
		Flags: func(f runner.FlagSet) {
			names := runner.Array(selection.Strategies, func(x selection.Strategy) string { return string(x) })
			f.Choice("strategy", "S", strings.Join(names, ", "), names, func(name string) error {
				if s.Strategy = name; !slices.Contains(names, name) {
					return errors.New("want " + strings.Join(names, ", "))
				}
				return nil
			})
			s.KFlag(f)
			f.Text(&turns, "turns", "FILE", "answer a conversation, one message a line; - is standard input")
			f.On(&bytes, "bytes", "print exactly what would be sent")
		},
		Run: func(ctx context.Context, args []string) (*runner.Outcome, error) {
			if turns != "" {
				return converse(ctx, s, turns)
			}
			message := runner.Message(args[0])
			if err := s.Open(ctx, message, false, false); err != nil {
				return nil, err
			}
			x, err := s.Selector.Select(ctx, message, nil)
			if err != nil {
				return nil, err
			}
			s.Blame(x.Notes)
			if bytes {
				return nil, r.WriteJSON(append(x.Bytes[:len(x.Bytes):len(x.Bytes)], '\n'))
			}
			value := runner.Object{ // its tools in the order in which they are sent
				{"message", x.Message},
				{"session", s.State.Snapshot.Session.Name},
				{"strategy", x.Strategy},
				{"k", x.K},
				{"embedder", x.Embedder},
				{"floor", x.Floor},
				{"selected", runner.Array(x.Tools, func(t selection.Selected) runner.Object {
					return runner.Object{
						{"name", t.Tool.Qualified},
						{"reason", t.Reason},
						{"keyword_rank", runner.OrNull(t.KeywordRank)},
						{"semantic_rank", runner.OrNull(t.SemanticRank)},
						{"similarity", t.Similarity},
						{"score", t.Score},
					}
				})},
				{"schema_tokens", x.SchemaTokens},
				{"eager_tokens", x.EagerTokens},
				{"saved_pct", x.SavedPct},
				{"notes", runner.Texts(x.Notes)},
			}
			sendable := 0 // tools that the session may be sent
			for _, t := range s.State.Snapshot.Registry.Tools {
				if s.MaySend(t) {
					sendable++
				}
			}
			return &runner.Outcome{Value: value, Page: report.Selection(s.Chosen, x, sendable)}, nil
		},
	}
}

// oneMessage checks that there is one MESSAGE, which is not blank.
func oneMessage(args []string) error {
	if err := runner.ArgumentCount(1, 1, "one MESSAGE, in quotes")(args); err != nil {
		return err
	}
	if strings.TrimSpace(args[0]) == "" {
		return runner.Usagef("MESSAGE: want a value that is not empty")
	}
	return nil
}

// converse answers the conversation of a file, or of - for standard input.
func converse(ctx context.Context, s *runner.Preselecting, name string) (*runner.Outcome, error) {
	data, err := []byte(nil), error(nil)
	if name == "-" {
		name = "standard input"
		if data, err = io.ReadAll(s.Run.In); err != nil {
			return nil, fmt.Errorf("reading messages: %w", err)
		}
	} else if data, err = runner.ReadInput(name); err != nil {
		return nil, err
	}
	messages := parseConversation(data)
	if len(messages) == 0 {
		return nil, runner.InputError(name, "no message in this file: want one a line")
	}
	if err := s.Open(ctx, messages[0], true, false); err != nil {
		return nil, err
	}
	threads, err := s.Selector.Converse(ctx, messages, s.Run.Counts("turns"))
	if err != nil {
		return nil, err
	}
	var notes []selection.Note
	for _, t := range threads[len(threads)-1].Turns { // of hybrid
		notes = append(notes, t.Selection.Notes...)
	}
	s.Blame(notes)
	names := func(tools []*model.Tool) []string {
		return runner.Array(tools, func(t *model.Tool) string { return t.Qualified })
	}
	value := runner.Object{ // of every strategy, with what changed in each turn against the one before
		{"session", s.State.Snapshot.Session.Name},
		{"k", s.Settings.K},
		{"embedder", threads[len(threads)-1].Turns[0].Selection.Embedder},
		{"messages", messages},
		{"threads", runner.Array(threads, func(t selection.Thread) runner.Object {
			return runner.Object{
				{"strategy", t.Strategy},
				{"sticky", t.Sticky},
				{"schema_tokens", t.SchemaTokens},
				{"lost_tokens", t.LostTokens},
				{"stability", t.Stability},
				{"kept", t.Kept},
				{"turns", runner.Array(t.Turns, func(turn selection.Turn) runner.Object {
					x := turn.Selection
					return runner.Object{
						{"tools", len(x.Tools)},
						{"schema_tokens", x.SchemaTokens},
						{"added", names(turn.Added)},
						{"dropped", names(turn.Dropped)},
						{"lost_tokens", turn.LostTokens},
						{"notes", runner.Texts(x.Notes)},
					}
				})},
			}
		})},
	}
	return &runner.Outcome{Value: value, Page: report.Conversation(s.Chosen, messages, threads)}, nil
}

// parseConversation returns the messages of a conversation, one a line; blank
// lines are none of it.
func parseConversation(data []byte) []string {
	var messages []string
	for line := range strings.Lines(strings.TrimPrefix(runner.Message(string(data)), "\uFEFF")) {
		if line = strings.TrimRight(line, "\r\n"); strings.TrimSpace(line) != "" {
			messages = append(messages, line)
		}
	}
	return messages
}
