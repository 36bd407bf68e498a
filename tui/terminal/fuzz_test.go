package terminal

import (
	"slices"
	"strings"
	"testing"

	tea "github.com/charmbracelet/bubbletea"
)

func FuzzFilter(f *testing.F) {
	f.Add([]byte(replyDark), uint8(3))
	f.Add([]byte("\x1b\x1b]11;rgb:0/0/0\aabc"), uint8(1))
	f.Add([]byte("\x1b[<64;3;4M\x1b[<65;3;4Mq"), uint8(200))
	f.Fuzz(func(t *testing.T, input []byte, size uint8) {
		var pieces []string
		for part := range slices.Chunk(input, int(size)+1) {
			pieces = append(pieces, string(part))
		}
		filter := NewFilter(true)
		got, want := readByBubbletea(t, filter, pieces...), readByBubbletea(t, nil, pieces...)
		sent := ""
		for _, m := range want {
			text, _ := bytesOf(m.(tea.KeyMsg))
			sent += text
		}
		if strings.Contains(sent, replyHead) {
			return // what looks like an answer may be taken for one
		}
		got = append(got, filter.reply.release()...)
		if !slices.EqualFunc(got, want, sameMsg) {
			t.Errorf("typed %v, came %v", want, got)
		}
	})
}
