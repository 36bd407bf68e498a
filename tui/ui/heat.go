package ui

// upperHalf is a cell whose upper half has the colour of the text, and its lower half that
// of the background.
const upperHalf = "▀"

// HeatLines returns how many lines a heat map of some rows takes: half as many where cells
// have two colours.
func (t *Theme) HeatLines(rows int) int {
	if t.halves() {
		return (rows + 1) / 2
	}
	return rows
}

// HeatRows returns how many rows fit into some lines.
func (t *Theme) HeatRows(lines int) int {
	if t.halves() {
		return 2 * lines
	}
	return lines
}

// halves reports whether a cell shows two rows.
func (t *Theme) halves() bool { return !t.Plain && !t.Look.ASCII }

// DrawHeat draws line i of a heat map. value returns a value of 0 to 1 of a row and a
// column, and whether it is the selected one, which is drawn as a mark. Rows after the
// last are cold.
func DrawHeat(l *Line, t *Theme, i, rows, columns int, value func(row, column int) (v float64, selected bool)) {
	at := func(row, column int) (level int, selected bool) {
		if row >= rows {
			return 0, false
		}
		v, selected := value(row, column)
		return heatLevel(v), selected
	}
	for column := range columns {
		if !t.halves() {
			level, selected := at(i, column)
			if selected {
				l.Text(t.Strong, t.Pin)
			} else {
				l.Text(t.Text, t.Shades[level])
			}
			continue
		}
		upper, one := at(2*i, column)
		lower, other := at(2*i+1, column)
		if one || other {
			l.Text(t.Stale, t.Pin)
		} else {
			l.Text(t.Heat[upper][lower], upperHalf)
		}
	}
}

// DrawHeatKey draws what the colours of a heat map mean: the ones of 0 to 1 in a row, what
// they measure, and the mark of the selected one.
func DrawHeatKey(l *Line, t *Theme, of, selected string) {
	l.Text(t.Faint, "0 ")
	for level := range heats {
		if t.halves() {
			l.Text(t.Heat[level][level], upperHalf)
		} else {
			l.Text(t.Text, t.Shades[level])
		}
	}
	l.Text(t.Faint, " 1 "+of+"  ")
	l.Text(t.Stale, t.Pin)
	l.Text(t.Faint, " "+selected)
}

// heatLevel returns the colour of a value of 0 to 1, a fifth each.
func heatLevel(v float64) int { return min(max(int(5*v), 0), len(heats)-1) }
