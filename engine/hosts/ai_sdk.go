package hosts

// aiSDK is toolSearch of Vercel's AI SDK without a search function of the developer's: each
// different word of the query gives 2 in the name and 1 in the description. Names are as
// the developer chose them.
var aiSDK = &Host{
	Name: "ai-sdk", Title: "AI SDK", Package: "npm ai", Version: "7.0.173", Month: "2026-11", Limit: 5,
	On: "if the model is given toolSearch",
	rules: rules{
		words: camelWords,
		texts: []text{
			{of: func(e *entry) []string { return camelWords(e.wire) }, equal: 2},
			{of: func(e *entry) []string { return camelWords(e.description) }, equal: 1},
		},
		order: []key{byScore},
	},
}
