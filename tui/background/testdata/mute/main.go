// Command mute prints one line. It imports bubbletea behind package
// background, as the real program does.
package main

import (
	"fmt"

	_ "caliper/tui/background"

	tea "github.com/charmbracelet/bubbletea"
)

func main() {
	var _ tea.Model
	fmt.Println("ready")
}
