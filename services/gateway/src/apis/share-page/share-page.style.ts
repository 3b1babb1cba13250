/** Style of the share page: one column on phones, picture beside the title on wider screens, light or dark by the browser's preference. */
export const SHARE_PAGE_STYLE = `
:root{color-scheme:light dark;--ground:#f6f4f1;--card:#fff;--ink:#1d1b19;--dim:#6a645d;--line:#e4dfd8;--accent:#a8411e;--on:#fff}
@media (prefers-color-scheme:dark){:root{--ground:#151413;--card:#201e1c;--ink:#f1ede8;--dim:#a79f96;--line:#35312d;--accent:#f08a5d;--on:#1d120c}}
*{box-sizing:border-box}
body{margin:0;background:var(--ground);color:var(--ink);font:1rem/1.5 system-ui,-apple-system,"Segoe UI",Roboto,sans-serif;overflow-wrap:anywhere}
main{max-width:46rem;margin:0 auto;padding:1rem}
.card{background:var(--card);border:1px solid var(--line);border-radius:1rem;overflow:hidden;box-shadow:0 1px 3px #0001,0 12px 32px #0000000f}
header{display:flex;flex-direction:column;gap:1.25rem;padding:1.25rem}
.art{width:100%;max-width:16rem;height:auto;aspect-ratio:1;object-fit:cover;border-radius:.6rem;background:var(--line);margin:0 auto;display:block}
h1{font-size:1.6rem;line-height:1.2;margin:0 0 .25rem;text-wrap:balance}
.by{font-size:1.1rem;margin:0}
.dim{color:var(--dim);margin:.4rem 0 0;font-size:.92rem}
.say{margin:.9rem 0 0;white-space:pre-line}
.player{position:sticky;top:0;z-index:1;background:var(--card);border-block:1px solid var(--line);padding:.75rem 1.25rem}
.player p{margin:0 0 .4rem;font-size:.92rem;color:var(--dim);min-height:1.4em}
audio,video{display:block;width:100%}
video{max-height:75vh;background:#000;border-radius:.6rem}
.film{position:static}
ol{list-style:none;margin:0;padding:.5rem 0}
li{display:flex;align-items:center;gap:.25rem;padding:0 .75rem}
li+li{border-top:1px solid var(--line)}
.track{flex:1;min-width:0;display:flex;align-items:baseline;gap:.75rem;padding:.7rem .5rem;color:inherit;text-decoration:none;border-radius:.5rem}
a.track:hover{background:color-mix(in srgb,var(--accent) 10%,transparent)}
a.track:hover .name,[aria-current] .name,[aria-current] .no{color:var(--accent)}
[aria-current] .name{font-weight:600}
.no{color:var(--dim);min-width:1.6em;text-align:right;font-variant-numeric:tabular-nums}
.name{flex:1;min-width:0}
.name small{display:block;color:var(--dim);font-weight:400}
.time{color:var(--dim);font-variant-numeric:tabular-nums;font-size:.92rem}
.save{color:var(--accent);text-decoration:none;padding:.5rem;border-radius:.5rem;line-height:1}
.save:hover{background:color-mix(in srgb,var(--accent) 12%,transparent)}
:focus-visible{outline:2px solid var(--accent);outline-offset:2px}
footer{padding:1rem 0;text-align:center;color:var(--dim);font-size:.85rem}
.none{padding:2.5rem 1.25rem;text-align:center}
@media (min-width:40rem){main{padding:2.5rem 1rem}header{flex-direction:row;align-items:center;padding:1.75rem}.art{width:13rem;margin:0;flex:none}h1{font-size:2rem}}
@media (prefers-reduced-motion:no-preference){.track,.save{transition:background .15s}}
`;

/**
 * Script that plays the linked tracks in the page, one after the other. Without it every link still opens its song or video.
 */
export const SHARE_PAGE_SCRIPT = `
(()=>{'use strict';
const media=document.querySelector('audio,video');if(!media)return;
const now=document.getElementById('now');
const tracks=[...document.querySelectorAll('a.track')];
let at=0;
const mark=()=>{const t=tracks[at];now.textContent=t.dataset.title;
tracks.forEach(x=>x.removeAttribute('aria-current'));t.setAttribute('aria-current','true');
if('mediaSession' in navigator)navigator.mediaSession.metadata=new MediaMetadata({title:t.dataset.title,album:document.title})};
const play=i=>{at=i;media.src=tracks[i].href;media.play().catch(()=>{})};
tracks.forEach((t,i)=>t.addEventListener('click',e=>{if(e.ctrlKey||e.metaKey||e.shiftKey)return;e.preventDefault();
if(i===at&&!media.paused)media.pause();else if(i===at&&media.currentTime>0)media.play();else play(i)}));
media.addEventListener('play',mark);
media.addEventListener('ended',()=>{if(at+1<tracks.length)play(at+1)});
media.addEventListener('error',()=>{now.textContent='This browser cannot play '+tracks[at].dataset.title+'.'});
if('mediaSession' in navigator){navigator.mediaSession.setActionHandler('nexttrack',()=>{if(at+1<tracks.length)play(at+1)});
navigator.mediaSession.setActionHandler('previoustrack',()=>{if(at>0)play(at-1)})}
})();
`;
