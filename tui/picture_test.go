package tui

import (
	"bytes"
	"encoding/xml"
	"errors"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"caliper/model/require"
	"caliper/tui/demo"
)

// pictureRows returns the rows of an SVG picture without blanks at their ends, and
// blank ones left out; it fails when the picture is no XML.
func pictureRows(t *testing.T, svg []byte) []string {
	t.Helper()
	var rows []string
	d, row := xml.NewDecoder(bytes.NewReader(svg)), false
	for {
		token, err := d.Token()
		if errors.Is(err, io.EOF) {
			return rows
		}
		require.NoError(t, err)
		switch token := token.(type) {
		case xml.StartElement:
			row = false
			for _, a := range token.Attr {
				row = row || a.Name.Local == "class" && a.Value == "r"
			}
		case xml.CharData:
			if row {
				rows = append(rows, string(token))
			}
		case xml.EndElement:
			row = false
		}
	}
}

// TestScreenAsPicture goes the whole way from the key: the file has the rows of the
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
		var want []string
		for _, line := range strings.Split(d.Screen(), "\n") {
			if line = strings.TrimRight(line, " "); line != "" {
				want = append(want, line)
			}
		}
		d.Press("y", "p")
		svg, err := os.ReadFile(filepath.Join(folder, "screen.svg"))
		require.NoError(t, err)
		if got := pictureRows(t, svg); strings.Join(got, "\n") != strings.Join(want, "\n") {
			t.Fatalf("%v: the picture shows\n%s\nwant\n%s", size, strings.Join(got, "\n"), strings.Join(want, "\n"))
		}
		d.wants("screen as SVG (")
		d.Press("y", "P")
		html, err := os.ReadFile(filepath.Join(folder, "screen.html"))
		if err != nil || !bytes.Contains(html, []byte("<pre>")) || bytes.Contains(html, []byte("\x1b")) {
			t.Errorf("%v: %v: %.200s", size, err, html)
		}
	}
}
