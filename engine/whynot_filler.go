package engine

import "strings"

// fillers are words that stand in any request and say nothing of what a tool
// does: articles, pronouns, auxiliaries, quantities and phrases of politeness.
// A search counts them like others; as a remedy they are a last resort.
var fillers = func() map[string]bool {
	set := map[string]bool{}
	for _, w := range strings.Fields(fillerWords) {
		set[w] = true
	}
	return set
}()

// isFiller reports whether a word is a filler. Numbers are: hardly anybody says
// the defaults and bounds that descriptions give.
func isFiller(word string) bool {
	return fillers[word] || strings.Trim(word, "0123456789") == ""
}

const fillerWords = `
a able about additionally after all also although always am an and any are as at be because been before
both but by can cant could curious currently d detail details did do does doesnt dont e each else etc
every few finally for from g give had has have he hello help her hey hi him his how however i id if ill
im in info information instead interested into is it its ive just kindly know lastly least less let like
ll look looking m make many me might more most much my need next no nor not of often on only or other
our own please possible possibly provide rather re regarding related s same several shall she should so
some specific specifically such sure t tell than thank thanks that the their them then there these they
this those to too try trying unless until us use used using ve very want wanted wants was we were what
when where whether which while who whom why will wish with wondering would you your
`
