package tmux

import (
	"regexp"
	"strings"
	"unicode/utf8"
)

// tmux types the name of a key that it does not know, letter by letter. So the names are checked
// here. Source: tmux(1), "key bindings".
var (
	namedKey = regexp.MustCompile(`^(F([1-9]|1[0-2])|Up|Down|Left|Right|BSpace|BTab|DC|Delete|End|Enter|` +
		`Escape|Home|IC|Insert|NPage|PageDown|PgDn|PPage|PageUp|PgUp|Space|Tab)$`)
	modifier = regexp.MustCompile(`^[CMS]-`)
)

// KnownKey reports whether name is a key of tmux: a character or a named key, after any of the
// modifiers C-, M- and S-.
func KnownKey(name string) bool {
	for modifier.MatchString(name) && len(name) > 2 {
		// tmux has no S-Tab: it is BTab.
		if name == "S-Tab" {
			return false
		}
		name = name[2:]
	}
	return namedKey.MatchString(name) || utf8.RuneCountInString(name) == 1 && !strings.ContainsAny(name, "\t\n ")
}
