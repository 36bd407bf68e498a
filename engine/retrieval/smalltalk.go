package retrieval

// SmallTalk reports whether a word in lower case is one of greetings and thanks.
func SmallTalk(word string) bool { return smallTalk[word] }

// smallTalk are words of greetings and thanks. They stand in many descriptions,
// as examples and as filler, and alone ask for nothing.
var smallTalk = map[string]bool{
	"hello": true, "hi": true, "hey": true, "yo": true, "welcome": true,
	"good": true, "morning": true, "afternoon": true, "evening": true, "night": true, "day": true,
	"bye": true, "goodbye": true, "later": true, "soon": true,
	"thank": true, "thanks": true, "much": true, "lot": true, "cheers": true, "appreciate": true,
	"nice": true, "great": true, "cool": true, "awesome": true, "perfect": true, "fine": true, "wow": true, "lol": true,
	"ok": true, "okay": true, "yes": true, "yeah": true, "sorry": true, "doing": true, "today": true, "again": true,
}
