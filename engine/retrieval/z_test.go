package retrieval
import ("testing";"time";"fmt";"sort";"context";"flag"; "caliper/engine/synthetic")
var zn=flag.Int("zn",0,"")
var zk=flag.String("zk","","")
func TestQuick(t *testing.T){
 for _, n := range []int{1000,10000,100000} {
 if *zn!=0&&n!=*zn {continue}
 ts:=synthetic.Tools(n,1)
 c:=NewCorpus(); x,err:=c.Index(context.Background(),ts,Reference); if err!=nil{t.Fatal(err)}
 rb:=time.Hour
 for i:=range 9 { ts[i+7]=synthetic.Revise(ts[i+7],i); st:=time.Now(); x,_=c.Index(context.Background(),ts,Reference); rb=min(rb,time.Since(st))}
 bb:=time.Hour
 for range 3 { st:=time.Now(); NewCorpus().Index(context.Background(),ts,Reference); bb=min(bb,time.Since(st))}
 fmt.Println(n,"build",bb,"rebuild",rb)
 for _,k:=range synthetic.Kinds {
  if *zk!=""&&string(k)!=*zk {continue}
  qs:=synthetic.Queries(k,1000,9,ts); ds:=make([]time.Duration,len(qs)); dst:=make([]Hit,0,20)
  for i:=range ds {ds[i]=time.Hour}
  rounds:=7; if *zk!="" {rounds=100}
  for range rounds { for i,q:=range qs { s:=time.Now(); x.SearchInto(dst,q,20); ds[i]=min(ds[i],time.Since(s)) } }
  sort.Slice(ds,func(i,j int)bool{return ds[i]<ds[j]})
  fmt.Println(k, "p50",ds[500],"p90",ds[900],"p99",ds[990],"max",ds[999])
 }}
}
