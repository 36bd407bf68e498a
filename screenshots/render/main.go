// Command render turns a captured terminal screen into an SVG picture.
//
//	tmux capture-pane -p -e | go run ./screenshots/render -theme light > screen.svg
package main

import (
	"flag"
	"fmt"
	"io"
	"os"

	"caliper/tui/picture"
	"caliper/tui/picture/ansi"
)

func main() {
	if err := run(os.Args[1:], os.Stdin, os.Stdout, os.Stderr); err != nil {
		if err != flag.ErrHelp {
			fmt.Fprintln(os.Stderr, "render:", err)
		}
		os.Exit(2)
	}
}

func run(args []string, in io.Reader, out, diagnostics io.Writer) error {
	flags := flag.NewFlagSet("render", flag.ContinueOnError)
	flags.SetOutput(diagnostics)
	theme := flags.String("theme", "dark", "palette: dark or light")
	columns := flags.Int("columns", 0, "width in cells; 0 takes the widest line")
	rows := flags.Int("rows", 0, "height in cells; 0 takes the number of lines")
	square := flags.Bool("square", false, "square corners and an opaque ground")
	if err := flags.Parse(args); err != nil {
		return err
	}
	if flags.NArg() > 0 {
		return fmt.Errorf("argument %q: the screen is read from standard input", flags.Arg(0))
	}
	palette, err := picture.Themed(*theme)
	if err != nil {
		return err
	}
	data, err := io.ReadAll(in)
	if err != nil {
		return err
	}
	grid := ansi.Parse(data, *columns, *rows)
	_, err = out.Write(picture.SVG(grid, picture.Options{Palette: palette, Square: *square}))
	return err
}
