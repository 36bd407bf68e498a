package arguments
import ("testing";"os";"encoding/json")
func TestZZ(t *testing.T){
 data,_:=os.ReadFile("/tmp/schemas.json"); var d [][]any; json.Unmarshal(data,&d)
 v:=NewValidator(); n:=map[string]int{}; shown:=0
 for _,x:=range d {
  s,a,want:=x[0].(string),x[1].(string),x[2].(bool)
  found:=v.Validate([]byte(s),[]byte(a)); hard,unc:=0,0
  for _,p:=range found { if p.Uncheckable {unc++} else {hard++} }
  key:="same"
  if want && hard>0 {key="FALSE REFUSAL"} else if !want && hard==0 && unc==0 {key="FALSE PASS"} else if !want && hard==0 {key="unchecked"}
  n[key]++
  if (key=="FALSE REFUSAL"||key=="FALSE PASS") && shown<6 {shown++; t.Errorf("%s\n%s\n%s\n%s",key,s,a,lines(found))}
 }
 t.Log(n)
}
