package background

import (
	"os/exec"
	"slices"
	"strings"
	"testing"

	"caliper/model/require"
)

func TestImportsOnlyLipgloss(t *testing.T) {
	out, err := exec.Command("go", "list", "-f", `{{join .Imports " "}}`, ".").Output()
	require.NoError(t, err)
	got := strings.Fields(string(out))
	if want := []string{"github.com/charmbracelet/lipgloss"}; !slices.Equal(got, want) {
		t.Errorf("imports %v, want %v: an import that is initialised late brings the wait back", got, want)
	}
}
