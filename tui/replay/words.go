package replay

// glossed are the words of the glossary that the views print.
var glossed = []string{"replay", "loop", "burnt", "idle describe", "eager set", "cache break", "billed again", "breaks mended", "calibrated tokenizer", "held out", "overhead", "known", "deferrable", "core tool"}

// Words returns the labels of the views.
func (s *Screen) Words() (here, pane []string) { return nil, glossed }
