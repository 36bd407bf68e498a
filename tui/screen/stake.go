package screen

// Reopening is a Screen in which the user opens files that the next run opens again.
type Reopening interface {
	Screen
	// Opened returns their paths, from the root. Reopen takes those of the run before; it is
	// called before there is a state.
	Opened() []string
	Reopen(paths []string)
}

// Staked is a Screen that may hold what is lost when the program ends.
type Staked interface {
	Screen
	// AtStake names it.
	AtStake() []string
}
