// Command shoot draws the project's screenshots from their text: screens (.ansi) as .png, films
// (.reel) as .gif. The text is the program's own picture: go test ./tui -run Pictures plays the scenes
// and compares it, with -update writes it.
//
//	go run ./screenshots/shoot                     draw everything
//	go run ./screenshots/shoot explore-dark tour   draw two pictures
//	go run ./screenshots/shoot -svg dark <SCREEN   write any captured screen as SVG
//
// It installs nothing: README has the Debian packages that it needs.
package main

import (
	"bytes"
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"slices"
	"strings"

	"caliper/tui/picture"
)

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	err := run(ctx, os.Args[1:], os.Stdin, os.Stdout, os.Stderr)
	stop()
	if err != nil && !errors.Is(err, flag.ErrHelp) {
		fmt.Fprintln(os.Stderr, "shoot:", err)
		os.Exit(2)
	}
}

func run(ctx context.Context, args []string, in io.Reader, out, diagnostics io.Writer) error {
	flags := flag.NewFlagSet("shoot", flag.ContinueOnError)
	flags.SetOutput(diagnostics)
	folder := flags.String("folder", "screenshots", "`folder` of the pictures")
	theme := flags.String("svg", "", "write the screen of the standard input as SVG, in the colours of the `theme` dark or light")
	if err := flags.Parse(args); err != nil {
		return err
	}
	if *theme != "" {
		palette, err := picture.Themed(*theme)
		if err != nil {
			return err
		}
		data, err := io.ReadAll(in)
		if err == nil {
			_, err = out.Write(picture.SVG(picture.Parse(data, 0, 0), picture.Options{Palette: palette}))
		}
		return err
	}
	names, err := texts(*folder, flags.Args())
	if err != nil {
		return err
	}
	for _, font := range []string{"JetBrains Mono", "WenQuanYi Zen Hei"} { // a picture in another font would replace a good one
		if found, err := exec.Command("fc-list", font, "family").Output(); err != nil || len(bytes.TrimSpace(found)) == 0 {
			return fmt.Errorf("the font %s is missing: screenshots/README.md has the packages", font)
		}
	}
	for _, path := range names {
		if err := draw(ctx, path); err != nil {
			return fmt.Errorf("%s: %w", path, err)
		}
		fmt.Fprintln(out, "drawn", path)
	}
	return nil
}

// texts returns the paths of the texts of the named pictures of a folder, or of all, by name.
func texts(folder string, names []string) ([]string, error) {
	var all []string
	for _, kind := range []string{"*.ansi", "*.reel"} {
		paths, err := filepath.Glob(filepath.Join(folder, kind))
		if err != nil {
			return nil, err
		}
		all = append(all, paths...)
	}
	slices.Sort(all)
	if len(names) == 0 {
		if len(all) == 0 {
			return nil, fmt.Errorf("%s: no picture", folder)
		}
		return all, nil
	}
	var chosen []string
	for _, name := range names {
		i := slices.IndexFunc(all, func(path string) bool { return nameOf(path) == name })
		if i < 0 {
			return nil, fmt.Errorf("%s: no picture %s", folder, name)
		}
		chosen = append(chosen, all[i])
	}
	return chosen, nil
}

// nameOf returns the name of the picture of a text.
func nameOf(path string) string {
	return strings.TrimSuffix(filepath.Base(path), filepath.Ext(path))
}
