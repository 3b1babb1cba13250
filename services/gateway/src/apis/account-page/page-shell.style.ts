/** Style of the account pages: one column of cards, light or dark by the browser's preference. */
export const PAGE_STYLE = `
:root{color-scheme:light dark;--ground:#f6f4f1;--card:#fff;--ink:#1d1b19;--dim:#6a645d;--line:#e4dfd8;--field:#fbfaf8;--edge:#8d857b;--accent:#a8411e;--on:#fff;--good:#2f6b3a;--bad:#a3231d}
@media (prefers-color-scheme:dark){:root{--ground:#151413;--card:#201e1c;--ink:#f1ede8;--dim:#a79f96;--line:#35312d;--field:#191816;--edge:#7b736a;--accent:#f08a5d;--on:#1d120c;--good:#86c992;--bad:#ff8f85}}
*{box-sizing:border-box}
[hidden]{display:none!important}
body{margin:0;background:var(--ground);color:var(--ink);font:1rem/1.5 system-ui,-apple-system,"Segoe UI",Roboto,sans-serif;overflow-wrap:anywhere}
.bar{display:flex;align-items:center;gap:1rem;max-width:46rem;margin:0 auto;padding:1rem 1rem 0;flex-wrap:wrap}
.bar strong{margin-right:auto;font-size:1.05rem}
a{color:var(--accent)}
.bar a{color:var(--ink)}
.button{color:var(--on)}
main{max-width:46rem;margin:0 auto;padding:1rem;display:grid;gap:1rem}
main.small{max-width:26rem;padding-top:3rem}
.card{background:var(--card);border:1px solid var(--line);border-radius:1rem;padding:1.25rem;box-shadow:0 1px 3px #0001,0 12px 32px #0000000f;min-width:0}
.who{display:flex;align-items:center;gap:1.25rem}
.who img{width:6rem;height:6rem;border-radius:50%;object-fit:cover;background:var(--line);flex:none}
h1{font-size:1.6rem;line-height:1.2;margin:0 0 .25rem}
h2{font-size:1.1rem;margin:0 0 .75rem}
p{margin:.4rem 0}
.dim{color:var(--dim);font-size:.92rem}
label{display:block;margin:.75rem 0 0;font-size:.92rem}
label.tick{display:flex;gap:.5rem;align-items:center}
input:not([type=checkbox]):not([type=file]),select{display:block;width:100%;font:inherit;color:inherit;background:var(--field);border:1px solid var(--edge);border-radius:.5rem;padding:.5rem .65rem;margin-top:.2rem}
input[type=checkbox]{width:1.1rem;height:1.1rem;accent-color:var(--accent)}
input[type=file]{font:inherit;max-width:100%;margin-top:.3rem}
.pair{display:grid;gap:0 1rem}
button,.button{display:inline-block;font:inherit;font-weight:600;border:1px solid var(--accent);background:var(--accent);color:var(--on);border-radius:.5rem;padding:.5rem 1rem;cursor:pointer;text-decoration:none;margin-top:1rem}
button.plain,.button.plain{background:none;color:var(--accent)}
button.slight{margin-top:0;padding:.25rem .7rem;font-size:.9rem;background:none;color:var(--accent)}
button:hover,.button:hover{filter:brightness(1.08)}
.wide{width:100%;text-align:center}
.rows{list-style:none;margin:0;padding:0}
.rows>li{display:flex;gap:.75rem;align-items:center;padding:.6rem 0;flex-wrap:wrap}
.rows>li+li{border-top:1px solid var(--line)}
.rows .what{flex:1 1 12rem;min-width:0}
.rows small{display:block;color:var(--dim)}
.rows form{display:flex;gap:.5rem;align-items:center;flex-wrap:wrap}
.rows form input:not([type=checkbox]){margin:0;padding:.25rem .5rem;width:10rem}
code{display:block;font:.92rem/1.5 ui-monospace,monospace;background:var(--field);border:1px solid var(--line);border-radius:.5rem;padding:.4rem .6rem;margin:.3rem 0;user-select:all}
.note{border-radius:.6rem;padding:.7rem 1rem;border:1px solid currentColor;background:var(--card);margin:0}
.note.good{color:var(--good)}
.note.bad{color:var(--bad)}
.or{display:flex;align-items:center;gap:.75rem;color:var(--dim);margin:1.25rem 0 .25rem}
.or::before,.or::after{content:"";flex:1;border-top:1px solid var(--line)}
.tag{display:inline-block;font-size:.8rem;border:1px solid var(--edge);border-radius:1rem;padding:0 .55rem;color:var(--dim)}
details summary{cursor:pointer;color:var(--accent)}
:focus-visible{outline:2px solid var(--accent);outline-offset:2px}
@media (min-width:40rem){main{padding:1.5rem 1rem 3rem}.pair{grid-template-columns:1fr 1fr}.card{padding:1.5rem 1.75rem}}
`;
