package engine

import "strings"

// fillers are words that stand in any request and say nothing of what a tool
// does: articles, pronouns, auxiliaries and phrases of politeness. A search
// counts them like others; as a remedy they are a last resort.
var fillers = func() map[string]bool {
	set := map[string]bool{}
	for _, w := range strings.Fields(fillerWords) {
		set[w] = true
	}
	return set
}()

const fillerWords = `
a able about additionally after all also am an and any are as at be been before both but by can cant
could curious currently d detail details did do does doesnt dont each few finally for from give had
has have he hello help her hey hi him his how i id if ill im in info information interested into is
it its ive just kindly know lastly let like ll look looking m make me might more most my need next
no nor not of on only or other our own please possible possibly provide re regarding related s same
shall she should so some specific specifically such sure t tell than thank thanks that the their
them then there these they this those to too try trying us use used using ve very want wanted wants
was we were what when where which who whom why will wish with wondering would you your
`
