import { faults, variants } from '/work/main/lib/reference/index.ts'
import { spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
const only = process.argv.slice(2)
const list = [...variants.map(v=>({kind:'variant',name:v.name,requirements:[] as readonly string[]})), ...faults.map(f=>({kind:'fault',name:f.name,requirements:f.requirements}))].filter(x=>only.length===0||only.includes(x.name))
for (const {kind,name,requirements} of list) {
  const dir=`/tmp/matrix/${kind}-${name}`
  const r=spawnSync('node',['lib/cli/plumbline.js','run',`--${kind}`,name,'--reports',dir],{cwd:'/work/main',encoding:'utf8'})
  let line=''
  try{ const j=JSON.parse(readFileSync(dir+'/report.json','utf8'))
  const red=j.results.filter((x:any)=>x.verdict==='fail').map((x:any)=>x.requirement)
  const inc=j.results.filter((x:any)=>x.verdict==='inconclusive')
  const missing=requirements.filter(x=>!red.includes(x)), extra=red.filter((x:string)=>!requirements.includes(x))
  line=`exit ${r.status} n=${j.exchanges.length} ${j.results.filter((x:any)=>x.verdict==='pass').length}p ${j.results.filter((x:any)=>x.verdict==='skipped').length}s ${missing.length?'GREEN '+missing:''} ${extra.length?'EXTRA '+extra.map((e:string)=>e+'<'+j.results.find((x:any)=>x.requirement===e).reason+'>'):''} ${inc.length?'INC '+inc.map((x:any)=>x.requirement+'<'+x.reason?.slice(0,150)+'>'):''}`
  }catch(e){line='NO REPORT '+r.stderr.slice(0,500)}
  console.log(kind,name,line)
}
