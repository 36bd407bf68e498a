package main

import (
	"fmt"
	"os/exec"
	"strings"
)

// need is something a run depends on, and the Debian package that has it.
type need struct {
	what, deb string
	present   func() bool
}

var needs = []need{
	{"rsvg-convert", "librsvg2-bin", inPath("rsvg-convert")},
	{"the font JetBrains Mono", "fonts-jetbrains-mono", hasFont("JetBrains Mono")},
	{"the font WenQuanYi Zen Hei", "fonts-wqy-zenhei", hasFont("WenQuanYi Zen Hei")},
	{"ffmpeg", "ffmpeg", inPath("ffmpeg")},
	{"gifsicle", "gifsicle", inPath("gifsicle")},
}

func inPath(name string) func() bool {
	return func() bool {
		_, err := exec.LookPath(name)
		return err == nil
	}
}

// hasFont asks fontconfig. Without its command the font counts as missing: a picture in another
// font would replace a good one.
func hasFont(family string) func() bool {
	return func() bool {
		out, err := exec.Command("fc-list", family, "family").Output()
		return err == nil && strings.TrimSpace(string(out)) != ""
	}
}

// missingOf names what is not installed and how to install it.
func missingOf(needs []need) error {
	var what, debs []string
	for _, n := range needs {
		if !n.present() {
			what, debs = append(what, n.what), append(debs, n.deb)
		}
	}
	if what == nil {
		return nil
	}
	return fmt.Errorf("missing: %s\n  apt-get install -y --no-install-recommends %s",
		strings.Join(what, ", "), strings.Join(debs, " "))
}
