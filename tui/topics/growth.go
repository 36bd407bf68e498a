package topics

import "caliper/tui/report"

// grown is what a command takes of the processor and the memory at 1,000, 10,000 and 100,000
// tools, "CPU seconds/MB" each, and the exponent of its growth between the last two; empty for
// one that reads no registry.
type grown struct{ command, thousand, ten, hundred, exponent string }

// growth has the commands in the order of their measurement.
var growth = []grown{
	{"start (version)", "0.006/17", "0.006/17", "0.006/17", ""},
	{"summary (no command)", "0.017/21", "0.10/40", "1.05/194", "1.04"},
	{"check", "0.016/20", "0.085/40", "0.78/180", "0.99"},
	{"config show", "0.011/19", "0.015/30", "0.094/132", "0.99"},
	{"search", "0.018/21", "0.12/40", "1.09/191", "0.99"},
	{"search --ranker fielded", "0.057/27", "0.36/62", "3.23/357", "0.96"},
	{"search --ranker bm25-gated", "0.020/22", "0.15/43", "1.11/206", "0.89"},
	{"search --ranker, all three", "0.062/27", "0.46/64", "4.39/372", "0.98"},
	{"search --all --explain", "0.17/27", "1.31/58", "12.9/343", "0.99"},
	{"search -, 50 queries", "0.028/24", "0.17/48", "1.55/258", "0.98"},
	{"search --why-not", "0.029/25", "0.20/51", "2.18/285", "1.05"},
	{"describe", "0.016/21", "0.087/40", "0.56/184", "0.84"},
	{"call", "0.021/24", "0.10/41", "0.77/188", "0.91"},
	{"call --direct", "0.020/24", "0.11/41", "0.60/189", "0.75"},
	{"bridge tool_search", "0.014/21", "0.13/40", "0.97/187", "0.91"},
	{"assembly", "0.016/21", "0.12/40", "1.00/188", "0.95"},
	{"budget", "0.016/21", "0.12/40", "0.93/194", "0.90"},
	{"budget, exact", "0.079/30", "0.33/53", "2.46/235", "0.88"},
	{"budget, exact, again", "0.057/30", "0.13/47", "0.75/204", "0.77"},
	{"budget --tools", "0.025/23", "0.16/52", "1.46/319", "0.98"},
	{"select, eager", "0.040/28", "0.26/70", "3.17/413", "1.10"},
	{"select, keyword", "0.035/24", "0.21/50", "2.43/273", "1.08"},
	{"select, semantic", "0.077/30", "0.42/68", "4.21/359", "1.00"},
	{"select, hybrid", "0.081/31", "0.44/68", "4.27/343", "0.99"},
	{"select, hybrid, again", "0.047/31", "0.31/72", "2.73/371", "0.95"},
	{"select --turns, 50 messages", "0.50/83", "1.14/151", "8.33/606", "0.87"},
	{"compare", "0.089/32", "0.42/71", "4.35/384", "1.03"},
	{"compare --queries, 50", "0.11/31", "0.71/74", "6.16/406", "0.94"},
	{"compare --queries --pareto", "0.12/33", "0.84/77", "7.89/408", "0.98"},
	{"eval, 50 queries", "0.020/28", "0.13/53", "1.20/264", "0.99"},
	{"eval, all three rankers", "0.10/30", "0.59/78", "6.19/483", "1.03"},
	{"diff", "0.030/23", "0.20/56", "2.04/336", "1.03"},
	{"diff --queries, 50", "0.043/26", "0.33/69", "3.80/448", "1.07"},
	{"gate, 3 sessions, 50 queries", "0.099/39", "0.82/115", "9.54/707", "1.07"},
	{"scope, 3 sessions", "0.039/25", "0.27/54", "2.36/328", "0.95"},
	{"scope, 10 sessions", "0.069/27", "0.50/67", "4.61/396", "0.97"},
	{"scope --names", "0.052/27", "0.34/67", "4.28/402", "1.10"},
	{"scope --without-gate", "0.039/25", "0.25/74", "2.68/413", "1.03"},
	{"lint", "0.15/48", "1.85/168", "20.7/1207", "1.05"},
	{"lint, again", "0.057/28", "0.40/85", "3.82/600", "0.98"},
	{"map", "0.13/37", "2.03/152", "18.9/782", "0.97"},
	{"export, openai", "0.068/26", "0.58/60", "6.35/333", "1.04"},
	{"export, anthropic", "0.076/26", "0.71/59", "6.26/328", "0.95"},
	{"export, gemini", "0.091/27", "0.67/60", "7.49/338", "1.05"},
	{"export, bedrock", "0.064/26", "0.58/59", "6.21/327", "1.03"},
	{"export, mcp", "0.074/26", "0.70/60", "7.39/335", "1.03"},
	{"export, hermes", "0.067/24", "0.68/58", "5.16/324", "0.88"},
	{"export --assembly", "0.014/20", "0.098/40", "0.66/180", "0.85"},
	{"import", "0.068/28", "0.52/87", "6.14/387", "1.08"},
	{"rescue put", "0.022/22", "0.080/40", "0.65/180", "0.94"},
}

// growthFigures says how every command grows with the registry.
func growthFigures(r *report.Report) {
	section(r, "How every command grows")
	t := report.Columns("CPU s/MB", ">1,000", ">10,000", ">100,000", ">exponent")
	for _, g := range growth {
		t.Row(g.command, g.thousand, g.ten, g.hundred, g.exponent)
	}
	r.Table(t)
	say(r, "CPU seconds of a process and megabytes at so many tools (a dump of 112 MB has 100,000), and the exponent between the last two without the start; 1 is linear, what leaves the processor's caches adds to it. .ci/growth prints it; in another run some cells differed by half. Again: with the cache. eval of 50 queries, gate, lint, map and, from 10,000 on, scope --without-gate were measured on a busy machine; above 20,000 tools map compares fewer hits, and says so.")
}
