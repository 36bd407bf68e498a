package watch

import (
	"fmt"
	"path/filepath"
	"slices"
	"testing"
)

func TestDirectories(t *testing.T) {
	for _, tc := range []struct {
		name  string
		build func(s *stage)
		path  string
		want  []string // within the stage
	}{
		{"a file", func(s *stage) { s.write("d/r", "") }, "d/r", []string{"d"}},
		{"a folder is watched from within and without", func(s *stage) { s.mkdir("d") }, "d", []string{".", "d"}},
		{"missing file", func(s *stage) { s.mkdir("d") }, "d/r", []string{"d"}},
		{"missing folders", nil, "d/e/r", []string{"."}},
		{"file in the place of a folder", func(s *stage) { s.write("d", "") }, "d/r", []string{"."}},
		{"dots", func(s *stage) { s.write("d/e/r", ""); s.write("d/r", "") }, "d/./e//../r", []string{"d"}},
		{"link to a file", func(s *stage) { s.write("e/r", ""); s.mkdir("d"); s.link("../e/r", "d/l") }, "d/l", []string{"d", "e"}},
		{"dangling link", func(s *stage) { s.mkdir("d"); s.mkdir("e"); s.link("../e/r", "d/l") }, "d/l", []string{"d", "e"}},
		{"absolute link", func(s *stage) { s.write("e/r", ""); s.mkdir("d"); s.link(s.path("e/r"), "d/l") }, "d/l", []string{"d", "e"}},
		{"two links", func(s *stage) {
			s.write("m/v1/r", "")
			s.link("v1", "m/data")
			s.link("data/r", "m/r")
		}, "m/r", []string{"m", "m/v1"}},
		{"linked folder on the way", func(s *stage) { s.write("e/x/r", ""); s.link("e", "l") }, "l/x/r", []string{".", "e/x"}},
		{"dots behind a link lead elsewhere", func(s *stage) {
			s.write("p/q/x", "")
			s.write("p/r", "")
			s.link("p/q", "l")
		}, "l/../r", []string{".", "p"}},
		{"folder with links", func(s *stage) {
			s.write("d/plain.json", "")
			s.write("e/far.json", "")
			s.write("g/other", "")
			s.link("../e/far.json", "d/l.json")
			s.link("../g/other", "d/refused")
		}, "d", []string{".", "d", "e"}},
		{"folder in a folder", func(s *stage) { s.mkdir("d/sub.json") }, "d", []string{".", "d"}},
		{"ring of links", func(s *stage) { s.link("b", "a"); s.link("a", "b") }, "a", []string{"."}},
		{"more links than are followed", func(s *stage) { s.write("end/r", ""); chain(s, "../end/r") }, "c9/l",
			[]string{"c1", "c2", "c3", "c4", "c5", "c6", "c7", "c8", "c9", "end"}},
		{"more links than are followed, to a folder with a link", func(s *stage) {
			s.write("far/x.json", "")
			s.mkdir("end/d")
			s.link("../../far/x.json", "end/d/l.json")
			chain(s, "../end/d")
		}, "c9/l", []string{"c1", "c2", "c3", "c4", "c5", "c6", "c7", "c8", "c9", "end", "end/d", "far"}},
		{"as many links as are followed", func(s *stage) { s.write("end/r", ""); chain(s, "../end/r") }, "c7/l",
			[]string{"c0", "c1", "c2", "c3", "c4", "c5", "c6", "c7", "end"}},
	} {
		t.Run(tc.name, func(t *testing.T) {
			s := &stage{t: t, dir: t.TempDir(), opt: quick()}
			if tc.build != nil {
				tc.build(s)
			}
			base, err := filepath.EvalSymlinks(s.dir)
			s.must(err)
			var got []string
			real := s.dir + string(filepath.Separator) + filepath.FromSlash(tc.path)
			for _, dir := range directories([]root{{tc.path, real}}, s.opt) {
				rel, err := filepath.Rel(base, dir)
				s.must(err)
				got = append(got, filepath.ToSlash(rel))
			}
			if !slices.Equal(got, tc.want) {
				t.Errorf("directories of %s are %q, want %q", tc.path, got, tc.want)
			}
		})
	}
}

// chain makes ten links in ten folders, each of which leads to the one before.
func chain(s *stage, target string) {
	for i := range 10 {
		s.link(target, fmt.Sprintf("c%d/l", i))
		target = fmt.Sprintf("../c%d/l", i)
	}
}
