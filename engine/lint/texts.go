package lint

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"strings"
	"unicode/utf8"

	"caliper/engine"
	"caliper/model"
)

// text looks for what does not belong into the texts of a tool.
func (c *check) text(t *model.Tool, attack string) []draft {
	var out []draft
	if attack != "" {
		d := found(TalksToModel, Error, t, "%s", attack)
		cut := func(text string) string {
			if !talks(text) {
				return text
			}
			return without(text, talks)
		}
		d.plans = func() []plan {
			return []plan{
				c.retold(t, cut, "cut the sentences that talk to the model"),
				c.retold(t, func(text string) string { return calmed(cut(text)) }, "cut what talks to the model and steers it, and write what is shouted in lower case"),
			}
		}
		out = append(out, d)
	}
	visible, hidden := withoutHidden(t.Description)
	parameters, rewritten := rewriteDescriptions(t.Parameters, func(text string) string {
		clean, found := withoutHidden(text)
		hidden = append(hidden, found...)
		return clean
	})
	plainName, inName := withoutHidden(t.Name)
	if len(hidden)+len(inName) == 0 {
		return out
	}
	d := found(HiddenCharacters, Warning, t, "%s", count(append(inName, hidden...)))
	e := engine.Edit{Tool: t}
	change := "take them out of the descriptions"
	if len(inName) > 0 {
		to := c.free(cleanName(plainName))
		e.Name = &to
		change = "rename it to " + to
		if len(hidden) > 0 {
			change += ", and take them out of the descriptions"
		}
	}
	if visible != t.Description {
		e.Description = &visible
	}
	if rewritten {
		e.Parameters = parameters
	}
	return append(out, d.with(c.about(plan{change: change, edits: []engine.Edit{e}}, t, NameQuery(t))))
}

// withoutHidden returns a text without the characters that nobody sees, and
// those characters: what model.Sanitize holds to be unsafe, but for line
// breaks and tabs, which layout needs, and variation selectors and joiners,
// which honest emoji have in many forms.
func withoutHidden(text string) (visible string, hidden []rune) {
	layout := strings.NewReplacer("\n", " ", "\r", " ", "\t", " ")
	if plain := layout.Replace(text); model.Sanitize(plain) == plain {
		return text, nil
	}
	var b strings.Builder
	for _, r := range text {
		if isHidden(r) {
			hidden = append(hidden, r)
			continue
		}
		b.WriteRune(r)
	}
	if len(hidden) == 0 {
		return text, nil
	}
	return b.String(), hidden
}

// isHidden reports whether a character draws nothing, whatever stands beside
// it.
func isHidden(r rune) bool {
	switch {
	case r == '\n', r == '\r', r == '\t', r == '\u200c', r == '\u200d', r == '\ufe0e', r == '\ufe0f', r == utf8.RuneError:
		return false
	}
	alone := model.Sanitize("x" + string(r))
	return alone != "x"+string(r)
}

// count says which hidden characters there are.
func count(hidden []rune) string {
	text := fmt.Sprintf("%d characters that nobody sees, the first U+%04X", len(hidden), hidden[0])
	if len(hidden) == 1 {
		text = fmt.Sprintf("a character that nobody sees, U+%04X", hidden[0])
	}
	for _, r := range hidden {
		if r >= 0xE0000 && r <= 0xE007F {
			return text + "; they are tags, which spell hidden text"
		}
	}
	return text
}

// attacks returns what texts of tools talk to the model, by tool. The rules
// are those by which package model warns of descriptions when it reads a
// registry, so that every text is given to it as a description: those of
// tools, and of their parameters.
func attacks(ctx context.Context, tools []*model.Tool) (map[*model.Tool]string, error) {
	type entry struct {
		Type     string `json:"type"`
		Function struct {
			Name        string `json:"name"`
			Description string `json:"description"`
		} `json:"function"`
	}
	entries := make([]entry, 2*len(tools))
	err := parallel(ctx, len(tools), func(i int) {
		for j, text := range []string{tools[i].Description, strings.Join(descriptionsIn(tools[i].Parameters), "\n")} {
			e := &entries[2*i+j]
			e.Type, e.Function.Name, e.Function.Description = "function", fmt.Sprint(2*i+j), text
		}
	})
	if err != nil {
		return nil, err
	}
	var data bytes.Buffer
	if err := json.NewEncoder(&data).Encode(entries); err != nil {
		return nil, err
	}
	r, err := model.Parse(ctx, model.Source{Name: "texts", Data: data.Bytes()})
	if err != nil {
		return nil, err
	}
	found := map[*model.Tool]string{}
	for _, w := range r.Warnings {
		var i int
		if _, err := fmt.Sscanf(w.Path, "[%d]", &i); err != nil || w.Code != "injection" || strings.Contains(w.Message, "tag characters") {
			continue
		}
		message := w.Message
		if i%2 == 1 {
			message = strings.Replace(message, "the description", "the description of a parameter", 1)
		}
		if t := tools[i/2]; found[t] == "" {
			found[t] = message
		}
	}
	return found, nil
}

// attack returns what of the texts of one tool talks to the model.
func (c *check) attack(ctx context.Context, t *model.Tool) string {
	if says, ok := c.attacks[t]; ok {
		return says
	}
	found, _ := attacks(ctx, []*model.Tool{t}) // ctx ends the run
	return found[t]
}

// talks reports whether a text talks to the model.
func talks(text string) bool {
	found, _ := attacks(context.Background(), []*model.Tool{{Description: text}})
	return len(found) > 0
}

// unquote returns the text of a JSON string; empty for anything else.
func unquote(raw []byte) string {
	var s string
	_ = json.Unmarshal(raw, &s)
	return s
}
