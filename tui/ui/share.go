package ui

// Ask is how many rows a pane asks for, its borders and headings included: with more
// than Rows it has blank rows, and with fewer than Least it says too little, unless it
// asks for fewer.
type Ask struct{ Least, Rows int }

// Share divides h rows among panes that stand one below the other, and returns the rows
// of each. Every pane first gets its least, those above before those below. What is left
// goes row by row to the panes that ask for more, and when none does, to the pane spare.
//
// Invariants:
//   - the rows of all panes are h together;
//   - no pane has more rows than it asks for while another has fewer;
//   - panes that get fewer rows than they ask for have the same number, give or take one,
//     unless their least is more.
func Share(h, spare int, asks ...Ask) []int {
	rows := make([]int, len(asks))
	left := max(0, h)
	for i, a := range asks {
		rows[i] = min(a.Least, a.Rows, left)
		left -= rows[i]
	}
	for left > 0 {
		least := -1 // the pane with the fewest rows of those that ask for more
		for i, a := range asks {
			if rows[i] < a.Rows && (least < 0 || rows[i] < rows[least]) {
				least = i
			}
		}
		if least < 0 {
			rows[spare] += left
			break
		}
		rows[least]++
		left--
	}
	return rows
}
