package newfile

import (
	"io/fs"
	"strings"
	"testing"
)

// TestFault: only a folder of the user's own, to which nobody else can write, is
// safe.
func TestFolderFault(t *testing.T) {
	for _, c := range []struct {
		name        string
		mode        fs.FileMode
		owner, user int
		isNew       bool
		says        string
	}{
		{"ours alone", 0o700, 5, 5, false, ""},
		{"others may read", 0o755, 5, 5, false, ""},
		{"the group may write", 0o770, 5, 5, false, "other users can write to it (mode 0770)"},
		{"others may write", 0o702, 5, 5, false, "other users can write to it"},
		{"others may write to what is empty", 0o777, 5, 5, true, ""},
		{"another's", 0o700, 6, 5, false, "it belongs to another user (6, and this is 5)"},
		{"another's and empty", 0o700, 6, 5, true, "another user"},
		{"another's, for root", 0o700, 6, 0, false, "another user"},
	} {
		t.Run(c.name, func(t *testing.T) {
			if got := folderFault(c.mode, c.owner, c.user, c.isNew); got != c.says && (c.says == "" || !strings.HasPrefix(got, c.says) && !strings.Contains(got, c.says)) {
				t.Errorf("got %q", got)
			}
		})
	}
}
