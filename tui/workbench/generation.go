package workbench

import "caliper/config"

// InGeneration returns the input of a state as another generation of the agent would
// read it. A ranker that the configuration has by default, said or unsaid, becomes that
// of the generation: the agent itself has no such setting.
func InGeneration(in Input, saved State, g config.Generation) Input {
	in.Flags.Generation, in.Flags.Host = string(g), ""
	search := saved.Snapshot.Config.ToolSearch
	if in.Flags.Ranker == "" && search.Ranker == config.DefaultOf(search.Generation).ToolSearch.Ranker {
		in.Flags.Ranker = config.DefaultOf(g).ToolSearch.Ranker
	}
	return in
}
