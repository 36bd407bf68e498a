// Command shoot takes the project's screenshots: it plays the scenes with the real program in
// tmux, stores the screens as text (.ansi, .reel) and draws them (.png, .gif).
//
//	go run ./screenshots/shoot               play every scene, draw what changed
//	go run ./screenshots/shoot explore       play one scene
//	go run ./screenshots/shoot -check        play, compare with the stored text, exit 1 if it differs
//	go run ./screenshots/shoot -text         play, store the text, draw nothing
//	go run ./screenshots/shoot -draw         draw every stored screen again, without the program
//
// It installs nothing, but names the Debian packages it misses. Pictures are not compared: their
// pixels depend on the versions of fonts and librsvg.
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"os/signal"
	"strings"
	"time"
)

// Exit codes.
const (
	exitDiffers = 1 // a scene failed or a screen differs
	exitUsage   = 2 // bad arguments, bad scene file, missing tools
)

// errDiffers says that the comparison has been printed.
var errDiffers = errors.New("the screens differ from the stored ones")

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	err := run(ctx, os.Args[1:], os.Stdout, os.Stderr)
	stop()
	if err != nil && !errors.Is(err, flag.ErrHelp) {
		fmt.Fprintln(os.Stderr, "shoot:", err)
	}
	os.Exit(exitCode(err))
}

func exitCode(err error) int {
	switch {
	case err == nil || errors.Is(err, flag.ErrHelp):
		return 0
	case isFailure(err):
		return exitDiffers
	}
	return exitUsage
}

// job is what the command line asks for.
type job struct {
	program string   // the binary; "" builds the project
	args    []string // its first arguments
	scenes  string   // folder of scene files
	out     string   // folder of the pictures
	timeout time.Duration
	text    bool      // store screens as text, draw nothing
	log     io.Writer // progress and comparisons
}

func run(ctx context.Context, args []string, stdout, stderr io.Writer) error {
	j := job{log: stdout}
	flags := flag.NewFlagSet("shoot", flag.ContinueOnError)
	flags.SetOutput(stderr)
	check := flags.Bool("check", false, "compare with the stored screens, write nothing")
	flags.BoolVar(&j.text, "text", false, "store the screens as text, draw nothing")
	draw := flags.Bool("draw", false, "draw the stored screens again, run nothing")
	flags.StringVar(&j.program, "program", "", "the program's `path`; empty builds the project in the working folder")
	first := flags.String("args", "--no-state --theme $THEME", "the program's first `arguments`")
	flags.StringVar(&j.scenes, "scenes", "screenshots/scenes", "`folder` of the scene files")
	flags.StringVar(&j.out, "out", "screenshots", "`folder` of the pictures")
	flags.DurationVar(&j.timeout, "timeout", 20*time.Second, "how long a scene waits for what it expects")
	if err := flags.Parse(args); err != nil {
		return err
	}
	if *check && *draw || *check && j.text || *draw && j.text {
		return errors.New("-check, -text and -draw exclude each other")
	}
	j.args = strings.Fields(*first)
	scenes, err := loadScenes(j.scenes, flags.Args())
	if err != nil {
		return err
	}
	if err := missing(!*draw, !*check && !j.text); err != nil {
		return err
	}
	switch {
	case *draw:
		return j.drawAll(ctx, scenes)
	case *check:
		return j.check(ctx, scenes)
	}
	return j.shoot(ctx, scenes)
}
