package skills

import (
	"cmp"
	"strings"
	"unicode/utf8"

	"github.com/clipperhouse/displaywidth"

	"caliper/model/words"
)

// hostRules are how an agent lists skills.
type hostRules struct {
	unit    string
	context int // tokens, of a model that is not known
	budget  func(context int) int
	order   func(a, b *Skill) int
	home    []string // places in the user's home, and in a project
	project []string
	leaves  func(s *Skill, text string) Why // nil: none that lies there
	unique  bool                            // of two skills with one name, the first is listed
	called  func(s *Skill) string           // the name that is listed
	text    func(s *Skill) string           // the description before it is cut
	cut     func(text string) string
	line    func(w *row, description string) string
	cost    func(line string) int // with its end
	less    int                   // of all costs, which have one end too many
	fit     func(r *hostRules, rows []row, budget int)
	apart   bool                // names alone stand in a line of their own, in a budget of their own
	named   func(s *Skill) bool // a setting lists its name alone; nil: none can

	own      []ownSkill
	ownFirst bool
}

// ownSkill is a skill that comes with the agent. Only its name and the length of its description
// matter, in the units of the list.
type ownSkill struct {
	name   string
	length int
	fixed  bool
}

// rules are the agents by their names in package hosts. All were measured in November 2026 on
// the versions that package hosts has; testdata has what was sent.
var rules = map[string]*hostRules{
	// The budget is a hundredth of the window, four characters a token, counted in terminal cells. Names and the
	// skills that come with it are listed in any case; then descriptions that fit, whole ones,
	// in the order of their use and of the list. One over 1,536 units of UTF-16 is cut. See Settings.
	"claude-code": {
		unit: "characters", context: 200_000,
		order: func(a, b *Skill) int {
			return cmp.Or(falseFirst(!a.Home, !b.Home), words.CompareLetters(a.Folder, b.Folder), cmp.Compare(a.Path, b.Path))
		},
		home: []string{".claude"}, project: []string{".claude"},
		leaves: func(s *Skill, _ string) Why { return manual(s) },
		unique: true,
		called: func(s *Skill) string {
			if s.Name != s.Folder {
				return s.Folder + " (" + s.Name + ")"
			}
			return s.Name
		},
		text: func(s *Skill) string {
			text := s.Description
			if s.When != "" {
				text += " - " + s.When
			}
			return strings.NewReplacer("<", "&lt;", ">", "&gt;").Replace(lineBreaks().ReplaceAllString(text, " "))
		},
		line: func(w *row, description string) string {
			if description == "" {
				return "- " + w.name
			}
			return "- " + w.name + ": " + description
		},
		cost: func(line string) int { return displaywidth.String(line) + 1 },
		less: 1,
		fit:  (*hostRules).fitWhole,
		own: []ownSkill{
			{"dataviz", 1436, true}, {"update-config", 690, true}, {"keybindings-help", 228, true}, {"code-review", 835, true}, {"simplify", 176, true},
			{"fewer-permission-prompts", 163, true}, {"loop", 336, true}, {"claude-api", 1155, true}, {"workflow-authoring", 230, true}, {"run", 361, true},
			{"plugin-authoring", 255, true}, {"init", 59, false}, {"security-review", 71, false},
		},
	},
	// The budget is a fiftieth of the window in tokens, four bytes of a line each. Every
	// description gets a character in turn; names that do not fit are left out, from the end.
	"codex": {
		unit: "tokens", context: 272_000,
		budget: func(context int) int { return max(1, context*2/100) },
		order: func(a, b *Skill) int {
			return cmp.Or(falseFirst(a.Home, b.Home), cmp.Compare(a.Name, b.Name), cmp.Compare(a.Path, b.Path))
		},
		home: []string{".codex", ".agents"}, project: []string{".codex", ".agents"},
		leaves: func(s *Skill, _ string) Why {
			if utf8.RuneCountInString(s.Name) > MaxName {
				return ForLength
			}
			return ""
		},
		called: func(s *Skill) string { return oneBlank(s.Name) },
		text:   func(s *Skill) string { return oneBlank(s.Description) },
		cut: func(text string) string {
			if utf8.RuneCountInString(text) <= MaxDescription {
				return text
			}
			return string([]rune(text)[:MaxDescription-3]) + "..."
		},
		line: func(w *row, description string) string {
			folder := w.name
			if w.skill != nil {
				folder = w.skill.Folder
			}
			if description != "" {
				description += " "
			}
			return "- " + w.name + ": " + description + "(file: r0/" + folder + "/" + File + ")"
		},
		cost:     func(line string) int { return bytesAsTokens(len(line) + 1) },
		fit:      (*hostRules).fitEvenly,
		ownFirst: true,
		own:      []ownSkill{{"imagegen", 570, false}, {"openai-docs", 624, false}, {"skill-creator", 106, false}, {"skill-installer", 225, false}},
	},
	// The budget is 15,000 units of UTF-16 for entries in XML, whatever the window; the first that
	// does not fit ends the list, and names of the others follow in up to 5,000 characters.
	"copilot-cli": {
		unit: "characters", context: 200_000,
		budget: func(int) int { return 15_000 },
		order: func(a, b *Skill) int {
			return cmp.Or(falseFirst(a.Home, b.Home), falseFirst(a.Home && a.Place == ".agents", b.Home && b.Place == ".agents"), cmp.Compare(a.Name, b.Name), cmp.Compare(a.Path, b.Path))
		},
		home: []string{".copilot", ".agents"}, project: []string{".github", ".agents", ".claude"},
		leaves: func(s *Skill, text string) Why {
			switch {
			case s.Loose:
				return ForYAML
			case words.Units(s.Name) > MaxName, words.Units(text) > MaxDescription:
				return ForLength
			}
			return manual(s)
		},
		unique: true,
		called: func(s *Skill) string { return strings.Join(strings.Fields(s.Name), "-") },
		text:   func(s *Skill) string { return s.Description },
		cut:    func(text string) string { return text },
		line: func(w *row, description string) string {
			where := "project"
			switch {
			case w.skill == nil:
				where = "builtin"
			case w.skill.Home:
				where = "user"
			}
			return "<skill>\n  <name>" + w.name + "</name>\n  <description>" + xmlText.Replace(description) + "</description>\n  <location>" + where + "</location>\n</skill>"
		},
		cost:  func(line string) int { return words.Units(line) + 1 },
		fit:   (*hostRules).fitFirst,
		apart: true,
		own:   []ownSkill{{"customize-cloud-agent", 329, false}, {"github-pr-media", 216, false}},
	},
}

// What Copilot CLI allows for the names of skills that are not listed, and the text before them.
const (
	copilotNames  = 5_000
	copilotBefore = 46
)

var xmlText = strings.NewReplacer("&", "&amp;", "<", "&lt;", ">", "&gt;", `"`, "&quot;", "'", "&apos;")

// falseFirst compares false before true.
func falseFirst(a, b bool) int {
	switch {
	case a == b:
		return 0
	case b:
		return -1
	}
	return 1
}

// Places returns the folders in the user's home, and in a project, in whose "skills" an agent looks; none for one whose list
// is not known. Sources: code.claude.com/docs/en/skills, developers.openai.com/codex/skills (which names .agents alone; Codex
// 0.171.0 reads .codex too) and docs.github.com/copilot/concepts/agents/about-agent-skills, as of November 2026.
func Places(host string) (home, project []string) {
	if r := rules[host]; r != nil {
		home, project = r.home, r.project
	}
	return home, project
}

// manual returns ForManual for a skill that only the user can load.
func manual(s *Skill) Why {
	if s.Manual {
		return ForManual
	}
	return ""
}

// lineBreaks finds the runs of white space that have a tab or a line break.
var lineBreaks = words.LazyRegexp(`[ \t]*[\t\r\n]\s*`)

// oneBlank returns a text with a blank in place of each run of white space.
func oneBlank(text string) string { return strings.Join(strings.Fields(text), " ") }

// bytesAsTokens returns the tokens that Codex takes bytes for.
func bytesAsTokens(n int) int { return (n + 3) / 4 }
