package cli

import (
	"context"
	"strings"

	"caliper/engine/selection"
	"caliper/tui/report"

	"github.com/spf13/cobra"
)

// selecting is what the flags of select ask for.
type selecting struct {
	preselecting
	turns string // file of a conversation; empty: there is one message
	bytes bool
}

// selectCommand is `select`: the schemas that a message is sent with.
func (r *run) selectCommand() *cobra.Command {
	s := &selecting{preselecting: preselecting{run: r}}
	cmd := &cobra.Command{
		Use:     "select MESSAGE | --turns FILE",
		Short:   "Choose the tools that a message is sent with.",
		GroupID: groupAnswer,
		Example: `caliper select "refund the charge for booking 7" --strategy hybrid
caliper select "refund a charge" --strategy keyword --k 4 --bytes
caliper select --turns - < messages.txt`,
		Long: "The strategy is the config's tools.selection, which is eager unless it is set: every granted tool, " +
			"whatever the message says. A tool that the message names is always chosen. Without its embedder a " +
			"selection goes by keywords, says so, and exits with 0. --turns reads a conversation, one message a " +
			"line, and shows for every strategy how the selection grows and how much of the prompt cache is lost. " +
			"--bytes escapes characters that could act on a terminal, which leaves the value the same.",
		Args: func(cmd *cobra.Command, args []string) error {
			switch {
			case s.turns != "" && len(args) > 0:
				return usageErrorf(cmd, "takes a MESSAGE or --turns, not both")
			case s.turns != "" && s.bytes:
				return usageErrorf(cmd, "--bytes is for one MESSAGE, not for --turns")
			case s.bytes && r.flags.json:
				return usageErrorf(cmd, "--bytes is JSON already, and not with --json")
			case s.turns != "":
				return nil
			}
			return oneMessage(cmd, args)
		},
		RunE: func(cmd *cobra.Command, args []string) error {
			if s.turns != "" {
				return s.converse(cmd.Context())
			}
			return s.once(cmd.Context(), message(args[0]))
		},
	}
	s.strategyFlag(cmd)
	s.kFlag(cmd.Flags())
	textFlag(cmd.Flags(), &s.turns, "turns", "FILE", "answer a conversation, one message a line; - is standard input")
	cmd.Flags().BoolVar(&s.bytes, "bytes", false, "print exactly what would be sent")
	return cmd
}

// oneMessage checks that there is one MESSAGE, which is not blank.
func oneMessage(cmd *cobra.Command, args []string) error {
	if err := argumentCount(1, 1, "one MESSAGE, in quotes")(cmd, args); err != nil {
		return err
	}
	if strings.TrimSpace(args[0]) == "" {
		return usageErrorf(cmd, "MESSAGE: want a value that is not empty")
	}
	return nil
}

// message returns a message as text.
func message(text string) string { return strings.ToValidUTF8(text, "\ufffd") }

// once answers one message.
func (s *selecting) once(ctx context.Context, message string) error {
	if err := s.open(ctx, message, false, false); err != nil {
		return err
	}
	x, err := s.selector.Select(ctx, message, nil)
	if err != nil {
		return err
	}
	s.blame(x.Notes)
	if s.bytes {
		return s.run.writeJSON(append(x.Bytes[:len(x.Bytes):len(x.Bytes)], '\n'))
	}
	return s.run.answer(s.selectionJSON(x), report.Selection(s.chosen(), x, s.sendable()))
}

// selectionJSON returns a selection for JSON, its tools in the order in which
// they are sent.
func (s *selecting) selectionJSON(x selection.Selection) object {
	return object{
		{"message", x.Message},
		{"session", s.st.Snapshot.Session.Name},
		{"strategy", x.Strategy},
		{"k", x.K},
		{"embedder", x.Embedder},
		{"floor", x.Floor},
		{"selected", array(x.Tools, func(t selection.Selected) object {
			return object{
				{"name", t.Tool.Qualified},
				{"reason", t.Reason},
				{"keyword_rank", rankOrNull(t.KeywordRank)},
				{"semantic_rank", rankOrNull(t.SemanticRank)},
				{"similarity", t.Similarity},
				{"score", t.Score},
			}
		})},
		{"schema_tokens", x.SchemaTokens},
		{"eager_tokens", x.EagerTokens},
		{"saved_pct", x.SavedPct},
		{"notes", texts(x.Notes)},
	}
}
