package live

import (
	"errors"
	"fmt"
	"path/filepath"
	"slices"
	"strings"

	"caliper/model/words"
)

// dialect is the set of references that a client replaces in its configuration.
type dialect byte

const (
	// literal replaces nothing, as Claude Desktop, Zed and Codex do.
	literal dialect = iota
	// braces replaces ${NAME} and ${NAME:-default} (Claude Code, Hermes),
	// ${env:NAME} (Cursor, VS Code) and ${input:ID} (VS Code). No client's
	// forms contradict another's, so one set serves them all.
	braces
	// keptBraces replaces ${NAME} and ${NAME:-default} and leaves a variable that is not
	// set as it is written: Claude Code starts the server so, with a warning (measured
	// with 2.1.332).
	keptBraces
	// references replaces {env:NAME}, as OpenCode does. It reads files by
	// {file:PATH}, which nothing here does: that is a variable that is not set.
	references
	// shellWords replaces $NAME and ${NAME}, as Crush does.
	//
	// SECURITY: Crush runs what stands in $(...). Nothing here does: that is a
	// variable that is not set.
	shellWords
	// keptWords replaces $NAME and ${NAME} and leaves a variable that is not set as it is
	// written, and one with a default, as Qwen Code does (measured with 0.24.4).
	keptWords
	// keptDefaults replaces ${NAME:-default} besides, as Copilot CLI does (1.0.102).
	keptDefaults
	// emptiedDefaults does that and sends an empty text for an environment variable or a header
	// of an entry that refers to one that is not set, as Gemini CLI does (0.61.0).
	emptiedDefaults
)

// MissingError is the error of a variable that is not set.
type MissingError struct {
	Server   string
	Where    string // such as "args[1]" or "header Authorization"
	Variable string // as lookup was asked for it
}

// Error returns one line that can be printed.
func (e *MissingError) Error() string {
	what := "is not set"
	if strings.HasPrefix(e.Variable, "input:") {
		what = "is asked of the user by the client"
	}
	switch e.Variable {
	case "file:":
		return fmt.Sprintf("server %q: %s: the client reads it from a file, which is not done here", plain(e.Server), e.Where)
	case "$(":
		return fmt.Sprintf("server %q: %s: the client runs a command for it, which is not done here", plain(e.Server), e.Where)
	}
	return fmt.Sprintf("server %q: %s: variable %s %s", plain(e.Server), e.Where, plain(e.Variable), what)
}

// Expand returns the server with every variable replaced as its client does,
// in the command, its arguments, folder and environment, the address and the
// headers. What Expand puts in is not in the exported fields of the result.
//
// lookup is asked for the name of an environment variable (NAME and env:NAME
// are both NAME), and for "input:ID" where the client would ask its user. A
// variable that it does not know and that has no default is a *MissingError, or is in Unset
// where the client starts the server all the same.
func (s Server) Expand(lookup func(name string) (value string, ok bool)) (Server, error) {
	if s.hidden == nil || s.hidden().expanded {
		return s, nil
	}
	h := *s.hidden()
	h.secrets, h.keys = slices.Clone(h.secrets), slices.Clone(h.keys)
	var missing error
	find := func(name, where string) string {
		value, ok := lookup(name)
		if !ok && missing == nil {
			missing = &MissingError{s.Name, where, name}
		}
		h.secrets = slices.Concat(h.secrets, []string{value}, userSecrets(value))
		h.keys = append(h.keys, keyed(name, value)...)
		return value
	}
	unset := func(name, written string) string {
		if !slices.Contains(s.Unset, name) {
			s.Unset = append(slices.Clone(s.Unset), name)
		}
		return written
	}
	expand := func(text, where string, ofPair bool) string {
		switch h.dialect {
		case literal:
			return text
		case references:
			return fileOrVariable().ReplaceAllStringFunc(text, func(m string) string {
				if name, ok := strings.CutPrefix(m[1:len(m)-1], "env:"); ok {
					return find(name, where)
				}
				return find("file:", where)
			})
		case shellWords:
			return shellWord().ReplaceAllStringFunc(text, func(m string) string {
				if m == "$(" {
					return find(m, where)
				}
				return find(strings.Trim(m[1:], "{}"), where)
			})
		case keptWords, keptDefaults, emptiedDefaults:
			return shellDefault().ReplaceAllStringFunc(text, func(m string) string {
				name, fallback, has := strings.Cut(strings.TrimSuffix(strings.TrimPrefix(m[1:], "{"), "}"), ":-")
				_, ok := lookup(name)
				switch {
				case has && h.dialect == keptWords: // the default is a part of the name to Qwen Code
					return unset(name+":-…", m)
				case !isVariable(name) && h.dialect == keptDefaults: // nothing to Copilot CLI, as ${env:NAME}
					return unset(name, m)
				case ok:
					return find(name, where)
				case has:
					return fallback
				case ofPair && h.dialect == emptiedDefaults:
					return unset(name, "")
				}
				return unset(name, m)
			})
		}
		return expandBraces(text, func(name, fallback string, has bool) string {
			if _, ok := lookup(name); !ok && has {
				return fallback
			} else if !ok && h.dialect == keptBraces {
				return unset(name, "${"+name+"}")
			}
			return find(name, where)
		})
	}
	pairs := func(given []pair, what string) []pair {
		out := slices.DeleteFunc(slices.Clone(given), func(p pair) bool {
			_, ok := lookup(p.value)
			return p.optional && !ok
		})
		for i, p := range out {
			where := what + " " + plain(p.name)
			if p.fromEnvironment {
				out[i].value = p.prefix + find(p.value, where)
			} else {
				out[i].value = expand(p.value, where, true)
			}
			out[i].fromEnvironment, out[i].optional, out[i].prefix = false, false, ""
		}
		return out
	}
	h.command = expand(h.command, "command", false)
	h.args = slices.Clone(h.args)
	for i, a := range h.args {
		h.args[i] = expand(a, fmt.Sprintf("args[%d]", i), false)
	}
	h.dir = expand(h.dir, "cwd", false)
	h.envFile = expand(h.envFile, "envFile", false)
	h.url = expand(h.url, "url", false)
	h.env = pairs(h.env, "env")
	h.headers = pairs(h.headers, "header")
	if missing != nil {
		return Server{}, missing
	}
	h.expanded = true
	h.collectSecrets()
	s.hidden = seal(&h)
	return s, nil
}

// expandBraces replaces each ${...} that names a variable. Anything else stays.
func expandBraces(text string, value func(name, fallback string, has bool) string) string {
	var b strings.Builder
	for {
		start := strings.Index(text, "${")
		if start < 0 {
			break
		}
		end := strings.IndexByte(text[start:], '}')
		if end < 0 {
			break
		}
		inner := text[start+2 : start+end]
		b.WriteString(text[:start])
		name, fallback, has := strings.Cut(inner, ":-")
		variable := strings.TrimPrefix(name, "env:")
		switch id, input := strings.CutPrefix(name, "input:"); {
		case input && id != "":
			b.WriteString(value(inner, "", false))
		case name == "/" || name == "pathSeparator": // Cursor
			b.WriteRune(filepath.Separator)
		case isVariable(variable):
			b.WriteString(value(variable, fallback, has))
		default:
			b.WriteString(text[start : start+end+1])
		}
		text = text[start+end+1:]
	}
	b.WriteString(text)
	return b.String()
}

// fileOrVariable is a reference that OpenCode replaces.
var fileOrVariable = words.LazyRegexp(`\{(env:[A-Za-z_][A-Za-z0-9_]*|file:[^}]*)\}`)

// shellWord is a reference that Crush replaces.
var shellWord = words.LazyRegexp(`\$(\(|\{[A-Za-z_][A-Za-z0-9_]*\}|[A-Za-z_][A-Za-z0-9_]*)`)

// shellDefault is a reference that Gemini CLI and Copilot CLI replace, or leave as that of another
// client, such as ${env:NAME}.
var shellDefault = words.LazyRegexp(`\$(\{[A-Za-z_][A-Za-z0-9_.:]*(:-[^}]*)?\}|[A-Za-z_][A-Za-z0-9_]*)`)

// isVariable reports whether s can name an environment variable.
func isVariable(s string) bool {
	for i := range len(s) {
		c := s[i]
		if c != '_' && !('a' <= c|0x20 && c|0x20 <= 'z') && (i == 0 || c < '0' || c > '9') {
			return false
		}
	}
	return s != ""
}

// SplitCommand splits a command line at white space that is neither in quotes nor behind a
// backslash. In double quotes a backslash stands for itself but before " and \; in single quotes
// always. Nothing else is special. An empty line and an open quote are errors.
func SplitCommand(line string) ([]string, error) {
	var words []string
	var word strings.Builder
	in, quote := false, rune(0)
	escaped := false
	for _, c := range line {
		switch {
		case escaped:
			if quote == '"' && c != '"' && c != '\\' {
				word.WriteByte('\\')
			}
			word.WriteRune(c)
			escaped = false
		case c == '\\' && quote != '\'':
			escaped, in = true, true
		case quote != 0:
			if c == quote {
				quote = 0
			} else {
				word.WriteRune(c)
			}
		case c == '"' || c == '\'':
			quote, in = c, true
		case c == ' ' || c == '\t' || c == '\n' || c == '\r':
			if in {
				words = append(words, word.String())
				word.Reset()
				in = false
			}
		default:
			word.WriteRune(c)
			in = true
		}
	}
	switch {
	case quote != 0:
		return nil, errors.New("a quote is not closed")
	case escaped:
		return nil, errors.New("ends with a backslash")
	case in:
		words = append(words, word.String())
	}
	if len(words) == 0 || words[0] == "" {
		return nil, errors.New("no command")
	}
	return words, nil
}
