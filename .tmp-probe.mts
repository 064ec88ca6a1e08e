// node .tmp-probe.mts file -> runs metadata + rewrite
import { readFileSync } from 'node:fs';
import sharp from 'sharp';
import { rewrite } from './backend/storage/pictures/picture.ts';
import { kindOfFile } from './backend/storage/pictures/kinds.ts';
const f = process.argv[2]!;
const peak = () => Number(/VmHWM:\s+(\d+)/.exec(readFileSync('/proc/self/status','utf8'))![1])/1024;
const kind = await kindOfFile(f);
await sharp({create:{width:8,height:8,channels:3,background:'#f00'}}).png().toBuffer();
const p0=peak(); const c0=process.cpuUsage(); let t=performance.now();
const disk={hold:()=>()=>{},has:async()=>true,take(){}} as never;
if (process.argv[3]==='meta') { try { const m=await sharp(f,{animated:true,limitInputPixels:Number.MAX_SAFE_INTEGER,failOn:'error'}).metadata(); console.log('meta',m.width,m.height,m.pages,m.xmp?.length,m.exif?.length,m.icc?.length);} catch(e){console.log('meta err',(e as Error).message.slice(0,100));} console.log((performance.now()-t).toFixed(0),'ms'); }
else { try { const r=await rewrite({from:f,to:'/tmp/up/out.bin',disk},kind!,kind!); console.log('ok',JSON.stringify(r).slice(0,100)); } catch(e){ console.log('err',(e as Error).message.slice(0,150)); }
console.log((performance.now()-t).toFixed(0),'ms wall', (process.cpuUsage(c0).user/1000).toFixed(0),'ms cpu'); }
console.log('peak', p0.toFixed(0),'->',peak().toFixed(0),'MB');
