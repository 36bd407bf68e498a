package tui

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"unicode"

	"caliper/model/require"
	"caliper/tui/demo"
)

// TestScreenAsPicture goes the whole way from the key: the file shows the
// frame without the menu, in three sizes.
func TestScreenAsPicture(t *testing.T) {
	t.Parallel()
	for _, size := range [][2]int{{120, 36}, {80, 24}, {40, 10}} {
		opt := testOptions(demo.Registry(), demo.Config())
		folder := t.TempDir()
		opt.StatePath = filepath.Join(folder, "state.json")
		opt.Query = "create issue"
		d := startExplorer(t, opt, size[0], size[1])
		d.app().clip.Desktop = nil
		d.Press("tab")
		rows := strings.Split(d.Screen(), "\n")
		d.Press("y", "p")
		svg, err := os.ReadFile(filepath.Join(folder, "screen.svg"))
		require.NoError(t, err)
		for _, row := range rows {
			for _, word := range strings.FieldsFunc(row, func(r rune) bool { return !unicode.IsLetter(r) }) {
				if !bytes.Contains(svg, []byte(word)) {
					t.Errorf("%v: the picture does not show %s", size, word)
				}
			}
		}
		d.wants("screen as SVG (")
		d.Press("y", "P")
		html, err := os.ReadFile(filepath.Join(folder, "screen.html"))
		if err != nil || !bytes.Contains(html, []byte("<pre>")) || bytes.Contains(html, []byte("\x1b")) {
			t.Errorf("%v: %v: %.200s", size, err, html)
		}
	}
}
