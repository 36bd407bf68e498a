package config

// builtinCore is the reference agent's list of core tools, in its order (Hermes Agent by Nous
// Research, MIT, as of June 2026). tools.core of a config file replaces it.
var builtinCore = []string{
	"web_search", "web_extract", "terminal", "process", "read_terminal", "read_file", "write_file", "patch",
	"search_files", "vision_analyze", "image_generate", "skills_list", "skill_view", "skill_manage",
	"browser_navigate", "browser_snapshot", "browser_click", "browser_type", "browser_scroll", "browser_back",
	"browser_press", "browser_get_images", "browser_vision", "browser_console", "browser_cdp", "browser_dialog",
	"text_to_speech", "todo", "memory", "session_search", "clarify", "execute_code", "delegate_task", "cronjob",
	"send_message", "ha_list_entities", "ha_get_state", "ha_list_services", "ha_call_service", "kanban_show",
	"kanban_list", "kanban_complete", "kanban_block", "kanban_heartbeat", "kanban_comment", "kanban_create",
	"kanban_link", "kanban_unblock", "computer_use",
}

// ModelTableDate is the date of the table of model families.
const ModelTableDate = "2026-06-05"

// modelFamilies are the context lengths of families of models in tokens, the longest pattern
// first. Source: agent/model_metadata.py of the reference agent at 3c231eb39 (2026-06-05), without
// nine in capitals, which no id in lower case matches.
var modelFamilies = []Family{
	{"gpt-5.3-codex-spark", 128_000}, {"claude-sonnet-4-6", 1_000_000}, {"claude-sonnet-4.6", 1_000_000},
	{"deepseek-v4-flash", 1_000_000}, {"deepseek-reasoner", 1_000_000}, {"qwen3-coder-plus", 1_000_000},
	{"claude-opus-4-8", 1_000_000}, {"claude-opus-4.8", 1_000_000}, {"claude-opus-4-7", 1_000_000},
	{"claude-opus-4.7", 1_000_000}, {"claude-opus-4-6", 1_000_000}, {"claude-opus-4.6", 1_000_000},
	{"deepseek-v4-pro", 1_000_000}, {"grok-code-fast", 256_000}, {"deepseek-chat", 1_000_000},
	{"grok-2-vision", 8_192}, {"mimo-v2.5-pro", 1_048_576}, {"mimo-v2-flash", 262_144}, {"gpt-5.4-nano", 400_000},
	{"gpt-5.4-mini", 400_000}, {"gpt-5.1-chat", 128_000}, {"qwen3.6-plus", 1_048_576}, {"mimo-v2-omni", 262_144},
	{"gemma-4-31b", 256_000}, {"qwen3-coder", 262_144}, {"grok-4-fast", 2_000_000}, {"hy3-preview", 262_144},
	{"mimo-v2-pro", 1_048_576}, {"minimax-m3", 1_000_000}, {"grok-build", 256_000}, {"grok-4.20", 2_000_000},
	{"mimo-v2.5", 1_048_576}, {"deepseek", 128_000}, {"grok-4.3", 1_000_000}, {"nemotron", 131_072},
	{"elephant", 262_144}, {"gpt-5.5", 1_050_000}, {"gpt-5.4", 1_050_000}, {"gpt-4.1", 1_047_576},
	{"gemma-4", 256_000}, {"gemma-3", 131_072}, {"minimax", 204_800}, {"trinity", 262_144}, {"claude", 200_000},
	{"gemini", 1_048_576}, {"gemma4", 256_000}, {"grok-4", 256_000}, {"grok-3", 131_072}, {"grok-2", 131_072},
	{"gpt-5", 400_000}, {"gpt-4", 128_000}, {"gemma", 8_192}, {"llama", 131_072}, {"qwen", 131_072},
	{"grok", 131_072}, {"kimi", 262_144}, {"glm", 202_752},
}

// unknownFamily is the context length of a model that is of no family.
const unknownFamily = 256_000

// modelProviders are the providers that may stand before a model's name with a
// colon. Source: as above.
var modelProviders = map[string]bool{
	"alibaba": true, "aliyun": true, "anthropic": true, "arcee": true, "arcee-ai": true, "arceeai": true,
	"claude": true, "copilot": true, "copilot-acp": true, "custom": true, "dashscope": true, "deep-seek": true,
	"deepseek": true, "gemini": true, "github": true, "github-copilot": true, "github-models": true,
	"glm": true, "gmi": true, "gmi-cloud": true, "gmicloud": true, "go": true, "google": true,
	"google-ai-studio": true, "google-gemini": true, "grok": true, "kilo": true, "kilocode": true, "kimi": true,
	"kimi-cn": true, "kimi-coding": true, "kimi-coding-cn": true, "local": true, "mimo": true, "minimax": true,
	"minimax-cn": true, "minimax-oauth": true, "moonshot": true, "moonshot-cn": true, "nemotron": true,
	"nim": true, "nous": true, "novita": true, "novita-ai": true, "novitaai": true, "nvidia": true,
	"nvidia-nim": true, "ollama": true, "ollama-cloud": true, "openai-codex": true, "opencode": true,
	"opencode-go": true, "opencode-zen": true, "openrouter": true, "qwen": true, "qwen-oauth": true,
	"qwen-portal": true, "stepfun": true, "tencent": true, "tencent-cloud": true, "tencent-tokenhub": true,
	"tencentmaas": true, "tokenhub": true, "x-ai": true, "x.ai": true, "xai": true, "xiaomi": true,
	"xiaomi-mimo": true, "z-ai": true, "z.ai": true, "zai": true, "zen": true, "zhipu": true,
}
