package fielded

import (
	"strings"
	"testing"

	"caliper/model"
)

// TestTranslation: English words find a tool described in Chinese, and Chinese words, also
// in traditional characters, one described in English.
func TestTranslation(t *testing.T) {
	tools := []*model.Tool{
		newTool("qq_one", "s", "查询天气预报", nil),
		newTool("qq_two", "s", "將圖片轉換為文字", nil),
		newTool("qq_three", "s", "查询余票信息", nil),
		newTool("qq_four", "s", "Book a hotel room.", nil),
		newTool("qq_five", "s", "Read a database.", []byte(`{"properties":{"q":{"description":"文件夹"}}}`)),
	}
	x := index(t, NewCorpus(), tools, nil, Default)
	for query, want := range map[string]string{
		"weather forecast": "qq_one", "convert an image": "qq_two", "ticket": "qq_three", "folder": "qq_five",
		"预订酒店": "qq_four", "預訂酒店": "qq_four", "读取数据库": "qq_five", "资料库 database": "qq_five", "天氣": "qq_one",
		"票价": "qq_three", // by one character, although no tool has both
	} {
		hits := x.Search(query, 5).Hits
		if len(hits) == 0 {
			t.Errorf("%q finds nothing", query)
			continue
		}
		if got := tools[hits[0].Doc].Name; got != want {
			t.Errorf("%q finds %s first, want %s\n%s", query, got, want, draw(x.Explain(query, hits[0].Doc)))
		}
	}
	for query, want := range map[string]string{
		"weather": " in translations",
		"酒店":      "酒店 ~ hotel, translation 0.50",
	} {
		doc := map[string]int{"weather": 0, "酒店": 3}[query]
		if text := draw(x.Explain(query, doc)); !strings.Contains(text, want) {
			t.Errorf("no %q in\n%s", want, text)
		}
	}
	before := x.documents[0].record.length(&Default.Fields)
	if english := index(t, NewCorpus(), []*model.Tool{newTool("qq_one", "s", "囗囗囗囗囗口", nil)}, nil, Default); english.documents[0].record.length(&Default.Fields) != before {
		t.Errorf("translations add to the length: %v", before)
	}
}
