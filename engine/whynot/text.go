package whynot

import (
	"fmt"

	"caliper/engine"
	"caliper/model/message"
	"caliper/model/safetext"
)

// String returns the stage in a sentence or two, with the figures. It is safe
// for a terminal.
func (w Answer) String() string {
	text := w.stageText()
	if w.Direct {
		text += " Search is not active in this session: the model is sent the tool in full, and searches for nothing."
	}
	return message.Text(text)
}

// stageText is String for a session in which search is active.
func (w Answer) stageText() string {
	name := safetext.Line(w.Name)
	switch w.Stage {
	case StageUnknown:
		switch {
		case w.bearers > 1:
			return fmt.Sprintf("%d tools are called %s: each has an answer of its own, by its name with its toolset.", w.bearers, name)
		case engine.IsBridge(w.Name):
			return name + " is a tool of the bridge, which no search returns."
		}
		return "No tool of the registry is called " + name + "."
	case StageCore:
		if w.chosen {
			return name + " is selected for this message: it is sent in full, and no search returns it."
		}
		return name + " is a core tool: it is sent in full, and no search returns it."
	case StageOutOfScope:
		return w.outOfScope(name)
	case StageNoMatch:
		if w.gate != "" {
			return "The query does not find " + name + ", which is " + w.gate + "."
		}
		return "Nothing of the query stands in " + name + ", so that it has no score."
	case StageBelowLimit:
		if *w.Gap == 0 {
			return fmt.Sprintf("%s ranks %d, behind the limit of %d, with the score of the last hit within it, which stands before it by name.",
				name, *w.Rank, w.Limit)
		}
		return fmt.Sprintf("%s ranks %d, behind the limit of %d: its score of %.3f is %.3f short of the cut line's %.3f.",
			name, *w.Rank, w.Limit, *w.Score, *w.Gap, *w.CutScore)
	}
	return fmt.Sprintf("%s ranks %d with a score of %.3f, within the limit of %d.", name, *w.Rank, *w.Score, w.Limit)
}

// outOfScope is String for a tool that the session is not granted.
func (w Answer) outOfScope(name string) string {
	text := "This session is not granted " + name + "."
	switch {
	case !w.Tool.Available:
		text = name + " is in no session: its availability check failed."
	case w.Rank != nil:
		text += fmt.Sprintf(" Granted everything, it would find it at rank %d, with the limit at %d.", *w.Rank, w.Limit)
	case w.core:
		text += " It is a core tool, which no search returns."
	case w.gate != "":
		text += " Granted everything, it would not find it either: " + w.gate + "."
	default:
		text += " Nothing of the query stands in it."
	}
	return text
}

// Advice returns a sentence that leads to the remedies, or says that there is
// none; it is empty where none is needed or none could be.
func (w Answer) Advice() string { return message.Text(w.advice()) }

func (w Answer) advice() string {
	switch {
	case w.Tool == nil || w.core || w.Stage == StageFound || !w.Tool.Available:
		return ""
	case len(w.Remedies) > 0:
		return "Each of these brings it within the limit:"
	case w.Stage == StageOutOfScope:
		return "No session that was tried finds it by this query within the limit."
	}
	return "Nothing within reach brings it within the limit: neither its own words in the query or the query's in its description, nor a higher limit, another session or its name."
}

// String returns the change in words, without the rank that it leads to. It is
// safe for a terminal.
func (r Remedy) String() string { return message.Text(r.text()) }

func (r Remedy) text() string {
	change := safetext.Line(r.Change)
	switch r.Kind {
	case RemedyQueryWord:
		return fmt.Sprintf(`add "%s" to the query`, change)
	case RemedyDescriptionWords:
		return fmt.Sprintf(`add "%s" to its description`, change)
	case RemedyLimit:
		return fmt.Sprintf("ask for %s hits", change)
	case RemedySession:
		if r.Direct {
			return "work in session " + change + ", where search is not active and the tool is sent in full"
		}
		return "search in session " + change
	}
	return "search for its name, " + change
}
