package topics

import (
	"caliper/config"
	"caliper/tui/report"
)

// publicSets are the public sets that rankers and strategies are measured with.
var publicSets = []string{"livemcpbench", "mcpproxy", "metatool", "sealtools", "bfcl", "mean"}

// measured is a column of figures of a table, under a title.
type measured struct {
	title   string
	figures []string
}

// measuredTable returns a table of figures in columns, a row for each of some names.
func measuredTable(first string, names []string, columns ...measured) *report.Table {
	t := report.Columns(first)
	for _, c := range columns {
		t.Column(">" + c.title)
	}
	for i, name := range names {
		row := []any{name}
		for _, c := range columns {
			row = append(row, c.figures[i])
		}
		t.Row(row...)
	}
	return t
}

// figuresPage has what was measured, beside what measures it.
func figuresPage(r *report.Report) {
	say(r, "What was measured, and what measures it. Which ranker or strategy suits your tools is a question for your own labelled queries: caliper eval, caliper compare.")
	rankerFigures(r)
	selectionFigures(r)
	section(r, "Rescue: one process each, start included")
	r.Table(measuredTable("", []string{"100 MB of log lines", "100 MB of JSON on one line", "500 MB of log lines, from a pipe"},
		measured{"put", []string{"0.3-0.9 s", "0.9-1.8 s", "3.0 s"}}, measured{"fetch, any mode", []string{"0.1-0.8 s", "0.1-0.8 s", "0.5-1.5 s"}},
		measured{"most memory", []string{"26 MB", "27 MB", "34 MB"}}))
	say(r, "On the demo's log the handle costs 1,615 tokens of 15,339.")
	replayFigures(r)
	speedFigures(r)
	growthFigures(r)
	reproduction(r)
	commands(r, "caliper eval queries.jsonl --demo --ranker bm25,fielded,bm25-gated", "caliper compare --queries queries.jsonl --pareto",
		"caliper import BFCL_v4_multiple.json possible_answer/ -o set.json --queries-out q.jsonl",
		"caliper import tool.jsonl test_in_domain.jsonl test_out_domain.jsonl -o set.json --queries-out q.jsonl",
		"caliper import plugin_des.json all_clean_data.csv -o set.json --queries-out q.jsonl",
		"caliper import tools.json all_annotations.json -o set.json --queries-out q.jsonl",
		"caliper eval q.jsonl --registry set.json --ranker bm25,fielded",
		"caliper eval queries.jsonl --registry tools.json --config all.yaml --ranker bm25,fielded")
}

// reproduction says how a figure of a public set is had again.
func reproduction(r *report.Report) {
	section(r, "The figure of a public set, in two commands")
	r.Table(report.Listed(
		[]string{"files of the project", "caliper import ... -o set.json --queries-out q.jsonl, then caliper eval q.jsonl --registry set.json: below for BFCL, Seal-Tools, MetaTool and LiveMCPBench. The dump has \"core\": [], so that every tool is searched, and needs no configuration"},
		[]string{"a list of tools", "with queries in the form that eval reads: echo 'tools: {core: []}' > all.yaml, then caliper eval queries.jsonl --registry tools.json --config all.yaml. Without it a tool that is called as one of the agent's core tools is not searched, which eval tells: in mcpproxy's set write_file (bm25 66.9 / 73.3), in BFCL todo and web_search (62.8 / 70.6)"},
	))
	say(r, "The table of rankers is of a part of each set: the queries whose MD5 is even, 1,000 at most. An import has all of them, so its figures differ. The descriptions of the servers of LiveMCPBench are in its own files; fielded without them is at 46.5 / 44.7.")
}

// rankerFigures has how well the rankers find.
func rankerFigures(r *report.Report) {
	section(r, "Rankers: nDCG@10 / recall@5 in percent")
	r.Table(measuredTable("", publicSets,
		measured{config.RankerBM25, []string{"28.6 / 28.5", "67.3 / 74.2", "37.1 / 42.4", "75.3 / 70.6", "63.2 / 71.2", "54.3 / 57.4"}},
		measured{config.RankerFielded, []string{"46.7 / 43.2", "83.4 / 89.2", "66.1 / 75.1", "95.5 / 94.7", "79.5 / 87.1", "74.2 / 77.8"}},
		measured{config.RankerGated, []string{"0.0 / 0.0", "5.0 / 5.0", "0.2 / 0.2", "0.9 / 0.9", "0.6 / 0.6", "1.3 / 1.4"}}))
	say(r, "On the development halves of five public sets: 2,712 requests over 6,134 tools of LiveMCPBench, mcpproxy's golden set, MetaTool, Seal-Tools and BFCL; go test ./engine/labels -run DevelopmentSets -v where the sets are. bm25 is the reference agent's ranker, score for score.")
	section(r, "By wording (none, some, all): recall@5 in percent")
	r.Table(measuredTable("", publicSets[:5],
		measured{"queries", []string{"18 35 1", "11 9 0", "640 292 68", "0 494 144", "195 566 239"}},
		measured{config.RankerBM25, []string{"3.7 39.3 100.0", "53.0 100.0 -", "31.7 53.4 95.6", "- 68.0 79.5", "45.9 70.3 93.9"}},
		measured{config.RankerFielded, []string{"18.5 54.2 100.0", "80.3 100.0 -", "63.0 95.9 100.0", "- 93.6 98.4", "71.1 87.6 98.8"}},
		measured{config.RankerGated, []string{"0.0 0.0 0.0", "9.1 0.0 -", "0.0 0.3 1.5", "- 1.0 0.7", "0.0 0.4 1.7"}}))
	say(r, "The same queries and tools; help queries says what counts as a word of a name. Where the names are whole in the query, fielded finds 98.4 to 100 % of the expected tools; where no word of them is, 18.5 to 80.3 %, and words can do little more. The last command below prints it with every other metric, and the test above logs it.")
	say(r, "What fielded gained with the support of the server, kinds of arguments and the Chinese glossary, query by query with 95 % intervals of the nDCG@10: 2.6 (0.5 to 5.3), 0.7 (0.0 to 1.8), 0.0 (-0.1 to 0.1), -0.1 (-0.2 to 0.1) and 0.2 (0.0 to 0.5) on these sets, 0.7 on average over nine; of that the glossary is 0.5, the server 0.2 and the arguments 0.0. go test ./engine/retrieval/fielded -run Additions -slow -v.")
	say(r, "learned adds to the nDCG@10 of fielded, when it learns from four fifths of the labelled queries and is asked the last fifth, by task: 1.9, 0.0, 8.4, 0.2 and 5.5 on these sets, and 4.2 on average over nine; 4.0 when a fifth of the labels is wrong, 2.0 from forty labels. Over hybrid ("+config.KeyLearnOver+") all labels add 4.4 on average; two sets then have 0.6 and 1.7 less than over fielded, so it is not the default. go test ./engine/retrieval/learned -run DevelopmentSets -slow -v.")
	say(r, "With a fifth of the tools unlabelled, twelve times, queries for these lose by learned 0.2 of 67.9 (MetaTool, 2,596 queries) and 0.4 of 78.1 (BFCL, 2,142); those for labelled tools gain 8.7 and 5.7. Over all nine sets they lose 0.5 and the others gain 5.8, a mean over queries; in the smaller sets, of 30 to 375 such queries, the loss is 0.0 to 2.4, and 6.7 where each query needs two tools. Before unlabelled tools gained a share of their score they lost 12.7 and 9.3, and the others gained 8.9 and 6.1, three times, where it is now 0.1 and 0.8, 7.7 and 5.5. Labels that name few of thousands of tools weigh less since: 3.6 points where it was 12.2 (LiveMCPBench among 3,161 tools). go test ./engine/retrieval/learned -run UnlabelledTools -slow -v -times 12.")
	say(r, "hybrid adds to the nDCG@10 of fielded, with the default weight of 0.4 and 95 % intervals: LiveMCPBench 1.0 (-0.9 to 2.9), mcpproxy's 20 queries 0.0 (-1.4 to 1.3), MetaTool 2.2 (1.7 to 2.8), Seal-Tools 0.3 (0.0 to 0.6), BFCL 1.0 (0.5 to 1.5), and on the other four sets 2.7 (0.1 to 5.1), 0.8 (-0.6 to 2.2), 3.5 (2.5 to 4.6) and 0.4 (0.0 to 0.8); 1.3 (0.9 to 1.8) on average over nine. semantic alone has 61.5 where fielded has 69.3. go test ./engine/retrieval/meaning -run DevelopmentSets -slow -v.")
	section(r, "Word vectors: mean nDCG@10 over nine sets")
	r.Table(measuredTable("", []string{"MiniLM, the encoder", "e5, the encoder", "the table, trained on texts", "MiniLM, words alone", "e5, words alone", "e5, trained on a fifth", "best match a word", "nearest words, indexed"},
		measured{"alone", []string{"60.0", "54.0", "61.1", "57.8", "52.5", "61.4", "64.9", "63.6"}},
		measured{"added to fielded", []string{"2.3 (1.7 to 3.1)", "1.4 (0.9 to 2.0)", "1.3 (0.9 to 1.7)", "0.6 (0.2 to 1.0)", "0.3 (-0.2 to 0.8)", "0.9 (0.5 to 1.3)", "0.0 (-0.4 to 0.5)", "-0.1 (-0.5 to 0.3)"}}))
	say(r, "The encoders are all-MiniLM-L6-v2 and e5-small-v2; fielded alone has 69.3. The last two are other uses of the same table: they find more alone, since a word is nearest to itself, which fielded has already. Asked by whole queries, as the encoder is, the table has 58.7, 98 % of its teacher; of what the encoder adds to fielded it keeps 55 %. Other ways that lost: the sum of shares, (1-w)·min(1, fielded / Σ idf) + w·cosine, which costs 1.5 with static vectors; a row a word; both teachers together; pairs of texts to tell apart; shorter rows for rare words; the square of the cosine. Queries without a word of the name rise from 63.0 to 67.8 at recall@5 (MetaTool), where the encoder in the same sum has 71.7. engine/embed/builtin/make/evaluate.py; encoders and other trainings were measured by scripts that are not kept.")
	say(r, "Rows for pairs of neighbouring words were tried too, trained with the others. 19,600 words and 9,000 pairs, in the same bytes, have 61.5 alone and add 1.3 (0.9 to 1.8) to fielded with the weight 0.4, and 1.4 (0.7 to 2.1) with 0.7, where mcpproxy's set loses 1.0. 28,600 words and 15,000 pairs of 160 numbers in place of 256 have 60.4 alone, and add 1.4 (1.0 to 1.9) with 0.4, 1.3 (0.8 to 1.8) with 0.5, 1.4 (0.8 to 2.0) with 0.6 and 1.4 (0.8 to 2.1) with 0.7. That is within the interval of the table without pairs, so they are left out. None of these weights helps the queries without a word of the name as far as wished: at recall@5 MetaTool has 67.0 to 68.4, BFCL 70.4 to 71.0. With weights from 0.5 to 0.7 the table of the binary costs mcpproxy's 20 queries 3.4 to 3.7.")
	say(r, "The confidence tells a query from the same one whose tools were deleted in 67 of 100 pairs with bm25 and in 69 with fielded, on average over nine sets, each measured with coefficients of the other eight (chance: 50; from 58 to 88 by set), and in 72 with learned. The Brier score is 0.235, 0.227 and 0.223 (chance: 0.250), the expected calibration error 0.09, 0.08 and 0.10. Many of the deleted tools have a twin that answers as well, which counts as an error. go test ./engine/confidence -run 'Fit|Learned' -slow -v.")
}

// selectionFigures has how well the strategies choose.
func selectionFigures(r *report.Report) {
	section(r, "Selection: recall@8 in percent, with bm25 and K = 8")
	r.Table(measuredTable("", publicSets,
		measured{"keyword", []string{"31.6", "75.8", "47.1", "77.1", "76.5", "61.6"}},
		measured{"semantic", []string{"43.9", "89.2", "76.2", "86.5", "88.9", "76.9"}},
		measured{"hybrid", []string{"36.6", "83.3", "62.4", "82.8", "82.3", "69.5"}},
		measured{"fuzzy", []string{"38.9", "85.8", "67.2", "90.2", "84.5", "73.3"}},
		measured{"hybrid with fuzzy", []string{"33.3", "80.8", "56.0", "81.6", "80.4", "66.4"}}))
	say(r, "With fielded, keyword alone is at 82.2, hybrid at 83.7, and hybrid with fuzzy at 82.0. The defaults of the fusion are those with which fuzzy costs fielded next to nothing, not the proposal's 60 and equal weights, with which it takes more than it gives. go test ./engine/retrieval/meaning -run SimilarityQuality -slow -v; go test ./engine/embed/fuzzy -run Quality -slow -v.")
	say(r, "On the demo's 80 labelled queries, K = 8 and three always-sent tools, hybrid saves 93% of the schema tokens and has the expected tool for 85% of what is asked.")
}

// replayFigures has how fast logs are replayed.
func replayFigures(r *report.Report) {
	section(r, "Replay: 500 MB of logs, on one core")
	r.Table(measuredTable("", []string{"Claude Code", "Codex", "Hermes, export", "Hermes, database", "requests", "requests of 3 kB, a session each", "records of caliper"},
		measured{"first run, MB/s", []string{"137", "109", "86", "74", "323", "19", "31"}},
		measured{"again, MB/s", []string{"345", "417", "238", "285", "962", "19", "55"}},
		measured{"most memory", []string{"113 MB", "105 MB", "96 MB", "121 MB", "71 MB", "161 MB", "140 MB"}}))
	say(r, "The CPU time of the whole command, start and JSON included, the better of two runs on a shared machine. The logs are made up, with results of tools as long as real ones: go test ./engine/internal/biglog -run WriteLogs -dir DIR -mb 500, then caliper replay DIR/claude --registry DIR/registry.json --json with GOMAXPROCS=1. What is computed of a request costs the same however short it is: logs without long results take up to three times as long.")
}

// speedFigures has how long searches and reloads take.
func speedFigures(r *report.Report) {
	section(r, "Speed over 1,000, 10,000 and 100,000 tools")
	r.Table(measuredTable("", []string{
		"search, mixed queries", "search, 12 to 30 words", "search, common words", "index: built / one tool changed", "fielded, mixed queries",
		"one tool of a file changed", "a frame of 200×60 after a letter", "a key, Update and View",
	},
		measured{"1,000", []string{"5 / 10 µs", "16 / 28 µs", "7 / 9 µs", "4 / 0.6 ms", "32 / 72 µs", "2.7 ms", "0.15 ms", "0.17 ms"}},
		measured{"10,000", []string{"7 / 24 µs", "28 / 66 µs", "22 / 27 µs", "32 / 4 ms", "67 / 174 µs", "27 ms", "0.18 ms", "0.21 ms"}},
		measured{"100,000", []string{"13 / 137 µs", "72 / 356 µs", "153 / 201 µs", "314 / 48 ms", "99 / 2,510 µs", "351 ms", "0.80 ms", "0.34 ms"}}))
	say(r, "Searches are p50 / p99, keys p50; the frame includes the search, and the file all of its reload. Two cores that others used at the same time, Go 1.26, synthetic MCP-like tools (engine/internal/synthetic), the least of several runs. The benchmarks: Search and Build|Rebuild of ./engine/retrieval, Search of ./engine/retrieval/fielded, Reload of ./tui/workbench, View and Key of ./tui (go test PACKAGE -run - -bench NAME).")
	section(r, "Beside bleve and FTS5: 100,000 tools, k = 20")
	r.Table(measuredTable("", []string{"bm25", "bm25-gated", "fielded", "bleve 2.5.7", "FTS5 (modernc 1.53.0)"},
		measured{"build", []string{"0.5 s", "0.6 s", "0.9 s", "17 s", "3.8 s"}},
		measured{"mixed queries", []string{"26 / 172 µs", "13 / 465 µs", "141 / 409 µs", "178 / 6,167 µs", "144 / 418 ms"}},
		measured{"exact name", []string{"10 / 45 µs", "9 / 12 µs", "187 / 357 µs", "11 / 13 µs", "927 / 1,696 µs"}}))
	say(r, "p50 / p99 of one run on a loaded machine; both peers pure Go, in memory and set up as their documentation tells a new user (engine/internal/peers, a module of its own). bm25 and the peers read names, descriptions and parameter names; fielded reads everything.")
	section(r, "Real requests: p50 in µs")
	r.Table(measuredTable("set (tools, words of a request)", []string{"livemcp_agentq (527, 13)", "livemcpbench (527, 23)", "livemcp_xl (3,161, 18)", "toolbench (2,479, 44)", "sealtools (4,076, 57)"},
		measured{"bm25", []string{"13", "15", "26", "77", "57"}}, measured{"gated", []string{"4", "5", "7", "15", "19"}},
		measured{"fielded", []string{"69", "64", "113", "186", "253"}}, measured{"bleve", []string{"85", "73", "238", "351", "1,051"}},
		measured{"FTS5", []string{"1,064", "2,061", "6,231", "21,163", "38,736"}}))
	say(r, "Real requests are longer than synthetic ones, and go to real tools: all requests of a public set in one process, a ranker after another in each round, the least of some rounds on a loaded machine.")
}
