package runner

import (
	"strconv"
	"strings"

	"caliper/engine/labels"
	"caliper/engine/lint"
	"caliper/engine/retrieval"
	"caliper/model/words"
	"caliper/tui/report/replays"
)

// page is the help of a command.
type page struct{ Name, Group, use, short, example, long string }

// Pages returns the pages of all commands, in the order of the help. Their source is
// Markdown:
//
//	# title          a group of commands
//	## usage         a command, whose name is its first words in small letters
//	    command      an example
//	text             a paragraph, to the next empty line; the first says in a line what the
//	                 command does, and a \ at the end of a line breaks it
//
// {{name}} is a value of the code.
func Pages(source string) []page {
	values := strings.NewReplacer("\\\n", "\x00", "{{depth}}", strconv.Itoa(labels.EvaluationDepth), "{{max-rank}}", strconv.Itoa(retrieval.MaxRank),
		"{{large}}", words.Thousands(lint.MapWithinBounds), "{{replay-reads}}", replays.ReplayReads, "{{replay-boundary}}", replays.ReplayBoundary)
	var all []page
	group := ""
	for block := range strings.SplitSeq(source, "\n\n") {
		if strings.Contains(block, "{{") || strings.Contains(block, "\\\n") { // every command pays for what is made here
			block = values.Replace(block)
		}
		switch mark, rest, _ := strings.Cut(strings.TrimSuffix(block, "\n"), " "); mark {
		case "#":
			group = rest
		case "##":
			name, of := commandName(rest), group
			use := name[strings.LastIndex(name, " ")+1:] + rest[len(name):]
			if use != rest {
				of = "" // of the command above it
			}
			all = append(all, page{Name: name, Group: of, use: use})
		default:
			all[len(all)-1].add(block)
		}
	}
	return all
}

// commandName returns the first words in small letters.
func commandName(usage string) string {
	for i, c := range usage {
		if c != ' ' && (c < 'a' || c > 'z') {
			return strings.TrimSpace(usage[:i])
		}
	}
	return usage
}

// add adds a paragraph.
func (p *page) add(block string) {
	text := strings.ReplaceAll(strings.ReplaceAll(strings.TrimSpace(block), "\n", " "), "\x00", "\n")
	switch {
	case p.short == "":
		p.short = text
	case p.example == "":
		p.example = strings.ReplaceAll(block[4:], "\n    ", "\n")
	case p.long == "":
		p.long = text
	default:
		p.long += "\n\n" + text
	}
}
