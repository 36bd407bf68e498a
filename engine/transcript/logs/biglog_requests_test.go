package logs_test

import (
	"fmt"
	"strings"
)

// turns is how many requests a conversation of a request log has. Each repeats the tools
// and all messages of those before it.
const turns = 12

// chat writes conversations in the format of OpenAI chat.
func (w *writer) chat() {
	tools := definitions(`{"type":"function","function":{"name":"%s","description":"%s","parameters":%s}}`)
	for n := 0; w.more(); n++ {
		history := fmt.Sprintf(`{"role":"system","content":"%s"}`, w.words(3000))
		for turn := range turns {
			name := tool(w.rand.IntN(toolCount))
			call := "call_" + w.id()
			if turn%2 == 0 {
				history += fmt.Sprintf(`,{"role":"user","content":"%s"}`, w.asks(name))
			}
			answer := fmt.Sprintf(`{"role":"assistant","content":"%s","tool_calls":[{"id":"%s","type":"function","function":{"name":"%s","arguments":"%s"}}]}`, w.words(w.length(30, 600)), call, name, quoted(w.arguments()))
			used := 12_000 + 2500*turn
			w.line(`{"timestamp":"%s","request":{"model":"gpt-6-lumen","temperature":0.2,"messages":[%s],"tools":%s},"response":{"id":"chatcmpl-%s","object":"chat.completion","created":1789931537,"model":"gpt-6-lumen","choices":[{"index":0,"message":%s,"finish_reason":"tool_calls"}],"usage":{"prompt_tokens":%d,"completion_tokens":57,"total_tokens":%d,"prompt_tokens_details":{"cached_tokens":%d}}}}`,
				w.time(1000*n+turn), history, tools, w.id(), answer, used, used+57, used/2)
			history += "," + answer + fmt.Sprintf(`,{"role":"tool","tool_call_id":"%s","content":"%s"}`, call, w.output())
		}
	}
}

// small writes requests of 3.4 kB, each of which begins a session.
func (w *writer) small() {
	tools := `[{"type":"function","function":{"name":"` + tool(0) + `","description":"Answers with the berth as it then is.","parameters":` + schema() + `}}]`
	for n := 0; w.more(); n++ {
		used := 500 + w.rand.IntN(300)
		w.line(`{"timestamp":"%s","request":{"model":"gpt-6-lumen","messages":[{"role":"system","content":"%s"},{"role":"user","content":"%s %d"}],"tools":%s},"response":{"id":"chatcmpl-%s","object":"chat.completion","created":1789931537,"model":"gpt-6-lumen","choices":[{"index":0,"message":{"role":"assistant","content":null,"tool_calls":[{"id":"call_%s","type":"function","function":{"name":"%s","arguments":"%s"}}]},"finish_reason":"tool_calls"}],"usage":{"prompt_tokens":%d,"completion_tokens":57,"total_tokens":%d,"prompt_tokens_details":{"cached_tokens":%d}}}}`,
			w.time(n), w.words(1500), w.asks(tool(0)), n, tools, w.id(), w.id(), tool(0), quoted(w.arguments()), used, used+57, used/4)
	}
}

// responses writes conversations in the format of OpenAI responses.
func (w *writer) responses() {
	tools := definitions(`{"type":"function","name":"%s","description":"%s","parameters":%s}`)
	for n := 0; w.more(); n++ {
		var history []string
		system := w.words(3000)
		for turn := range turns {
			name := tool(w.rand.IntN(toolCount))
			call := "call_" + w.id()
			if turn%2 == 0 {
				history = append(history, fmt.Sprintf(`{"role":"user","content":[{"type":"input_text","text":"%s"}]}`, w.asks(name)))
			}
			items := []string{
				fmt.Sprintf(`{"type":"message","role":"assistant","content":[{"type":"output_text","text":"%s"}]}`, w.words(w.length(30, 600))),
				fmt.Sprintf(`{"type":"function_call","id":"fc_%s","call_id":"%s","name":"%s","arguments":"%s"}`, call, call, name, quoted(w.arguments())),
			}
			used := 12_000 + 2500*turn
			w.line(`{"timestamp":"%s","request":{"model":"gpt-6-lumen","instructions":"%s","input":[%s],"tools":%s},"response":{"id":"resp_%s","object":"response","model":"gpt-6-lumen","output":[{"type":"reasoning","id":"rs_%s","summary":[]},%s],"usage":{"input_tokens":%d,"output_tokens":57,"input_tokens_details":{"cached_tokens":%d}}}}`,
				w.time(1000*n+turn), system, strings.Join(history, ","), tools, w.id(), w.id(), strings.Join(items, ","), used, used/2)
			history = append(append(history, items...), fmt.Sprintf(`{"type":"function_call_output","call_id":"%s","output":"%s"}`, call, w.output()))
		}
	}
}

// anthropic writes conversations in the format of Anthropic messages.
func (w *writer) anthropic() {
	tools := definitions(`{"name":"%s","description":"%s","input_schema":%s}`)
	for n := 0; w.more(); n++ {
		var history []string
		system := w.words(3000)
		results := ""
		for turn := range turns {
			name := tool(w.rand.IntN(toolCount))
			call := "toolu_" + w.id()
			asks := ""
			if turn%2 == 0 {
				asks = fmt.Sprintf(`{"type":"text","text":"%s"}`, w.asks(name))
			}
			history = append(history, `{"role":"user","content":[`+strings.Trim(results+","+asks, ",")+`]}`)
			content := fmt.Sprintf(`[{"type":"text","text":"%s"},{"type":"tool_use","id":"%s","name":"%s","input":%s}]`, w.words(w.length(30, 600)), call, name, w.arguments())
			wrote := 500 + w.rand.IntN(2500)
			w.line(`{"timestamp":"%s","request":{"model":"claude-sable-5","max_tokens":4096,"system":[{"type":"text","text":"%s"}],"messages":[%s],"tools":%s},"response":{"id":"msg_%s","type":"message","role":"assistant","model":"claude-sable-5","content":%s,"stop_reason":"tool_use","usage":{"input_tokens":3,"cache_creation_input_tokens":%d,"cache_read_input_tokens":%d,"output_tokens":57}}}`,
				w.time(1000*n+turn), system, strings.Join(history, ","), tools, w.id(), content, wrote, 12_000+2500*turn)
			history = append(history, `{"role":"assistant","content":`+content+`}`)
			results = fmt.Sprintf(`{"type":"tool_result","tool_use_id":"%s","content":"%s"}`, call, w.output())
		}
	}
}
