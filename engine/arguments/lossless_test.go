package arguments

import (
	"strings"
	"testing"
)

// TestLossless: how a value is written may change to fit a schema, and which value it is
// may not; what cannot fit is named, and what would be lost.
func TestLossless(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ name, schema, args, want, unfit string }{
		{"fits", `{"a":{"type":"integer"}}`, `{"a": 7}`, `{"a": 7}`, ""},
		{"numbers in texts", `{"ids":{"type":"array","items":{"type":"integer"}}}`, `{"ids":["7","9"]}`, `{"ids":[7,9]}`, ""},
		{"one that is none", `{"ids":{"type":"array","items":{"type":"integer"}}}`, `{"ids":["7","x"]}`, "", "ids[1]"},
		{"a truth value", `{"a":{"type":"boolean"}}`, `{"a":"True"}`, `{"a":true}`, ""},
		{"null", `{"a":{"type":"null"}}`, `{"a":"null"}`, `{"a":null}`, ""},
		{"a list in a text", `{"a":{"type":"array","items":{"type":"integer"}}}`, `{"a":"[1, 2]"}`, `{"a":[1, 2]}`, ""},
		{"texts in a list in a text", `{"a":{"type":"array","items":{"type":"integer"}}}`, `{"a":"[\"1\",2]"}`, `{"a":[1,2]}`, ""},
		{"an object in a text", `{"a":{"type":"object","properties":{"b":{}}}}`, `{"a":"{\"b\":1}"}`, `{"a":{"b":1}}`, ""},
		{"capitals", `{"a":{"enum":["open","closed"]}}`, `{"a":"OPEN"}`, `{"a":"open"}`, ""},
		{"capitals of a constant", `{"a":{"const":"Open"}}`, `{"a":"open"}`, `{"a":"Open"}`, ""},
		{"capitals of two", `{"a":{"enum":["open","Open"]}}`, `{"a":"OPEN"}`, "", "a"},
		{"capitals of what is listed for another", `{"b":{"enum":["open"]},"a":{"pattern":"^[a-z]+$"}}`, `{"a":"OPEN"}`, "", "a"},
		{"capitals in a list", `{"a":{"items":{"$ref":"#/properties/b"}},"b":{"enum":["open"]}}`, `{"a":["OPEN"]}`, `{"a":["open"]}`, ""},
		{"capitals of a fixed place", `{"a":{"prefixItems":[{"enum":["open"]}]}}`, `{"a":["OPEN"]}`, `{"a":["open"]}`, ""},
		{"capitals under other names", `{"a":{"additionalProperties":{"enum":["open"]}},"b":{"patternProperties":{"^b":{"const":"Shut"}}}}`, `{"a":{"x":"OPEN"},"b":{"b1":"SHUT"}}`, `{"a":{"x":"open"},"b":{"b1":"Shut"}}`, ""},
		{"none of the listed", `{"a":{"enum":["open"]}}`, `{"a":"opened"}`, "", "a"},
		{"text of a number", `{"a":{"type":"string"}}`, `{"a":7.50}`, `{"a":"7.50"}`, ""},
		{"text of a truth value", `{"a":{"type":"string"}}`, `{"a":false}`, `{"a":"false"}`, ""},
		{"one where a list is wanted", `{"a":{"type":"array","items":{"type":"string"}}}`, `{"a":"x"}`, `{"a":["x"]}`, ""},
		{"a number where a list is wanted", `{"a":{"type":"array","items":{"type":"integer"}}}`, `{"a":"7"}`, `{"a":[7]}`, ""},
		{"an object where a list is wanted", `{"a":{"type":"array","items":{"type":"object"}}}`, `{"a":{"b":1}}`, `{"a":[{"b":1}]}`, ""},
		{"of a union", `{"a":{"anyOf":[{"type":"array","items":{"type":"integer"}},{"type":"null"}]}}`, `{"a":["1","2"]}`, `{"a":[1,2]}`, ""},
		{"all digits stay", `{"a":{"type":"integer"}}`, `{"a":"123456789012345678901234567890"}`, `{"a":123456789012345678901234567890}`, ""},
		{"several", `{"a":{"type":"integer"},"b":{"type":"boolean"}}`, `{"a":"1","b":"false"}`, `{"a":1,"b":false}`, ""},
		{"no null of an object", `{"a":{"type":"object"}}`, `{"a":null}`, "", "a"},
		{"not finite", `{"a":{}}`, `{"a":NaN}`, "", "a"},
		{"not finite in a list", `{"a":{}}`, `{"a":[1,Infinity]}`, "", "a[1]"},
		{"twice", `{"a":{}}`, `{"a":1,"a":2}`, "", ""},
		{"undeclared", `{"dry_run":{}}`, `{"dryRun":true}`, "", "dryRun"},
		{"undeclared, inside", `{"a":{"type":"array","items":{"properties":{"b":{}}}}}`, `{"a":[{"b":1},{"c":2}]}`, "", "a[1].c"},
		{"declared in a part", `{"a":{"anyOf":[{"properties":{"b":{}}},{"properties":{"c":{}}}],"if":{"properties":{"d":{}}}}}`, `{"a":{"b":1,"c":2,"d":3}}`, `{"a":{"b":1,"c":2,"d":3}}`, ""},
		{"an object that declares nothing", `{"a":{"type":"object"}}`, `{"a":{"b":1}}`, `{"a":{"b":1}}`, ""},
		{"an object that takes more", `{"a":{"properties":{"b":{}},"additionalProperties":true}}`, `{"a":{"c":1}}`, `{"a":{"c":1}}`, ""},
		{"an object that takes names of a pattern", `{"a":{"properties":{"b":{}},"patternProperties":{"^c":{}}}}`, `{"a":{"c":1}}`, `{"a":{"c":1}}`, ""},
	} {
		v := NewValidator()
		schema := []byte(`{"type":"object","properties":` + c.schema + `}`)
		kept, unfit := v.Lossless(schema, []byte(c.args))
		var paths []string
		for _, p := range unfit {
			paths = append(paths, p.Path)
		}
		if got := strings.Join(paths, " "); string(kept) != c.want || (kept == nil) != (c.want == "") || (kept == nil) != (len(unfit) > 0) || got != c.unfit {
			t.Errorf("%s: %s, unfit %q; want %s, %q", c.name, kept, got, c.want, c.unfit)
		}
		if kept != nil && strings.Count(c.args, "[") == strings.Count(string(kept), "[") && !SameValues([]byte(c.args), kept) && !strings.Contains(c.name, "capitals") && !strings.Contains(c.name, "text of") {
			t.Errorf("%s: %s has other values than %s", c.name, kept, c.args)
		}
	}
	v := NewValidator()
	if kept, unfit := v.Lossless([]byte(`{"properties":{"a":{}},"required":["a"]}`), []byte(`{}`)); kept != nil || len(unfit) != 1 || unfit[0].Keyword != "required" {
		t.Errorf("nothing in the place of what is required: %s, %v", kept, unfit)
	}
	for n, fits := range map[int]bool{maxRewritten - 1: true, maxRewritten + 1: false} {
		many := `{"a":[` + strings.TrimSuffix(strings.Repeat(`"1",`, n), ",") + `]}`
		if kept, _ := v.Lossless([]byte(`{"properties":{"a":{"items":{"type":"integer"}}}}`), []byte(many)); (kept != nil) != fits {
			t.Errorf("%d values: %s", n, kept)
		}
	}
}

// TestSameValues: what a text spells is the same value, and nothing else is.
func TestSameValues(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		a, b string
		same bool
	}{
		{`{"a":"7","b":[true]}`, `{"b":[true],"a":7}`, true}, {`"true"`, `true`, true}, {`"TRUE"`, `true`, true}, {`"[1,\"2\"]"`, `[1,2]`, true}, {`"x"`, `"x"`, true},
		{`7`, `7.0`, true}, {`7e1`, `70`, true}, {`0.1`, `0.10`, true}, {`7`, `7.1`, false}, {`9007199254740993`, `9007199254740992`, false},
		{`1e-320`, `1.0e-320`, false}, {`1e400`, `10e399`, false}, {strings.Repeat("1", 400), strings.Repeat("1", 400) + ".0", false}, {`0`, `0.0`, true}, {`0`, `-0`, true},
		{`7`, `"7"`, false}, {`"7"`, `8`, false}, {`"x"`, `7`, false}, {`"x"`, `"X"`, false}, {`[1]`, `[1,2]`, false}, {`[1,2]`, `[2,1]`, false},
		{`{"a":1}`, `{"b":1}`, false}, {`{"a":1}`, `{"a":1,"b":2}`, false}, {`true`, `false`, false}, {`null`, `false`, false}, {`x`, `1`, false}, {`1`, `x`, false},
	} {
		if got := SameValues([]byte(c.a), []byte(c.b)); got != c.same {
			t.Errorf("%.60s and %.60s: %v", c.a, c.b, got)
		}
	}
}

// TestCoerceLater: the later agent goes down into the values, for objects and lists alone.
func TestCoerceLater(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ name, properties, args, want, changed string }{
		{"a list in an object", `{"at":{"type":"object","properties":{"days":{"type":"array"}}}}`, `{"at":{"days":"[1]"}}`, `{"at":{"days":[1]}}`, `at={"days":"[1]"}>{"days":[1]}`},
		{"an object in a list", `{"at":{"type":"array","items":{"type":"object"}}}`, `{"at":["{\"a\":1}","x"]}`, `{"at":[{"a":1},"x"]}`, `at=["{\"a\":1}","x"]>[{"a":1},"x"]`},
		{"a text in a text", `{"at":{"type":"object","properties":{"b":{"type":"array"}}}}`, `{"at":"{\"b\":\"[2]\"}"}`, `{"at":{"b":[2]}}`, `at="{\"b\":\"[2]\"}">{"b":[2]}`},
		{"blank where an object is", `{"at":{"type":"object"}}`, `{"at":" "}`, `{"at":{}}`, `at=" ">{}`},
		{"blank where an object requires something", `{"at":{"type":"object","required":["a"]}}`, `{"at":" "}`, `{"at":" "}`, ""},
		{"blank where a list is", `{"at":{"type":"array"}}`, `{"at":""}`, `{"at":[""]}`, `at="">[""]`},
		{"numbers in an object stay", `{"at":{"type":"object","properties":{"n":{"type":"integer"}}}}`, `{"at":{"n":"7"}}`, `{"at":{"n":"7"}}`, ""},
		{"numbers at the top", `{"n":{"type":"integer"}}`, `{"n":"7"}`, `{"n":7}`, `n="7">7`},
		{"no type", `{"n":{}}`, `{"n":"7","m":"[]"}`, `{"n":"7","m":"[]"}`, ""},
		{"a text of something else", `{"at":{"type":"object"}}`, `{"at":"[1]"}`, `{"at":"[1]"}`, ""},
	} {
		got, changed, f := CoerceLater([]byte(`{"type":"object","properties":`+c.properties+`}`), []byte(c.args))
		var told []string
		for _, one := range changed {
			told = append(told, one.Path+"="+string(one.Given)+">"+string(one.Coerced))
		}
		if f != nil || !SameValues(got, []byte(c.want)) || !SameValues([]byte(c.want), got) || strings.Join(told, " ") != c.changed {
			t.Errorf("%s: %s, %q, %v; want %s, %q", c.name, got, told, f, c.want, c.changed)
		}
	}
}
