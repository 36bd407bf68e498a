package shapes

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"testing"

	"caliper/model"
	"caliper/model/jsontree"
	"caliper/model/require"
)

// told returns tools and queries, one a line.
func told(r *model.Registry) string {
	var b strings.Builder
	fmt.Fprintf(&b, "%s\n", r.Shape)
	for _, t := range r.Tools {
		fmt.Fprintf(&b, "%s in %s %q %s\n", t.Name, t.Toolset, t.Description, t.Parameters)
	}
	for _, q := range r.Queries {
		fmt.Fprintf(&b, "%s: %s -> %s", q.ID, q.Text, strings.Join(q.Relevant, " "))
		if q.Groups != nil {
			fmt.Fprintf(&b, " %q", q.Groups)
		}
		if q.Category != "" {
			fmt.Fprintf(&b, " of %s", q.Category)
		}
		b.WriteByte('\n')
	}
	for _, w := range r.Warnings {
		fmt.Fprintf(&b, "%s\n", w.Code)
	}
	return b.String()
}

// dataSets are small files of our own in the shape of each catalogue and data set.
var dataSets = []struct {
	name  string
	files []model.Source
	want  string
}{
	{"Docker", []model.Source{{Name: "servers/harbour/tools.json", Data: []byte(`[{"name":"dock","description":"Docks.","arguments":[{"name":"ship","type":"string","desc":"Which."},{"name":"tags","type":"array","desc":""}]},{"name":"list","description":"Lists.","arguments":[]}]`)}},
		`docker
mcp_harbour_dock in mcp-harbour "Docks." {"type":"object","properties":{"ship":{"type":"string","description":"Which."},"tags":{"type":"array","description":""}}}
mcp_harbour_list in mcp-harbour "Lists." {"type":"object","properties":{}}
`},
	{"Docker, written by its program", []model.Source{{Name: "servers/harbour/tools.json", Data: []byte(`[{"arguments":[{"desc":"Which.","name":"ship","type":"string"},{"name":"crane","type":"integer","optional":true},{"items":{"type":"string"},"name":"tags","type":"array","optional":false}],"description":"Says \"optional\": no.","name":"dock"},{"name":"list","arguments":[{"name":"all","type":"boolean"}],"annotations":{"readOnlyHint":true}},{"name":"wait","description":"Waits."}]`)}},
		`mixed
mcp_harbour_dock in mcp-harbour "Says \"optional\": no." {"type":"object","properties":{"ship":{"type":"string","description":"Which."},"crane":{"type":"integer"},"tags":{"type":"array","items":{"type":"string"}}},"required":["ship","tags"]}
mcp_harbour_list in mcp-harbour "" {"type":"object","properties":{"all":{"type":"boolean"}},"required":["all"]}
mcp_harbour_wait in mcp-harbour "Waits." 
`},
	{"Docker, with required arguments", []model.Source{{Name: "servers/harbour/tools.json", Data: []byte(`[{"name":"dock","description":"Says \"optional\": no.","arguments":[{"name":"ship","description":"Which.","required":true},{"name":"crane","type":"string","required":false},{"name":"tags","type":"array"}]},{"name":"list","description":"Lists.","arguments":[{"name":"all","type":"boolean"}]}]`)}},
		`docker
mcp_harbour_dock in mcp-harbour "Says \"optional\": no." {"type":"object","properties":{"ship":{"type":"string","description":"Which."},"crane":{"type":"string"},"tags":{"type":"array"}},"required":["ship"]}
mcp_harbour_list in mcp-harbour "Lists." {"type":"object","properties":{"all":{"type":"boolean"}}}
`},
	{"LangChain", []model.Source{{Name: "x", Data: []byte(`[{"name":"dock","description":"Docks.","args_schema":{"type":"object","properties":{"ship":{"type":"string"}}}},{"name":"sail","description":"Sails.","args":{"to":{"type":"string"}}},{"lc":1,"type":"not_implemented","id":["langchain","tools","Tool"],"kwargs":{"name":"wait","description":"Waits."}}]`)}},
		`langchain
dock in (none) "Docks." {"type":"object","properties":{"ship":{"type":"string"}}}
sail in (none) "Sails." {"type":"object","properties":{"to":{"type":"string"}}}
wait in (none) "Waits." 
`},
	{"Semantic Kernel", []model.Source{{Name: "x", Data: []byte(`[{"name":"dock","plugin_name":"port","description":"Docks.","parameters":[{"name":"ship","description":"Which.","is_required":true,"type_":"str","schema_data":{"type":"string"}}]},{"Name":"sail","PluginName":"port","Parameters":[{"Name":"to","IsRequired":true,"ParameterType":"int"},{"Name":"by","IsRequired":false,"ParameterType":"int"}]}]`)}},
		`semantic-kernel
port-dock in port "Docks." {"type":"object","properties":{"ship":{"type":"string","description":"Which."}},"required":["ship"]}
port-sail in port "" {"type":"object","properties":{"to":{"type":"integer"},"by":{"type":"integer"}},"required":["to"]}
`},
	{"LangChain of JavaScript", []model.Source{{Name: "x", Data: []byte(`[{"lc":1,"type":"constructor","id":["langchain","tools","T"],"kwargs":{"name":"dock","description":"Docks.","schema":{"type":"object","properties":{"ship":{"type":"string"}}}}},{"name":"sail","description":"Sails.","tool_call_schema":{"type":"object","properties":{"to":{"type":"string"}}}}]`)}},
		`langchain
dock in (none) "Docks." {"type":"object","properties":{"ship":{"type":"string"}}}
sail in (none) "Sails." {"type":"object","properties":{"to":{"type":"string"}}}
`},
	{"a conversation with tools as a text", []model.Source{{Name: "x.jsonl", Data: []byte(`{"messages":[{"role":"user","content":"Dock it."},{"role":"assistant","content":null,"tool_calls":[{"type":"function","function":{"name":"dock","arguments":"{}"}}]}],"tools":"[{\"type\":\"function\",\"function\":{\"name\":\"dock\",\"parameters\":{\"type\":\"object\",\"properties\":{}}}}]"}
{"messages":[{"role":"user","content":"Sail."},{"role":"tool_call","content":"{\"name\":\"sail\",\"arguments\":{}}"}],"tools":"[{\"name\":\"sail\",\"description\":\"Sails.\",\"parameters\":{}}]"}
{"messages":[{"role":"user","content":"Wait."},{"role":"system","content":"As <tool_call>{'name': 'dock'}</tool_call>."},{"role":"assistant","content":"<tool_call>{'name': 'sail', 'arguments': {'to': None}}</tool_call>"}],"tools":"[{\"name\":\"sail\",\"description\":\"Sails.\",\"parameters\":{}}]"}
`)}},
		`glaive
dock in (none) "" {"type":"object","properties":{}}
sail in (none) "Sails." {"type":"object","properties":{}}
chat-0: Dock it. -> dock
chat-1: Sail. -> sail
chat-2: Wait. -> sail
`},
	{"BFCL, several turns", []model.Source{
		{Name: "BFCL_v4_multi_turn_base.json", Data: []byte(`{"id":"multi_turn_base_0","question":[[{"role":"user","content":"Dock it."}],[{"role":"user","content":"Sail."}]],"initial_config":{},"path":["Port.list","Port.dock","Port.list"],"involved_classes":["Port"]}
{"id":"multi_turn_base_1","question":[[{"role":"user","content":"List them."}]],"initial_config":{},"path":["Port.list"],"involved_classes":["Port"]}
`)},
		{Name: "possible_answer.json", Data: []byte(`{"id":"multi_turn_base_0","ground_truth":[["dock(ship='(a)')"],["sail(to='b')","dock(ship='c')"],[]]}` + "\n")},
		{Name: "port.json", Data: []byte(`{"name":"dock","description":"Docks.","parameters":{"type":"dict","properties":{"ship":{"type":"string"}},"required":["ship"]},"response":{"type":"dict"}}
{"name":"sail","description":"Sails.","parameters":{"type":"dict","properties":{}},"response":{"type":"dict"}}
{"name":"list","description":"Lists.","parameters":{"type":"dict","properties":{}},"response":{"type":"dict"}}
`)},
	}, `bfcl
dock in (none) "Docks." {"type":"object","properties":{"ship":{"type":"string"}},"required":["ship"]}
sail in (none) "Sails." {"type":"object","properties":{}}
list in (none) "Lists." {"type":"object","properties":{}}
multi_turn_base_0: Dock it.
Sail. -> dock sail of multi_turn_base
multi_turn_base_1: List them. -> list of multi_turn_base
`},
	{"BFCL", []model.Source{
		{Name: "BFCL_v4_simple.json", Data: []byte(`{"id":"simple_0","question":[[{"role":"system","content":"s"},{"role":"user","content":"Dock it."}]],"function":[{"name":"port.dock","description":"Docks.","parameters":{"type":"dict","properties":{"ship":{"type":"tuple","items":{"type":"float"}},"type":{"type":"String"}},"required":["ship"]}}]}
{"id":"simple_1","question":[[{"role":"user","content":"Nothing fits."}]],"function":[{"name":"port.dock","description":"Docks another.","parameters":{"type":"dict","properties":{}}}]}
`)},
		{Name: "answer.json", Data: []byte(`{"id":"simple_0","ground_truth":[{"port.dock":{"ship":["a"]}}]}` + "\n")},
	}, `bfcl
port.dock in port "Docks." {"type":"object","properties":{"ship":{"type":"array","items":{"type":"number"}},"type":{"type":"string"}},"required":["ship"]}
simple_0: Dock it. -> port.dock of simple
defined_again
name_rule
unlabelled_query
`},
	{"BFCL, one question with one function", []model.Source{{Name: "BFCL_v3_sql.json", Data: []byte(`{"id":"sql_0","question":[[{"role":"user","content":"Dock it."}]],"function":{"name":"port.dock","description":"Docks.","parameters":{"type":"dict","properties":{}}}}`)},
		{Name: "answer.json", Data: []byte(`{"id":"sql_0","ground_truth":[{"port.dock":{}}]}`)}},
		`bfcl
port.dock in port "Docks." {"type":"object","properties":{}}
sql_0: Dock it. -> port.dock of sql
name_rule
`},
	{"xLAM", []model.Source{{Name: "x.json", Data: []byte(`[{"id":7,"query":"Dock it.","answers":"[{\"name\": \"dock\", \"arguments\": {}}]","tools":"[{\"name\": \"dock\", \"description\": \"Docks.\", \"parameters\": {\"ship\": {\"description\": \"Which.\", \"type\": \"str\", \"default\": \"a\"}, \"n\": {\"type\": \"List[int], optional\"}, \"m\": {\"type\": \"int\"}}}]"}]`)}},
		`xlam
dock in (none) "Docks." {"type":"object","properties":{"ship":{"type":"string","description":"Which.","default":"a"},"n":{"type":"array","items":{"type":"integer"}},"m":{"type":"integer"}},"required":["m"]}
7: Dock it. -> dock
`},
	{"Seal-Tools for fine-tuning", []model.Source{{Name: "dev.json", Data: []byte(`[{"id":"dev-easy-0","conversations":[{"from":"human","value":"Choose.\nInput:\napi_list = [{'api_name': 'dock', 'api_description': \"The ship's dock\", 'field': 'Port/Ships', 'parameters': {'ship': {'type': 'str', 'description': 'Which.'}, 'n': {'type': 'int'}}, 'required': ['ship'], 'responses': {}}, {'api_name': 'sail', 'api_description': 'Sails.', 'parameters': {}, 'required': []}]\ntask_instruction = \"Dock the \"Ann\".\"\nOutput:\n"},{"from":"gpt","value":"[{'api': 'dock', 'parameters': {'ship': 'Ann'}, 'responses': ['API_call_0']}]"}]},
{"id":"dev-easy-1","conversations":[{"from":"human","value":"api_list = [{'api_name': f(1)}]\ntask_instruction = \"Sail.\"\nOutput:\n"},{"from":"gpt","value":"[{'api': 'sail', 'parameters': {}}]"}]}]`)}},
		`seal-tools
dock in Port "The ship's dock" {"type":"object","properties":{"ship":{"type":"string","description":"Which."},"n":{"type":"integer"}},"required":["ship"]}
sail in (none) "Sails." {"type":"object","properties":{},"required":[]}
dev-easy-0: Dock the "Ann". -> dock
dev-easy-1: Sail. -> sail
no_definition
`},
	{"LiteLLM", []model.Source{{Name: "config.yaml", Data: []byte("mcp_servers:\n  a: {url: u}\nmcp_tools:\n  - name: dock\n    description: Docks.\n    input_schema: {type: object, properties: {ship: {type: string}}}\n    handler: port.dock\n")}},
		`anthropic
dock in (none) "Docks." {"type":"object","properties":{"ship":{"type":"string"}}}
client_config
`},
	{"xLAM, required as stated", []model.Source{{Name: "x.json", Data: []byte(`[{"query":"Dock it.","answers":[{"name":"dock"}],"tools":[{"name":"dock","parameters":{"ship":{"type":"str","required":true,"default":"a"},"n":{"type":"Tuple[int, str]","required":false},"m":{"type":"Optional[int]"}}}]}]`)}},
		`xlam
dock in (none) "" {"type":"object","properties":{"ship":{"type":"string","default":"a"},"n":{"type":"array","prefixItems":[{"type":"integer"},{"type":"string"}],"minItems":2,"maxItems":2},"m":{"type":["integer","null"]}},"required":["ship"]}
0: Dock it. -> dock
`},
	{"xLAM, lines with lists", []model.Source{{Name: "x.jsonl", Data: []byte(`{"id":1,"query":"Dock it.","answers":[{"name":"dock"}],"tools":[{"name":"dock","parameters":{"ship":{"type":"str"}}}]}
{"id":2,"query":"Sail.","answers":[{"name":"sail"}],"tools":[{"name":"sail","parameters":{"to":{"type":"List[int]"}}}]}
`)}},
		`xlam
dock in (none) "" {"type":"object","properties":{"ship":{"type":"string"}},"required":["ship"]}
sail in (none) "" {"type":"object","properties":{"to":{"type":"array","items":{"type":"integer"}}},"required":["to"]}
1: Dock it. -> dock
2: Sail. -> sail
`},
	{"xLAM, lines with lists before the answers", []model.Source{{Name: "x.jsonl", Data: []byte(`{"tools":[{"name":"dock","parameters":{"ship":{"type":"str"}}}],"id":1,"query":"Dock it.","answers":[{"name":"dock"}]}
{"id":2,"query":"Sail.","tools":[{"name":"sail","parameters":{"to":{"type":"List[int]"}}},3],"answers":"[{\"name\":\"sail\"}]"}
{"id":3,"query":"Again.","answers":[{"name":"dock"}],"tools":[{"name":"dock","parameters":{"ship":{"type":"str"}}}]}
`)}},
		`xlam
dock in (none) "" {"type":"object","properties":{"ship":{"type":"string"}},"required":["ship"]}
sail in (none) "" {"type":"object","properties":{"to":{"type":"array","items":{"type":"integer"}}},"required":["to"]}
1: Dock it. -> dock
2: Sail. -> sail
3: Again. -> dock
`},
	{"BFCL, functions of conversations", []model.Source{{Name: "port_api.json", Data: []byte(`{"name":"dock","description":"Docks.","parameters":{"type":"dict","properties":{"n":{"type":"float"}},"required":["n"]},"response":{"type":"dict"}}
{"name":"sail","description":"Sails.","parameters":{"type":"dict","properties":{}},"response":{"type":"dict"}}
`)}},
		`bfcl
dock in (none) "Docks." {"type":"object","properties":{"n":{"type":"number"}},"required":["n"]}
sail in (none) "Sails." {"type":"object","properties":{}}
`},
	{"glaive", []model.Source{{Name: "x.json", Data: []byte(`[{"system":"SYSTEM: Functions. Use them -\n{\n \"name\": \"dock\",\n \"description\": \"Docks.\",\n \"parameters\": {\"type\": \"object\", \"properties\": {}}}\n\n{\"name\": \"sail\", \"description\": \"Sails.\"}\n","chat":"USER: Dock it.\n\n\nASSISTANT: <functioncall> {\"name\": \"dock\", \"arguments\": '{\"a\": 1}'} <|endoftext|>"},{"system":"SYSTEM: No functions.","chat":"USER: Hi ASSISTANT: Hi"}]`)}},
		`glaive
dock in (none) "Docks." {"type":"object","properties":{}}
sail in (none) "Sails." {"type":"object","properties":{}}
glaive-0: Dock it. -> dock
`},
	{"glaive, as fine-tuning data", []model.Source{{Name: "x.jsonl", Data: []byte(`{"conversations":[{"from":"human","value":"Dock it."},{"from":"function_call","value":"{\"name\": \"dock\"}"}],"tools":"[{\"name\": \"dock\"}]"}`)}},
		`glaive
dock in (none) "" {"type":"object","properties":{}}
chat-0: Dock it. -> dock
`},
	{"ToolBench", []model.Source{{Name: "G1_tool.json", Data: []byte(`[{"api_list":[{"category_name":"Sea","tool_name":"Port (v2)","api_name":"Dock a-ship!","api_description":"Docks.","required_parameters":[{"name":"ship","type":"STRING","description":"Which.","default":"a"}],"optional_parameters":[{"name":"n","type":"NUMBER"}],"method":"GET"}],"query":"Dock it.","relevant APIs":[["Port (v2)","Dock a-ship!"]],"query_id":12}]`)}},
		`toolbench
dock_a_ship_for_port_v2 in Port (v2) "Docks." {"type":"object","properties":{"ship":{"type":"string","description":"Which.","default":"a"},"n":{"type":"number"}},"required":["ship"]}
G1_tool-12: Dock it. -> dock_a_ship_for_port_v2 of G1_tool
`},
	{"ToolBench, a tool of its toolenv", []model.Source{{Name: "port.json", Data: []byte(`{"tool_name":"Port","tool_description":"A port.","api_list":[{"name":"dock","description":"Docks.","required_parameters":[{"name":"ship","type":"STRING","description":"Which."}],"optional_parameters":[]},{"name":"sail","description":"Sails.","required_parameters":[],"optional_parameters":[]}]}`)}},
		`toolbench
dock_for_port in Port "Docks." {"type":"object","properties":{"ship":{"type":"string","description":"Which."}},"required":["ship"]}
sail_for_port in Port "Sails." {"type":"object","properties":{},"required":[]}
`},
	{"UltraTool, the whole data set", []model.Source{{Name: "test.json", Data: []byte(`{"question":"Dock it.","plan":[{"step":"1. Dock","tool":"dock(ship='a')"},{"step":"2. Rest"},{"step":"3. Again","tool":"dock(ship='b')"}],"tools":[{"name":"dock","description":"Docks.","arguments":{"type":"object","properties":{"ship":{"type":"string"}}},"results":{}}],"domain":"Sea"}` + "\n")}},
		`ultratool
dock in (none) "Docks." {"type":"object","properties":{"ship":{"type":"string"}}}
ultratool-0: Dock it. -> dock
`},
	{"Seal-Tools", []model.Source{
		{Name: "tool.jsonl", Data: []byte(`{"api_name":"dock","api_description":"Docks.","field":"Sea/Port","parameters":{"ship":{"type":"str","description":"Which."},"n":{"type":"float","description":""}},"required":["ship"],"responses":{}}` + "\n")},
		{Name: "test.jsonl", Data: []byte(`{"id":"easy-0","query":"Dock it.","calling":[{"api":"dock","parameters":{},"responses":[]},{"api":"dock"}]}` + "\n")},
	}, `seal-tools
dock in Sea "Docks." {"type":"object","properties":{"ship":{"type":"string","description":"Which."},"n":{"type":"number","description":""}},"required":["ship"]}
easy-0: Dock it. -> dock
`},
	{"LiveMCPBench", []model.Source{
		{Name: "tools.json", Data: []byte(`[{"name":"Harbour","description":"Ships.","config":{},"tools":{"port":{"server_name":"port","tools":[{"name":"dock","description":"Docks.","inputSchema":{"type":"object"},"annotations":null},{"name":"read"}]}}},{"name":"Files","tools":{"disk":{"tools":[{"name":"read","description":"Reads."}]}}}]`)},
		{Name: "tasks.json", Data: []byte(`[{"task_id":"t1","Question":"Dock and read.","category":"Sea","Annotator Metadata":{"Tools":"1. read\n2. dock"}},{"task_id":"t2","Question":"Fly.","Annotator Metadata":{"Tools":"1. fly"}}]`)},
	}, `livemcpbench
dock in port "Docks." {"type":"object"}
port__read in port "" 
disk__read in disk "Reads." 
t1: Dock and read. -> disk__read dock port__read [["disk__read" "port__read"] ["dock"]] of Sea
unlabelled_query
`},
	{"MetaTool", []model.Source{
		{Name: "plugin_des.json", Data: []byte(`{"Dock":"Docks ships.","Sail":"Sails them."}`)},
		{Name: "all.csv", Data: []byte("Query,Tool\n\"Dock it, please.\",Dock\nSail.,Sail\n")},
		{Name: "golden.json", Data: []byte(`[{"query":"Dock and sail.","tool":["Sail","Dock"]}]`)},
	}, `metatool
Dock in (none) "Docks ships." {"type":"object","properties":{}}
Sail in (none) "Sails them." {"type":"object","properties":{}}
s0: Dock it, please. -> Dock
s1: Sail. -> Sail
m0: Dock and sail. -> Dock Sail
`},
	{"UltraTool", []model.Source{{Name: "x.json", Data: []byte(`{"question":"Dock it.","toolset":[{"name":"dock","description":"Docks.","arguments":{"type":"object","properties":{"ship":{"type":"string"}}},"results":{}}],"reference":[{"step":"1. Wait"},{"step":"2. Dock","tool":"dock","param":{}}]}`)}},
		`ultratool
dock in (none) "Docks." {"type":"object","properties":{"ship":{"type":"string"}}}
ultratool-0: Dock it. -> dock
`},
	{"a conversation with tools", []model.Source{{Name: "x.jsonl", Data: []byte(`{"messages":[{"role":"system","content":"Use <tools> {\"type\":\"function\",\"function\":{\"name\":\"dock\",\"description\":\"Docks.\",\"parameters\":{\"type\":\"object\",\"properties\":{}}}} </tools>"},{"role":"user","content":"Dock it."},{"role":"user","content":"Please."},{"role":"assistant","content":"<tool_call>\n{\"name\":\"dock ()\",\"arguments\":{}}\n</tool_call>"}]}`)}},
		`chat
dock in (none) "Docks." {"type":"object","properties":{}}
chat-0: Dock it. -> dock
`},
	{"text with tools", []model.Source{{Name: "x.txt", Data: []byte("system: You have\n<tools>\n{\"type\":\"function\",\"function\":{\"name\":\"dock\",\"parameters\":{}}}\n[{\"type\":\"function\",\"function\":{\"name\":\"sail\"}}]\n</tools>\nuser: Dock it.\n")}},
		`openai
dock in (none) "" {}
sail in (none) "" 
`},
	{"manifests of plugins", []model.Source{{Name: "x.json", Data: []byte(`[{"name_for_model":"dock","name_for_human":"D","description_for_model":"Docks."}]`)}},
		`plugin
dock in (none) "Docks." {"type":"object","properties":{}}
`},
	{"a tool of two files", []model.Source{{Name: "x.json", Data: []byte(`[{"name_for_model":"dock","name_for_human":"D","description_for_model":"Docks."}]`)},
		{Name: "y.json", Data: []byte(`[{"name_for_model":"dock","name_for_human":"D","description_for_model":"Docks a ship."}]`)}},
		`plugin
dock in (none) "Docks." {"type":"object","properties":{}}
`},
}

func TestDataSets(t *testing.T) {
	for _, c := range dataSets {
		t.Run(c.name, func(t *testing.T) {
			r, err := Parse(context.Background(), c.files...)
			require.NoError(t, err)
			if got := told(r); got != c.want {
				t.Errorf("got\n%s\nwant\n%s", got, c.want)
			}
		})
	}
}

// The entries of a data set are the same in lines as in an array, and one of them alone.
func TestDataSetsAsLinesAndArrays(t *testing.T) {
	documents := []string{"Docker, written by its program", "LangChain", "LangChain of JavaScript", "LiveMCPBench", "MetaTool"}
	for _, c := range dataSets {
		if slices.Contains(documents, c.name) {
			continue // one document each
		}
		t.Run(c.name, func(t *testing.T) {
			other := slices.Clone(c.files)
			for i, f := range other {
				switch text := strings.TrimSpace(string(f.Data)); {
				case strings.HasPrefix(text, "[{"):
					var entries []json.RawMessage
					require.NoError(t, json.Unmarshal(f.Data, &entries))
					other[i].Data = nil
					for _, e := range entries {
						other[i].Data = append(append(other[i].Data, e...), '\n')
					}
				case strings.HasPrefix(text, `{"`):
					other[i].Data = []byte("[" + strings.ReplaceAll(text, "}\n{", "},\n{") + "]")
				}
			}
			r, err := Parse(t.Context(), other...)
			require.NoError(t, err)
			if got := told(r); got != c.want {
				t.Errorf("got\n%s\nwant\n%s", got, c.want)
			}
		})
	}
}

// A file that is known and not read is called by its name.
func TestRecognised(t *testing.T) {
	for _, c := range []struct{ name, in, want string }{
		{"LangChain, not serialized", `[{"lc":1,"type":"not_implemented","id":["langchain_core","tools","structured","StructuredTool"],"repr":"StructuredTool(name='dock')"}]`, "x:1:2: [0]: this is an object that LangChain could not serialize: dump what convert_to_openai_tool"},
		{"LangChain, one", `{"lc":1,"type":"not_implemented","id":["a"],"name":"dock","graph":null}`, "this is an object that LangChain could not serialize"},
		{"LangChain, messages", `[{"lc":1,"type":"constructor","id":["langchain_core","messages","HumanMessage"],"kwargs":{"content":"hi"}}]`, "this is an object of LangChain that is not a tool"},
		{"BFCL, several turns", `{"id":"multi_turn_base_0","question":[[{"role":"user","content":"Dock."}]],"initial_config":{},"path":["Port.dock"],"involved_classes":["Port"]}`, "this is the part of BFCL whose questions take several turns: its tools are in the files of multi_turn_func_doc beside it"},
		{"BFCL, labels", `{"id":"simple_0","ground_truth":[{"dock":{}}]}`, "these are the labels of BFCL: the questions and their tools are in the file of this name beside the folder possible_answer"},
		{"LangSmith", `{"id":"a","run_type":"llm","trace_id":"b"}`, "this is a LangSmith trace: the tools"},
		{"LangSmith, without a trace", `[{"id":"a","name":"ChatOpenAI","run_type":"llm","session_id":"s","inputs":{},"outputs":{}}]`, "x:1:2: [0]: this is a LangSmith trace"},
		{"LangSmith, runs", `{"runs":[{"id":"a","name":"ChatOpenAI","run_type":"llm","inputs":{}}]}`, "this is a LangSmith trace"},
		{"LangSmith, many", `[{"id":"a","run_type":"llm","dotted_order":"b"}]`, "x:1:2: [0]: this is a LangSmith trace"},
		{"OpenTelemetry", `{"resourceSpans":[]}`, "this is an OpenTelemetry trace: where a span has the attribute gen_ai.tool.definitions"},
		{"OpenTelemetry, as Python prints it", `[{"name":"chat","context":{"trace_id":"0x1","span_id":"0x2"},"attributes":{"gen_ai.tool.definitions":"[]"}}]`, "x:1:2: [0]: this is an OpenTelemetry trace"},
		{"HAR", `{"log":{"entries":[]}}`, "this is an HTTP archive"},
		{"Postman", `{"info":{"_postman_id":"x"},"item":[]}`, "this is a Postman collection: export it as OpenAPI 3"},
		{"LiteLLM", "model_list:\n- model_name: a\n  litellm_params: {}\n", "this is the configuration of LiteLLM, without MCP servers"},
		{"LiteLLM with servers", "model_list: []\nmcp_servers:\n  a: {url: u}\n", "a client configuration of LiteLLM in YAML: it lists 1 server"},
		{"an entry of the MCP registry", `{"$schema":"https://static.modelcontextprotocol.io/schemas/2025-12-11/server.schema.json","name":"io.example/x","description":"d","packages":[{"registryType":"npm","identifier":"@a/b","version":"1"}],"remotes":[{"type":"streamable-http","url":"https://h/mcp"}]}`, `from the MCP registry: it says how to start or reach servers, in 2 ways, and holds no tools; run "caliper import --mcp-config x --all", or with --server NAME, to ask them for theirs: npx -y @a/b@1, https://h/mcp`},
		{"an entry of the MCP registry, one way", `{"name":"io.example/x","description":"d","version_detail":{"version":"2"},"packages":[{"registry_type":"pypi","identifier":"b"}]}`, `an entry of the MCP registry: it says how to start or reach a server and holds no tools; run "caliper import --mcp-config x --all", or with --server NAME, to ask them for theirs: uvx b@2`},
		{"an entry of the MCP registry, no way", `{"$schema":"https://static.modelcontextprotocol.io/schemas/2025-12-11/server.schema.json","name":"io.example/x","description":"d"}`, "this is an entry of the MCP registry"},
		{"a page of the MCP registry", `{"servers":[{"server":{"name":"io.example/x","remotes":[{"type":"sse","url":"https://h/mcp?key=sesame"}]}},{"server":{"name":"io.example/y","packages":[{"registryType":"oci","identifier":"ghcr.io/a/b:1"}]}}],"metadata":{"count":2}}`, `in 2 ways, and holds no tools; run "caliper import --mcp-config x --all", or with --server NAME, to ask them for theirs: https://h/mcp, docker run -i --rm ghcr.io/a/b:1`},
		{"RAML", "#%RAML 1.0\ntitle: A\n/songs:\n  get:\n", "x:1:1: this is a description of an API in RAML: convert it to OpenAPI 3"},
		{"WSDL", "<?xml version=\"1.0\"?>\n<wsdl:definitions name=\"A\"\n xmlns:wsdl=\"http://schemas.xmlsoap.org/wsdl/\">", "x:1:1: this is a description of a service in WSDL"},
		{"XML", "<?xml version=\"1.0\"?><a/>", "this is XML: no catalogue of tools is written in it"},
		{"HTML", "<!DOCTYPE html><p>Not found", "this is a page of HTML"},
		{"Protocol Buffers", "// ours\nsyntax = \"proto3\";\nservice S {}\n", "this is a description of services by Protocol Buffers"},
		{"GraphQL", "type Query {\n  hello(name: String): String\n}\n", "this is a GraphQL schema: put an MCP server before it"},
		{"GraphQL, documented", "\"\"\"Ours.\"\"\"\nscalar Date\n", "this is a GraphQL schema"},
		{"GraphQL, introspection", `{"data":{"__schema":{"types":[]}}}`, "this is a GraphQL schema"},
		{"AsyncAPI", "asyncapi: 3.0.0\nchannels: {}\n", "this is an AsyncAPI document"},
		{"OpenRPC", `{"openrpc":"1.3.2","methods":[]}`, "this is an OpenRPC document"},
		{"Insomnia", `{"_type":"export","__export_format":4,"resources":[]}`, "this is a collection of Insomnia: export the API as OpenAPI 3"},
		{"Smithy", `{"smithy":"2.0","shapes":{}}`, "this is a model of Smithy"},
		{"Docker Compose", "services:\n  web: {image: nginx}\n  own: {build: .}\n", "this is a configuration of Docker Compose"},
		{"Kubernetes", "apiVersion: v1\nkind: Pod\nmetadata: {name: a}\n", "this is a manifest of Kubernetes"},
		{"GitHub Actions", "on: push\njobs: {a: {runs-on: x, steps: []}}\n", "this is a workflow of GitHub Actions"},
		{"Semantic Kernel's prompt", `{"schema":1,"description":"Sums up.","execution_settings":{},"input_variables":[]}`, "this is a prompt of Semantic Kernel"},
		{"Goose's recipe", "version: 1.0.0\ntitle: t\ninstructions: Do.\nextensions: []\n", "this is a recipe of Goose, without extensions"},
		{"Seal-Tools, old format", `[{"api":"dock","parameters":{"ship":"Ann"}},"Dock the Ann."]` + "\n" + `[{"api":"sail","parameters":{}},"Sail."]` + "\n", "this is a list of calls of Seal-Tools in its old format"},
		{"hosted tools of many kinds", `{"tools":[{"type":"a"},{"type":"b"},{"type":"c"},{"type":"d"},{"type":"e"},{"type":"f"},{"type":"g"}]}`, "x:1:11: tools[0]: every entry is of a kind that its provider defines (a, b, c, d, e, f): import"},
		{"hosted tools alone", `{"tools":[{"type":"mcp","server_url":"u"},{"type":"web_search"}]}`, "x:1:11: tools[0]: every entry is of a kind that its provider defines (mcp, web_search): import"},
		{"labelled queries", `{"id":"a","query":"q","relevant":["t"]}`, "this is a list of labelled queries"},
		{"messages", `[{"role":"user","content":"hi"}]`, "this is a conversation without tools"},
		{"a schema", `{"$schema":"https://json-schema.org/draft/2020-12/schema","properties":{}}`, "this is a JSON schema"},
	} {
		_, err := Parse(context.Background(), model.Source{Name: "x", Data: []byte(c.in)})
		if err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: %v, want %s", c.name, err, c.want)
		}
	}
}

// The tools of a data set are not core tools, whatever they are called: all of them are
// searched, so that the figures are those that others measured. The tools of a conversation,
// of a catalogue and of anything beside a data set may be.
func TestDataSetsHaveNoCoreTools(t *testing.T) {
	t.Parallel()
	others := []string{"Docker", "Docker, written by its program", "Docker, with required arguments", "LangChain", "LangChain of JavaScript", "LiteLLM", "Semantic Kernel", "a conversation with tools", "text with tools"}
	for _, c := range dataSets {
		r, err := Parse(t.Context(), c.files...)
		require.NoError(t, err)
		if none := r.Core != nil && len(r.Core) == 0; none == slices.Contains(others, c.name) {
			t.Errorf("%s: core tools are %#v", c.name, r.Core)
		}
		beside, err := Parse(t.Context(), append(slices.Clone(c.files), model.Source{Name: "own.json", Data: []byte(`[{"name":"terminal","description":"Runs.","parameters":{}}]`)})...)
		if err != nil || beside.Core != nil {
			t.Errorf("%s beside others: core tools are %#v, %v", c.name, beside.Core, err)
		}
	}
}

// TestPropertiesOfDataSets: what has no name, or is no object, is no property.
func TestPropertiesOfDataSets(t *testing.T) {
	for in, want := range map[string]string{
		`{"ship":{"type":"str"},"note":"x"}`:                      `{"type":"object","properties":{"ship":{"type":"string"}},"required":["ship"]}`,
		`[{"name":"ship","required":true},{"type":"str"},"ship"]`: `{"type":"object","properties":{"ship":{"type":"string"}},"required":["ship"]}`,
		`{"ship":{"type":"Optional str"},"to":{"default":1}}`:     `{"type":"object","properties":{"ship":{"type":"string"},"to":{"type":"string","default":1}}}`,
		`5`: `{"type":"object","properties":{}}`,
	} {
		v, err := jsontree.NewCursor([]byte(in), 0).Value()
		require.NoError(t, err)
		if got := string(parametersOf(v)); got != want {
			t.Errorf("%s: %s, want %s", in, got, want)
		}
	}
}

// TestFormsNeedTheirMembers: what lacks one of the members by which a form is known, or has a number there, is none of
// it, and neither is what has a member of another form.
func TestFormsNeedTheirMembers(t *testing.T) {
	of := func(s shape) func(*entry) bool { return func(e *entry) bool { return s.match(&e.object) } }
	for _, c := range []struct {
		match      func(*entry) bool
		entry      string
		any, other string // members of any kind, and those of other forms
	}{
		{bfclEntry.match, `"question":1,"function":[]`, "question", "toolset"}, {bfclConversation.match, `"question":[],"involved_classes":[]`, "", "function"},
		{bfclFunction.match, `"name":"a","parameters":{"type":"dict"},"response":{}`, "", ""}, {bfclAnswer.match, `"ground_truth":[],"id":1`, "id", ""},
		{openWebUIEntry.match, `"id":"a","specs":[]`, "", ""}, {cohereEntry.match, `"name":"a","parameter_definitions":{}`, "", ""},
		{smolEntry.match, `"name":"a","inputs":{"x":{"type":"string"}}`, "", "parameters inputSchema input_schema"},
		{langChainEntry.match, `"name":"a","args_schema":{}`, "", ""}, {langChainEntry.match, `"name":"a","tool_call_schema":{}`, "", ""},
		{langChainEntry.match, `"name":"a","args":{}`, "", ""}, {langChainEntry.match, `"lc":1,"kwargs":{"name":"a"}`, "lc", ""},
		{kernelEntry.match, `"name":"a","plugin_name":"p","parameters":[]`, "plugin_name", ""}, {kernelEntry.match, `"Name":"a","PluginName":"p","Parameters":[]`, "PluginName", ""},
		{toolsetListing.match, `"name":"a","tools":[]`, "", ""}, {liveMCPTask.match, `"task_id":"a","Question":"b"`, "", ""},
		{pinnedToolset.match, `"type":"mcp_toolset","mcp_server_name":"a","tools":[]`, "", ""}, {namespaceEntry.match, `"type":"namespace","name":"a","tools":[]`, "", ""},
		{metaToolQuery.match, `"query":"a","tool":[]`, "", ""}, {metaToolQuery.match, `"Query":"a","Tool":"b"`, "", ""},
		{flatFunction.match, `"type":"function","name":1`, "name", ""}, {flatFunction.match, `"name":"a","parameters":{}`, "parameters", "type"},
		{geminiDeclaration.match, `"name":"a","parameters":{"type":"OBJECT"}`, "", ""}, {bedrockEntry.match, `"toolSpec":{}`, "", ""},
		{sealTool.match, `"api_name":"a","parameters":{}`, "", ""}, {sealQuery.match, `"query":"a","calling":[]`, "", ""}, {toolBenchEntry.match, `"api_list":[]`, "", ""},
		{utilityEntry.match, `"schema":{},"handler_key":"a"`, "", ""}, {glaiveEntry.match, `"system":"a","chat":"b"`, "", ""}, {xlamEntry.match, `"query":"a","answers":"[]","tools":"[]"`, "", ""},
		{ultraToolEntry.match, `"toolset":[],"question":1`, "question", ""}, {ultraToolEntry.match, `"tools":[],"question":1,"plan":[]`, "question", ""},
		{of(jsonRPCCall), `"jsonrpc":"a","method":"b"`, "", ""}, {of(jsonRPCError), `"jsonrpc":"a","error":{}`, "", ""}, {of(mcpInitialize), `"protocolVersion":"a","serverInfo":{}`, "", ""},
		{of(bundleManifest), `"dxt_version":1,"name":"a","server":{}`, "dxt_version", ""}, {of(conversation), `"input":["mcp_list_tools"]`, "", ""},
		{of(toolboxFile), `"tools":{"a":{"description":"d","kind":"k"}}`, "", ""},
	} {
		whole, err := jsontree.NewCursor([]byte("{"+c.entry+"}"), 0).Value()
		require.NoError(t, err)
		members := objectOf(whole).members
		matches := func(text string) bool {
			v, err := jsontree.NewCursor([]byte("{"+text+"}"), 0).Value()
			require.NoError(t, err)
			return c.match(&entry{object: *objectOf(v)})
		}
		if !matches(c.entry) {
			t.Errorf("{%s} is none", c.entry)
		}
		for _, m := range members {
			member := fmt.Sprintf("%q:%s", m.Name, m.Raw)
			lacking := strings.Trim(strings.ReplaceAll(c.entry, member, ""), ",")
			if matches(strings.ReplaceAll(lacking, ",,", ",")) {
				t.Errorf("{%s} is one without %s", c.entry, m.Name)
			}
			if number := strings.ReplaceAll(c.entry, member, fmt.Sprintf("%q:5", m.Name)); m.Name != c.any && matches(number) {
				t.Errorf("{%s} is one", number)
			}
		}
		for _, name := range strings.Fields(c.other) {
			if matches(c.entry + fmt.Sprintf(",%q:{}", name)) {
				t.Errorf("{%s} is one with %s", c.entry, name)
			}
		}
	}
}
