package rescue

import "time"

// Limits are the settings of a rescue. The names are those of the
// configuration keys.
type Limits struct {
	// MaxResultChars is the longest result, in code points, that passes whole.
	MaxResultChars int
	// FetchMaxChars bounds the text of one answer, in code points.
	FetchMaxChars int
	// FullFetchMaxChars bounds the answer of mode full, in code points.
	FullFetchMaxChars int
	// ExcerptMaxChars bounds a whole handle, header included, in code points.
	ExcerptMaxChars int
	// HeadLines and TailLines are the lines shown of the two ends of a text.
	HeadLines, TailLines int
	// JSONHeadItems and JSONTailItems are the items shown of the two ends of
	// a JSON array or object.
	JSONHeadItems, JSONTailItems int
	// RefuseFullFetch refuses mode full over its limit instead of cutting.
	RefuseFullFetch bool
	// GrepTimeout bounds one search by pattern.
	GrepTimeout time.Duration
	// GrepMaxPatternLen bounds a pattern, in code points.
	GrepMaxPatternLen int
	// GrepMaxLineLen bounds a line as shown by a search, in code points.
	GrepMaxLineLen int
	// Exclude names tools whose results are never rescued.
	Exclude []string
	// ErrorLines are texts that make a line look like an error, in any case of
	// letters; without any, the words of this package do.
	ErrorLines []string
	// Off names the setting that switches rescue off; empty while it is on.
	Off string
}

// Default returns the limits of an empty configuration.
func Default() Limits {
	return Limits{
		MaxResultChars:    12000,
		FetchMaxChars:     4000,
		FullFetchMaxChars: 50000,
		ExcerptMaxChars:   8000,
		HeadLines:         40,
		TailLines:         15,
		JSONHeadItems:     5,
		JSONTailItems:     2,
		RefuseFullFetch:   true,
		GrepTimeout:       500 * time.Millisecond,
		GrepMaxPatternLen: 80,
		GrepMaxLineLen:    2000,
	}
}
