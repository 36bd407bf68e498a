package picture

import (
	"bytes"
	"encoding/xml"
	"errors"
	"io"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	_ "caliper/model/require"
)

// hostileTexts are names that act where a picture is opened, if they are no text there.
var hostileTexts = []string{
	`</text></svg><script>alert(1)</script>`, `</pre><script>alert(1)</script><pre>`, `"><img src=x onerror=alert(1)>`,
	`]]><!--`, `&lt;b&gt; &#60;script&#62;`, "\ufffe\uffff", `<?xml?>`, "工<具>", "</style><style>*{display:none}",
}

// elementsOf reads a document, and returns the names of its elements, their attributes
// and all character data of those with a class or of a name.
func elementsOf(t interface{ Fatalf(string, ...any) }, document []byte, of func(xml.StartElement) bool) (names []string, texts []string) {
	d := xml.NewDecoder(bytes.NewReader(document))
	var inside []bool
	for {
		token, err := d.Token()
		if errors.Is(err, io.EOF) {
			return names, texts
		}
		if err != nil {
			t.Fatalf("no XML: %v\n%s", err, document)
		}
		switch token := token.(type) {
		case xml.StartElement:
			names = append(names, token.Name.Local)
			chosen := of(token)
			if chosen {
				texts = append(texts, "")
			}
			inside = append(inside, chosen || len(inside) > 0 && inside[len(inside)-1])
		case xml.EndElement:
			inside = inside[:len(inside)-1]
		case xml.CharData:
			if len(inside) > 0 && inside[len(inside)-1] {
				texts[len(texts)-1] += string(token)
			}
		}
	}
}

// isRow reports whether an element is the text of a row of SVG, or of all rows of HTML.
func isRow(e xml.StartElement) bool {
	return e.Name.Local == "pre" || slices.ContainsFunc(e.Attr, func(a xml.Attr) bool { return a.Name.Local == "class" && a.Value == "r" })
}

// Whatever a screen shows is text in the picture: the elements belong to this package
// alone, the document is XML, and the rows have the text of the screen.
func TestHostileTextStaysText(t *testing.T) {
	known := []string{"svg", "style", "rect", "g", "path", "text", "html", "head", "meta", "title", "body", "pre", "span"}
	rapid.Check(t, func(t *rapid.T) {
		screen := strings.Join(rapid.SliceOfN(rapid.OneOf(rapid.SampledFrom(hostileTexts), rapid.String()), 1, 4).Draw(t, "rows"), "\x1b[31;1m\n")
		grid := Parse([]byte(screen), 40, 5)
		want := strings.Map(func(r rune) rune {
			if r == 0xfffe || r == 0xffff {
				return 0xfffd
			}
			return r
		}, grid.String())
		o := Options{Palette: Dark, Rows: true}
		for name, document := range map[string][]byte{"SVG": SVG(grid, o), "HTML": HTML(grid, o)} {
			names, texts := elementsOf(t, document, isRow)
			for _, n := range names {
				if !slices.Contains(known, n) {
					t.Fatalf("%s has an element %s:\n%s", name, n, document)
				}
			}
			if got := trimmed(strings.Join(texts, "\n")); got != trimmed(want) {
				t.Fatalf("%s shows %q, want %q", name, got, trimmed(want))
			}
		}
		elementsOf(t, SVG(grid, Options{Palette: Dark}), isRow) // is XML too
		if !bytes.Equal(SVG(grid, o), SVG(grid, o)) || !bytes.Equal(HTML(grid, o), HTML(grid, o)) {
			t.Fatalf("two pictures of one screen differ")
		}
	})
}

// trimmed returns the lines of a text that are not blank, without the blanks at their
// ends: SVG has no rows for blank lines.
func trimmed(text string) string {
	var out []string
	for _, line := range strings.Split(text, "\n") {
		if line = strings.TrimRight(line, " "); line != "" {
			out = append(out, line)
		}
	}
	return strings.Join(out, "\n")
}

// Text that is concealed on the screen is not in the picture's text.
func TestConcealedTextIsLeftOut(t *testing.T) {
	grid := Parse([]byte("a\x1b[8msecret\x1b[0mb"), 12, 1)
	o := Options{Palette: Dark, Rows: true}
	for _, document := range [][]byte{SVG(grid, o), HTML(grid, o)} {
		if bytes.Contains(document, []byte("secret")) || !bytes.Contains(document, []byte("      b")) {
			t.Errorf("%s", document)
		}
	}
}
