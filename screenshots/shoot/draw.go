package main

import (
	"bytes"
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"

	"caliper/tui/picture"
)

// A cell is 15×33 drawing units, of which zoom 2 makes as many pixels, see package picture. A film is
// drawn smaller, for its size, but with whole pixels too: 10×22, or the same letter would look
// different in every column. More colours than these make larger files that look the same.
const (
	pngZoom   = "2"
	pngColour = "64"
	gifZoom   = "1.3333333333"
	gifColour = "48"
)

// draw makes the image beside the text of a picture. One whose name ends in -light has those colours.
func draw(ctx context.Context, path string) error {
	theme := "dark"
	if strings.HasSuffix(nameOf(path), "-light") {
		theme = "light"
	}
	palette, err := picture.Themed(theme)
	if err != nil {
		return err
	}
	text, err := os.ReadFile(path)
	if err != nil {
		return err
	}
	folder, err := os.MkdirTemp("", "draw-")
	if err != nil {
		return err
	}
	defer func() { _ = os.RemoveAll(folder) }()
	var image string
	if filepath.Ext(path) == ".reel" {
		image, err = drawGIF(ctx, folder, text, palette)
	} else {
		full := filepath.Join(folder, "full.png")
		image = filepath.Join(folder, "indexed.png") // indexed colours make it a third as large, and nobody sees the difference
		if err = rasterize(ctx, picture.SVG(picture.Parse(text, 0, 0), picture.Options{Palette: palette}), pngZoom, full); err == nil {
			err = command(ctx, nil, "ffmpeg", "-y", "-v", "error", "-i", full, "-vf",
				"split[a][b];[a]palettegen=reserve_transparent=1:max_colors="+pngColour+"[p];[b][p]paletteuse=dither=none",
				"-frames:v", "1", "-update", "1", "-bitexact", image)
		}
	}
	if err != nil {
		return err
	}
	data, err := os.ReadFile(image)
	if err != nil {
		return err
	}
	return os.WriteFile(strings.TrimSuffix(path, filepath.Ext(path))+filepath.Ext(image), data, 0o644)
}

// drawGIF draws a film and returns the path of the image. ffmpeg finds the common palette;
// gifsicle sets the durations, which ffmpeg would round to its frame rate, and shrinks the file.
func drawGIF(ctx context.Context, folder string, text []byte, palette picture.Palette) (string, error) {
	film, err := picture.ParseReel(text)
	if err != nil {
		return "", err
	}
	for i, f := range film {
		path := filepath.Join(folder, fmt.Sprintf("%04d.png", i))
		if err := rasterize(ctx, picture.SVG(f.Grid, picture.Options{Palette: palette, Square: true}), gifZoom, path); err != nil {
			return "", err
		}
	}
	flat, final := filepath.Join(folder, "flat.gif"), filepath.Join(folder, "final.gif")
	err = command(ctx, nil, "ffmpeg", "-y", "-v", "error", "-framerate", "10",
		"-i", filepath.Join(folder, "%04d.png"), "-vf",
		"split[a][b];[a]palettegen=max_colors="+gifColour+"[p];[b][p]paletteuse=dither=none",
		"-loop", "0", "-bitexact", flat)
	if err != nil {
		return "", err
	}
	args := []string{"-O3", "-o", final, flat}
	for i, f := range film { // each with its delay, in hundredths of a second
		args = append(args, fmt.Sprintf("-d%d", f.Duration/picture.Tick), fmt.Sprintf("#%d", i))
	}
	return final, command(ctx, nil, "gifsicle", args...)
}

func rasterize(ctx context.Context, drawing []byte, zoom, path string) error {
	return command(ctx, drawing, "rsvg-convert", "-z", zoom, "-o", path)
}

func command(ctx context.Context, in []byte, name string, args ...string) error {
	cmd := exec.CommandContext(ctx, name, args...)
	cmd.Stdin = bytes.NewReader(in)
	if out, err := cmd.CombinedOutput(); err != nil {
		return fmt.Errorf("%s: %w: %s", name, err, bytes.TrimSpace(out))
	}
	return nil
}
