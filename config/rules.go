package config

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strings"

	"caliper/model/words"
	"caliper/model/yamltext"
)

// status says whether a rule takes a value.
type status uint8

const (
	accepted status = iota // as it is, or the nearest value in the range
	rejected               // the default holds
	fatal                  // the reference gives up on the whole section
)

// outcome is the finding of a rule about a value. A code makes it a warning.
type outcome struct {
	status  status
	code    string
	problem string        // with the value, in words
	instead string        // the value used in its place, with the words that join it to the problem; empty for nothing
	meant   string        // the known name that may have been meant, empty for none
	items   []itemOutcome // of a list
}

func (o outcome) note() string { return o.problem + o.instead + words.DidYouMean(o.meant) }

// itemOutcome is a warning about one item of a list.
type itemOutcome struct {
	index int
	at    value
	code  string
	note  string
}

// modes are the spellings of the modes, as value.word returns them.
var modes = map[string]Mode{
	"auto": Auto,
	"on":   On, "true": On, "1": On, "yes": On,
	"off": Off, "false": Off, "0": Off, "no": Off,
}

// setMode takes any spelling of a mode.
func setMode(r row, c *Config, v value) outcome {
	word := v.word()
	if mode, ok := modes[word]; ok {
		*r.at(c).(*Mode) = mode
		return outcome{}
	}
	return outcome{status: rejected, code: "unknown_mode",
		problem: v.source() + " is not auto, on or off", instead: ", so it means auto", meant: words.Nearest(word, []string{"auto", "on", "off"})}
}

// put checks a value and puts it into a configuration, by the row's rule or its kind's. Null
// leaves the default, unless it depends on another setting or is null.
func (r row) put(c *Config, v value) outcome {
	if v.Kind == yamltext.Null && r.dependsOn() == "" && r.Default != nil {
		return outcome{}
	}
	if r.rule != nil {
		return r.rule(r, c, v)
	}
	switch at := r.at(c).(type) {
	case *int:
		return r.whole(at, v)
	case *float64:
		return r.number(at, v)
	case *bool:
		switch modes[v.word()] {
		case On:
			*at = true
		case Off:
			*at = false
		default:
			return outcome{status: rejected, code: "not_a_boolean", problem: v.source() + " is neither true nor false", instead: fmt.Sprintf("; %t is used", *at)}
		}
		return outcome{}
	case *string:
		return r.choice(at, v)
	case *Generation:
		return r.choice((*string)(at), v)
	case *[]string:
		return r.names(at, v)
	}
	return outcome{}
}

// agents reports whether the agent itself converts the value.
func (r row) agents() bool { return inToolSearch(r.Key) && !r.own }

// whole clamps an integer to the range. Where the agent converts it, a boolean is a number, and
// infinity is fatal.
func (r row) whole(n *int, v value) outcome {
	given, status := v.integer()
	if !r.agents() && (status == fatal || v.Kind == yamltext.Boolean) {
		status = rejected
	}
	switch status {
	case fatal:
		return outcome{status: fatal, problem: v.source() + " cannot be an integer"}
	case rejected:
		return unusable(v, "an integer", fmt.Sprintf("the default %d is used", *n))
	}
	*n = int(max(int64(r.Least), min(int64(r.Most), given)))
	if int64(*n) != given {
		return outcome{code: "clamped", problem: fmt.Sprintf("%s is outside %.0f..%.0f", v.read(float64(given)), r.Least, r.Most),
			instead: fmt.Sprintf("; %d is used", *n)}
	}
	return v.reading(float64(given))
}

// number clamps a number as whole does; for the agent NaN is the upper bound, and infinity the
// nearest.
func (r row) number(n *float64, v value) outcome {
	f, status := v.number()
	if !r.agents() && (status == fatal || v.Kind == yamltext.Boolean || math.IsNaN(f) || math.IsInf(f, 0)) {
		status = rejected
	}
	switch {
	case status == fatal:
		return outcome{status: fatal, problem: v.source() + " is beyond the range of numbers"}
	case status == rejected:
		return unusable(v, "a number", fmt.Sprintf("the default %g is used", *n))
	case math.IsNaN(f):
		*n = r.Most
		return outcome{code: "clamped", problem: v.source() + " ends at the upper bound, " + formatNumber(r.Most)}
	}
	*n = r.Clamp(f)
	if *n != f {
		return outcome{code: "clamped", problem: fmt.Sprintf("%s is outside %s..%s", v.read(f), formatNumber(r.Least), formatNumber(r.Most)),
			instead: "; " + formatNumber(*n) + " is used"}
	}
	return v.reading(f)
}

// choice takes one of the words that the row has.
func (r row) choice(s *string, v value) outcome {
	if v.Kind == yamltext.Text && slices.Contains(r.Choices, v.Text) {
		*s = v.Text
		return outcome{}
	}
	return outcome{status: rejected, code: r.code,
		problem: v.source() + " is not one of " + strings.Join(r.Choices, ", "), instead: "; " + *s + " is used", meant: words.Nearest(v.Text, r.Choices)}
}

// names takes a list of names.
func (r row) names(at *[]string, v value) outcome {
	if v.Kind == yamltext.List {
		names, items := v.names()
		*at = names
		return outcome{items: items}
	}
	return outcome{status: rejected, code: "not_a_list", problem: v.source() + " is not a list of names", instead: "; " + cmp.Or(r.instead, "the default is used")}
}

// setDefaultLimit clamps to max_search_limit, the default too.
func setDefaultLimit(r row, c *Config, v value) outcome {
	limit, most := &c.ToolSearch.DefaultLimit, c.ToolSearch.MaxLimit
	before := *limit
	*limit = min(before, most)
	if v.Kind != yamltext.Null {
		r.Most = float64(most)
		return r.whole(limit, v)
	}
	if before > most {
		return outcome{code: "clamped", problem: fmt.Sprintf("the default %d is above max_search_limit", before), instead: fmt.Sprintf("; %d is used", most)}
	}
	return outcome{}
}

// setContext takes any integer that fits, and no boolean: nobody means one token.
func setContext(_ row, c *Config, v value) outcome {
	c.ContextLength = nil
	if v.Kind == yamltext.Null {
		return outcome{}
	}
	n, status := v.integer()
	if status != accepted || v.Kind == yamltext.Boolean || n == math.MaxInt64 || n == math.MinInt64 {
		return unusable(v, "an integer", "the context length is unknown")
	}
	length := int(n)
	c.ContextLength = &length
	if length < 1 {
		return outcome{code: "context_not_positive", problem: v.source() + " counts as unknown"}
	}
	return v.reading(float64(n))
}

// setSelection takes the strategy as a word or as {strategy: word}.
func setSelection(r row, c *Config, v value) outcome {
	if v.Kind == yamltext.Mapping {
		inner := value{Value: yamltext.Value{Kind: v.Kind, Node: v.Node}}
		for _, e := range yamltext.Entries(v.Node) {
			if e.IsText && e.Name == "strategy" {
				inner = v.resolve(e.Val)
			}
		}
		v = inner
	}
	if v.Kind == yamltext.Null {
		return outcome{}
	}
	return r.choice(&c.Selection, v)
}

// unusable returns the outcome for a value that is no number.
func unusable(v value, wanted, instead string) outcome {
	aside := ""
	if _, ok := words.PythonFloat(v.Text); ok && v.Kind == yamltext.Text && !v.Quoted {
		aside = " (YAML 1.1 has it as text)"
	}
	return outcome{status: rejected, code: "not_a_number", problem: v.source() + " is not " + wanted + aside, instead: "; " + instead}
}

// setPath takes the path of a file or folder.
func setPath(at *string, v value, instead string) outcome {
	if v.Kind != yamltext.Text || strings.TrimSpace(v.Text) == "" || strings.ContainsRune(v.Text, 0) {
		return outcome{status: rejected, code: "not_a_path", problem: v.source() + " is not a path", instead: instead}
	}
	*at = v.Text
	return outcome{}
}
