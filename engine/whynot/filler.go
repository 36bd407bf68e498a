package whynot

import (
	"strings"
	"sync"

	"caliper/model/words"
)

// fillers are words of any request that do not describe a tool: articles, pronouns,
// auxiliaries, quantities and polite phrases. A search counts them like others; a
// remedy uses them last.
var fillers = sync.OnceValue(func() map[string]bool { return words.Set(fillerWords) })

// isFiller reports whether a word is a filler. Numbers are fillers, because hardly
// any query has the defaults and bounds of a description.
func isFiller(word string) bool {
	return fillers()[word] || strings.Trim(word, "0123456789") == ""
}

const fillerWords = `
a able about additionally after all also although always am an and any are as at be because been before
both but by can cant could curious currently d detail details did do does doesnt dont e each else etc
every few finally for from g give had has have he hello help her hey hi him his how however i id if ill
im in info information instead interested into is it its ive just kindly know lastly least less let like
ll look looking m make many me might more most much my need next no nor not of often on only or other
our own please possible possibly provide rather re regarding related s same say says several shall she should so
some specific specifically such sure t tell than thank thanks that the their them then there these they
this those to too try trying unless until us use used using ve very want wanted wants was we were what
when where whether which while who whom why will wish with wondering would you your
`
