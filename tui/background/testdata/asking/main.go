// Command asking prints one line. It imports bubbletea alone, and shows that
// the terminal of the test is one in which that costs five seconds.
package main

import (
	"fmt"

	tea "github.com/charmbracelet/bubbletea"
)

func main() {
	var _ tea.Model
	fmt.Println("ready")
}
