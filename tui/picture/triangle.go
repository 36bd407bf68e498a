package picture

import "fmt"

// trianglePath returns path data for the four small triangles with which trees mark rows as open
// and closed, in a cell whose corner is at (x, y); "" for all other characters. Fonts draw them as
// small as a full stop.
func trianglePath(r rune, x, y int) string {
	cx, cy := x+CellWidth/2, y+centreY
	switch r {
	case '▸':
		return fmt.Sprintf("M%d %dv14l8 -7z", cx-4, cy-7)
	case '◂':
		return fmt.Sprintf("M%d %dv14l-8 -7z", cx+4, cy-7)
	case '▾':
		return fmt.Sprintf("M%d %dh14l-7 8z", cx-7, cy-4)
	case '▴':
		return fmt.Sprintf("M%d %dh14l-7 -8z", cx-7, cy+4)
	}
	return ""
}
