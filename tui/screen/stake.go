package screen

// Staked is a Screen that may hold what is lost when the program ends.
type Staked interface {
	Screen
	// AtStake names it.
	AtStake() []string
}
