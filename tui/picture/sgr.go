package picture

import xansi "github.com/charmbracelet/x/ansi"

// applySGR returns style after one "select graphic rendition" sequence. Parameters that are
// unknown or incomplete change nothing. Source: ECMA-48 8.3.117, ITU T.416 for colours with
// colons, and xterm's control sequences.
func applySGR(style Style, params xansi.Params) Style {
	if len(params) == 0 {
		return Style{}
	}
	for i := 0; i < len(params); {
		// Parameters joined by colons form one group; groups are joined by semicolons.
		end := i + 1
		for end < len(params) && params[end-1].HasMore() {
			end++
		}
		group := make([]int, 0, end-i)
		for _, p := range params[i:end] {
			group = append(group, p.Param(0))
		}
		code := group[0]
		if code != 38 && code != 48 && code != 58 {
			style = applyGroup(style, group)
			i = end
			continue
		}
		var c Colour
		var ok bool
		if len(group) > 1 {
			v := group[1:]
			switch {
			case v[0] == 5 && len(v) == 2:
				c, ok = indexed(v[1])
			case v[0] == 2 && len(v) == 4:
				c, ok = rgb(v[1:])
			case v[0] == 2 && len(v) >= 5:
				c, ok = rgb(v[2:5])
			default:
				c, ok = 0, false
			}
		} else {
			// The old spelling spreads one colour over several groups.
			var used int
			c, used, ok = semicolonColour(params[end:])
			end += used
		}
		if ok && code == 38 {
			style.Foreground = c
		}
		if ok && code == 48 {
			style.Background = c
		}
		i = end // 58, the underline's own colour, is read and not drawn
	}
	return style
}

func applyGroup(style Style, group []int) Style {
	code := group[0]
	set := func(add, remove Attribute) {
		style.Attributes = style.Attributes&^remove | add
	}
	const underlines = Underline | DoubleUnderline
	if len(group) > 1 {
		switch {
		case code == 4 && group[1] == 0:
			set(0, underlines)
		case code == 4 && group[1] == 2:
			set(DoubleUnderline, underlines)
		case code == 4: // curly, dotted and dashed are drawn as a plain line
			set(Underline, underlines)
		case code == 5 && group[1] == 3: // tmux 3.3 spells 53 this way
			set(Overline, 0)
		}
		return style
	}
	switch {
	case code == 0:
		return Style{}
	case code == 1:
		set(Bold, 0)
	case code == 2:
		set(Faint, 0)
	case code == 3:
		set(Italic, 0)
	case code == 4:
		set(Underline, underlines)
	case code == 7:
		set(Reverse, 0)
	case code == 8:
		set(Conceal, 0)
	case code == 9:
		set(Strike, 0)
	case code == 21:
		set(DoubleUnderline, underlines)
	case code == 22:
		set(0, Bold|Faint)
	case code == 23:
		set(0, Italic)
	case code == 24:
		set(0, underlines)
	case code == 27:
		set(0, Reverse)
	case code == 28:
		set(0, Conceal)
	case code == 29:
		set(0, Strike)
	case code == 53:
		set(Overline, 0)
	case code == 55:
		set(0, Overline)
	case code >= 30 && code <= 37:
		style.Foreground = Indexed(uint8(code - 30))
	case code == 39:
		style.Foreground = Default
	case code >= 40 && code <= 47:
		style.Background = Indexed(uint8(code - 40))
	case code == 49:
		style.Background = Default
	case code >= 90 && code <= 97:
		style.Foreground = Indexed(uint8(code - 90 + 8))
	case code >= 100 && code <= 107:
		style.Background = Indexed(uint8(code - 100 + 8))
	}
	return style
}

// semicolonColour reads 5;N or 2;R;G;B and returns how many parameters belong to it.
func semicolonColour(params xansi.Params) (c Colour, used int, ok bool) {
	v := make([]int, 0, 4)
	for _, p := range params[:min(4, len(params))] {
		v = append(v, p.Param(0))
	}
	switch {
	case len(v) >= 2 && v[0] == 5:
		c, ok = indexed(v[1])
		return c, 2, ok
	case len(v) == 4 && v[0] == 2:
		c, ok = rgb(v[1:])
		return c, 4, ok
	}
	// Half a colour: what follows cannot be told from its components.
	return 0, len(params), false
}

func indexed(i int) (Colour, bool) {
	if i < 0 || i > 255 {
		return 0, false
	}
	return Indexed(uint8(i)), true
}

func rgb(v []int) (Colour, bool) {
	for _, n := range v[:3] {
		if n < 0 || n > 255 {
			return 0, false
		}
	}
	return kindRGB | Colour(uint8(v[0]))<<16 | Colour(uint8(v[1]))<<8 | Colour(uint8(v[2])), true
}
