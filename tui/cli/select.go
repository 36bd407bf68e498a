package cli

import (
	"context"
	"errors"
	"slices"
	"strings"

	"caliper/engine/selection"
	"caliper/tui/report"
)

// selecting is what the flags of select ask for.
type selecting struct {
	preselecting
	turns string // file of a conversation; empty: there is one message
	bytes bool
}

// selectRow is `select`: the schemas that a message is sent with.
func (r *run) selectRow() row {
	s := &selecting{preselecting: preselecting{run: r}}
	return row{
		args: func(args []string) error {
			switch {
			case s.turns != "" && len(args) > 0:
				return usagef("takes a MESSAGE or --turns, not both")
			case s.turns != "" && s.bytes:
				return usagef("--bytes is for one MESSAGE, not for --turns")
			case s.bytes && r.flags.json:
				return usagef("--bytes is JSON already, and not with --json")
			case s.turns != "":
				return nil
			}
			return oneMessage(args)
		},
		flags: func(f flagSet) {
			names := array(selection.Strategies, func(x selection.Strategy) string { return string(x) })
			f.choice("strategy", "S", strings.Join(names, ", "), names, func(name string) error {
				if s.strategy = name; !slices.Contains(names, name) {
					return errors.New("want " + strings.Join(names, ", "))
				}
				return nil
			})
			s.kFlag(f)
			f.text(&s.turns, "turns", "FILE", "answer a conversation, one message a line; - is standard input")
			f.on(&s.bytes, "bytes", "print exactly what would be sent")
		},
		run: func(ctx context.Context, args []string) (*outcome, error) {
			if s.turns != "" {
				return s.converse(ctx)
			}
			return s.once(ctx, message(args[0]))
		},
	}
}

// oneMessage checks that there is one MESSAGE, which is not blank.
func oneMessage(args []string) error {
	if err := argumentCount(1, 1, "one MESSAGE, in quotes")(args); err != nil {
		return err
	}
	if strings.TrimSpace(args[0]) == "" {
		return usagef("MESSAGE: want a value that is not empty")
	}
	return nil
}

// message returns a message as text.
func message(text string) string { return strings.ToValidUTF8(text, "\ufffd") }

// once answers one message.
func (s *selecting) once(ctx context.Context, message string) (*outcome, error) {
	if err := s.open(ctx, message, false, false); err != nil {
		return nil, err
	}
	x, err := s.selector.Select(ctx, message, nil)
	if err != nil {
		return nil, err
	}
	s.blame(x.Notes)
	if s.bytes {
		return nil, s.run.writeJSON(append(x.Bytes[:len(x.Bytes):len(x.Bytes)], '\n'))
	}
	return &outcome{value: s.selectionJSON(x), page: report.Selection(s.chosen(), x, s.sendable())}, nil
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
