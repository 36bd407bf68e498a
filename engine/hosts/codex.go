package hosts

import (
	"fmt"
	"strings"
	"sync"
	"unicode"
	"unicode/utf8"

	"caliper/model/words"

	uax29 "github.com/clipperhouse/uax29/v2/words"
	"github.com/kljensen/snowball/english"
	"golang.org/x/text/unicode/norm"
)

// codex is tool_search of Codex, which only models have whose row says so: the crate bm25
// 2.3.2 over one text of names, description and top-level parameter names. The crate keeps
// scores in a map, so that equal ones come in another order from call to call; the answer
// is grouped by server then. Tools for agents of its own compete.
//
// It differs in scripts other than Latin, which the crate writes in ASCII letters: of
// Chinese it has a syllable for a character, by which characters of one sound are one word.
var codex = &Host{
	Name: "codex", Title: "Codex", Package: "npm @openai/codex", Version: "0.171.0", Month: "2026-11", Limit: 8,
	Client: "codex", Grouped: true,
	On:     "where the row of the model has it",
	naming: func(server, tool string) string { return "mcp__" + masked(server, "") + "__" + masked(tool, "") },
	rules: rules{
		words: codexWords, repeats: true,
		bm25:   &bm25{of: codexText, k1: 1.2, b: .75, single: true},
		order:  []key{byScore, byName},
		chance: true,
	},
}

// codexText returns the text of a tool: its name, server and tool as the model sees them but
// run together, so that the name which the model calls finds nothing, the server, the name in
// letters that the model may see, the description, the parameters.
func codexText(e *entry) string {
	if e.tool == nil {
		return e.text
	}
	local := masked(e.local, "")
	parts := []string{e.local, "mcp__" + masked(e.server, "") + local, e.server, local, e.description}
	return strings.Join(append(parts, e.tool.PropertyNames()...), " ")
}

// codexStopWords are the stop words of English in NLTK, which the crate leaves out before it
// takes the stem (stop-words 0.9.0).
var codexStopWords = sync.OnceValue(func() map[string]bool {
	return words.Set(`a about above after again against ain all am an and any are aren aren't as at be because been before
		being below between both but by can couldn couldn't d did didn didn't do does doesn doesn't doing don don't down during
		each few for from further had hadn hadn't has hasn hasn't have haven haven't having he her here hers herself him himself
		his how i if in into is isn isn't it it's its itself just ll m ma me mightn mightn't more most mustn mustn't my myself
		needn needn't no nor not now o of off on once only or other our ours ourselves out over own re s same shan shan't she
		she's should should've shouldn shouldn't so some such t than that that'll the their theirs them themselves then there
		these they this those through to too under until up ve very was wasn wasn't we were weren weren't what when where which
		while who whom why will with won won't wouldn wouldn't y you you'd you'll you're you've your yours yourself yourselves`)
})

// codexWords returns the English stems of the words of a text, by the boundaries of Unicode
// (UAX #29): an underscore and camelCase cut nothing, a hyphen does.
func codexWords(text string) (out []string) {
	if !isASCII(text) {
		text = inASCII(text)
	}
	for s := uax29.FromString(strings.ToLower(text)); s.Next(); {
		if w := s.Value(); strings.ContainsFunc(w, isAlphanumeric) && !codexStopWords()[w] {
			out = append(out, english.Stem(w, true))
		}
	}
	return out
}

// codexLetters are letters of Latin that have no mark to lose.
var codexLetters = strings.NewReplacer("ß", "ss", "æ", "ae", "Æ", "AE", "œ", "oe", "Œ", "OE", "ø", "o", "Ø", "O", "ł", "l", "Ł", "L", "đ", "d", "Đ", "D", "ı", "i", "þ", "th", "Þ", "Th", "ð", "d", "Ð", "D")

// inASCII returns a text in ASCII as far as it is Latin: letters without their marks, and
// names for the symbols that descriptions have most, each with a blank after it. From the
// first such character on, line breaks and other controls are gone, so that the last word
// of a line and the first of the next are one. Source: deunicode 1.6.2, by which the crate
// writes all of Unicode in ASCII.
func inASCII(text string) string {
	from := strings.IndexFunc(text, func(c rune) bool { return c > unicode.MaxASCII })
	plain := strings.Map(func(c rune) rune {
		switch {
		case c == '\u00ad', unicode.Is(unicode.Mn, c), unicode.IsControl(c):
			return -1
		case c == '‘' || c == '’':
			return '\''
		}
		return c
	}, norm.NFKD.String(text[from:]))
	var out []byte
	for _, c := range plain {
		if unicode.Is(unicode.Han, c) {
			out = fmt.Appendf(out, "h%x ", c) // in the place of its syllable in Pinyin
		} else {
			out = utf8.AppendRune(out, c)
		}
	}
	return text[:from] + codexSymbols().Replace(codexLetters.Replace(string(out)))
}

// codexSymbols replaces symbols by the names that deunicode 1.6.2 gives them.
var codexSymbols = sync.OnceValue(func() *strings.Replacer {
	var pairs []string
	for _, s := range strings.Fields(`⚠warning ✅white_check_mark ❌x ✔checkmark ✖x ⚡zap ⛔no_entry ⏰alarm_clock ⏳hourglass_flowing_sand ☁cloud
		☎telephone ♻recycle ⚙gear ➡arrow_right ✏pencil2 ✨sparkles 💡bulb 💬speech_balloon 💰moneybag 💾floppy_disk
		📁file_folder 📂open_file_folder 📄page_facing_up 📅date 📈chart_with_upwards_trend 📉chart_with_downwards_trend
		📊bar_chart 📋clipboard 📌pushpin 📎paperclip 📝memo 📞telephone_receiver 📢loudspeaker 📤outbox_tray 📥inbox_tray
		📦package 📧email 📱iphone 📷camera 🔄arrows_counterclockwise 🔍mag 🔎mag_right 🔐closed_lock_with_key 🔑key 🔒lock
		🔓unlock 🔔bell 🔗link 🔥fire 🔧wrench 🔨hammer 🔴red_circle 🗂dividers 🗑wastebasket 🗺map 🌍earth_africa
		🌐globe_with_meridians 🎉tada 🎨art 🎯dart 🎵musical_note 🏠house 🐙octopus 🐛bug 🐳whale 👀eyes 👉point_right 👍+1
		👩woman 👨man 👤bust_in_silhouette 👥busts_in_silhouette 💻computer 🖥desktop 🚀rocket 🚨rotating_light 🚫no_entry_sign 🛑stop_sign
		🛠tools 🤖robot 🧠brain 🧪test_tube 🟢green_circle 🟡yellow_circle ♠spades ♡white_heart ♢white_diamond ♣clubs ♥hearts ♦diamonds ©(c) ®(r) ™tm`) {
		_, n := utf8.DecodeRuneInString(s)
		pairs = append(pairs, s[:n], strings.ReplaceAll(s[n:], "_", " ")+" ")
	}
	return strings.NewReplacer(pairs...)
})
