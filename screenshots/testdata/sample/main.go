// Command sample is a small full-screen program that the screenshot pipeline is tried on: a chart
// of everything a picture must show, a query box, a list that expands, and a file that is read
// again when it changes. It is built by tests and by hand only.
package main

import (
	"bufio"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"time"

	"golang.org/x/term"
)

type state struct {
	theme, file, query string
	words              []string
	expanded           bool
	reloads            int
}

func main() {
	theme := flag.String("theme", "dark", "named on screen only")
	flag.Bool("no-state", false, "accepted and ignored")
	flag.Parse()
	if err := run(*theme); err != nil {
		fmt.Fprintln(os.Stderr, "sample:", err)
		os.Exit(1)
	}
}

func run(theme string) error {
	folder, err := os.MkdirTemp("", "sample-")
	if err != nil {
		return err
	}
	s := state{theme: theme, file: filepath.Join(folder, "words.txt")}
	if err := os.WriteFile(s.file, []byte("create\ncloud\ncrate\n"), 0o644); err != nil {
		return err
	}
	before, err := term.MakeRaw(int(os.Stdin.Fd()))
	if err != nil {
		return err
	}
	fmt.Print("\x1b[?1049h\x1b[?25l\x1b[?2004h")
	defer func() {
		fmt.Print("\x1b[?2004l\x1b[?25h\x1b[?1049l")
		_ = term.Restore(int(os.Stdin.Fd()), before)
	}()

	keys := make(chan rune)
	go readKeys(keys)
	tick := time.NewTicker(20 * time.Millisecond)
	last := ""
	for {
		data, err := os.ReadFile(s.file)
		if err == nil && string(data) != last {
			last, s.words, s.reloads = string(data), strings.Fields(string(data)), s.reloads+1
		}
		s.draw()
		select {
		case <-tick.C:
		case r, ok := <-keys:
			if !ok || r == 3 {
				return nil
			}
			s.key(r)
		}
	}
}

func readKeys(keys chan<- rune) {
	in := bufio.NewReader(os.Stdin)
	for {
		r, _, err := in.ReadRune()
		if err != nil {
			close(keys)
			return
		}
		if r == '\x1b' && in.Buffered() > 0 {
			for r, _, err = in.ReadRune(); err == nil && (r == '[' || r == ';' || r >= '0' && r <= '9'); {
				r, _, err = in.ReadRune()
			}
			continue
		}
		keys <- r
	}
}

func (s *state) key(r rune) {
	switch {
	case r == '\r':
		s.expanded = !s.expanded
	case r == 127 && s.query != "":
		s.query = s.query[:len(s.query)-1]
	case r >= ' ' && r != 127:
		s.query += string(r)
	}
}

func (s *state) draw() {
	var b strings.Builder
	line := func(format string, args ...any) {
		fmt.Fprintf(&b, format+"\x1b[0m\x1b[K\r\n", args...)
	}
	line("\x1b[1;36m sample \x1b[0m %s theme   clock \x1b[2m%s\x1b[0m   in %s", s.theme,
		time.Now().Format("15:04:05"), filepath.Dir(s.file))
	line("")
	line(" ╭─ query ─────────────────────╮ ┌─ words, read %d times ─┐", s.reloads)
	line(" │ > %-26s│ │ \x1b[32m%d words\x1b[0m              │", s.query+"▏", len(s.words))
	line(" ╰─────────────────────────────╯ └───────────────────────┘")
	for _, w := range s.words {
		if !strings.Contains(w, s.query) {
			continue
		}
		mark := "▸"
		if s.expanded {
			mark = "▾"
		}
		line(" \x1b[35m▌\x1b[0m%s \x1b[1m%s\x1b[0m -> \x1b[3mnext\x1b[0m => != 7. 412", mark, w)
		if s.expanded {
			line("     \x1b[2m└─ %d letters\x1b[0m", len(w))
		}
	}
	line("")
	chart(line)
	fmt.Print("\x1b[H", b.String(), "\x1b[J")
}

func chart(line func(string, ...any)) {
	var row strings.Builder
	flush := func() {
		line(" %s", row.String())
		row.Reset()
	}
	for i := range 16 {
		fmt.Fprintf(&row, "\x1b[48;5;%dm  \x1b[0;38;5;%dm%3d \x1b[0m", i, i, i)
	}
	flush()
	for i := range 72 {
		fmt.Fprintf(&row, "\x1b[48;5;%dm ", 16+i)
	}
	for i := range 24 {
		fmt.Fprintf(&row, "\x1b[48;5;%dm ", 232+i)
	}
	flush()
	for i := range 96 {
		fmt.Fprintf(&row, "\x1b[48;2;%d;%d;%dm ", 40+i*2, 90, 230-i*2)
	}
	flush()
	line("")
	line(" \x1b[1mbold\x1b[0m \x1b[2mfaint\x1b[0m \x1b[3mitalic\x1b[0m \x1b[1;3mboth\x1b[0m \x1b[4munderline\x1b[0m \x1b[21mdouble\x1b[0m" +
		" \x1b[7mreverse\x1b[0m \x1b[9mstrike\x1b[0m \x1b[53moverline\x1b[0m \x1b[31;7mred reverse\x1b[0m \x1b[8mhidden\x1b[0m|")
	line(" gauge \x1b[34m██████████████████▍\x1b[2m░░░░░░░░░░\x1b[0m│░░░▒▒▒▓▓▓███ ▏▎▍▌▋▊▉█ ▁▂▃▄▅▆▇█ ▀▐▔▕ ▖▗▘▙▚▛▜▝▞▟ ⠋⠙⠹⠸⣿⡇⠤⠒⠉")
	line("")
	line(" ┌──┬──┐ ╔══╦══╗ ┏━━┳━━┓ ╓──╥──╖ ╒══╤══╕ ┍━━┯━━┑ ╭──╮ ╲ ╱ ┄┄┄┄ ┅┅┅ ┊ ┋ ╌╌╌ ╍╍╍")
	line(" │  │  │ ║  ║  ║ ┃  ┃  ┃ ║  ║  ║ │  │  │ │  │  │ │  │  ╳  ┈┈┈┈ ┉┉┉ ┆ ┇ ╎ ╏ ╵╷")
	line(" ├──┼──┤ ╠══╬══╣ ┣━━╋━━┫ ╟──╫──╢ ╞══╪══╡ ┝━━┿━━┥ ╰──╯ ╱ ╲ ─╴╶─ ━╸╺━ ╼━╾")
	line(" └──┴──┘ ╚══╩══╝ ┗━━┻━━┛ ╙──╨──╜ ╘══╧══╛ ┕━━┷━━┙")
	line("")
	line(" |课题管理|한국어|日本語|🚀|é ñ ü|ß→←↑↓⇒|…≥≤×÷±|●○◆◇■□▲▼▸▾◂|✓✗★⏎|λπΣ|Привет|")
	line(" |12345678|123456|123456|12|1 2 3|12345|123456|12345678901|1234|123|123456|")
}
