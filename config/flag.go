package config

import (
	"fmt"
	"strconv"
)

// flagValue makes a value of what a flag holds, false when it cannot.
func flagValue(val any) (v value, ok bool) {
	switch x := val.(type) {
	case nil:
		return value{}, true
	case string:
		return value{kind: text, text: x}, true
	case bool:
		return value{kind: boolean, yes: x, text: strconv.FormatBool(x)}, true
	case int:
		return flagValue(int64(x))
	case int64:
		return value{kind: integer, int: x, float: float64(x), text: strconv.FormatInt(x, 10)}, true
	case float64:
		return value{kind: decimal, float: x, text: fmt.Sprint(x)}, true
	case []string:
		v = value{kind: list, items: make([]value, len(x))}
		for i, s := range x {
			v.items[i] = value{kind: text, text: s}
		}
		return v, true
	}
	return value{}, false
}
