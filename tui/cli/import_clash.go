package cli

import (
	"fmt"
	"strings"

	"caliper/engine/live"
)

// clashLine says who claims a name and who gets it. Of claims that read alike
// it says which of them in the order of registration.
func clashLine(c live.Clash) string {
	alike := map[live.Claim]int{}
	for _, claim := range c.Claims {
		alike[claim]++
	}
	seen := map[live.Claim]int{}
	var claims []string
	winner := ""
	for i, claim := range c.Claims {
		text := claimText(claim)
		if seen[claim]++; alike[claim] > 1 {
			text += fmt.Sprintf(" (%d of %d)", seen[claim], alike[claim])
		}
		claims = append(claims, text)
		if claim == c.Winner && (i == 0 || claim.Server != "") {
			winner = text // the last of those that are alike
		}
	}
	return fmt.Sprintf("warning: %s is claimed by %s; %s wins", c.Name, strings.Join(claims, " and "), winner)
}

// claimText says whose tool it is.
func claimText(c live.Claim) string {
	switch {
	case c.Server != "":
		return c.Tool + " of " + c.Server
	case c.File == "-":
		return c.Tool + " of standard input"
	case c.File != "":
		return c.Tool + " of " + c.File
	}
	return "the agent itself"
}
