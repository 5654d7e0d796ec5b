/** How the page looks: one column on a phone, a list of tools beside it on a desk, light or dark as the reader's system is. */
export const docsStyle = `
:root {
  color-scheme: light dark;
  --back: light-dark(#fbfbfa, #14161a);
  --card: light-dark(#ffffff, #1c1f25);
  --ink: light-dark(#1d2127, #e6e8ec);
  --soft: light-dark(#5b6470, #9aa4b2);
  --line: light-dark(#e2e4e8, #2d323b);
  --code: light-dark(#f2f3f5, #121418);
  --link: light-dark(#1f5fbf, #7fb0ff);
  --good: light-dark(#1a7f4b, #5fd39a);
  --bad: light-dark(#b3261e, #ff8a80);
  --warn: light-dark(#8a5a00, #f0c060);
  --mono: ui-monospace, SFMono-Regular, Menlo, Consolas, monospace;
}
* { box-sizing: border-box; }
[hidden] { display: none !important; }
html { scroll-padding-top: 5rem; }
body { margin: 0; background: var(--back); color: var(--ink); font: 16px/1.55 system-ui, sans-serif; overflow-wrap: anywhere; }
header { position: sticky; top: 0; z-index: 1; background: var(--back); border-bottom: 1px solid var(--line); }
header > div { max-width: 76rem; margin: 0 auto; padding: .7rem 1.25rem; display: flex; flex-wrap: wrap; gap: .4rem 1rem; align-items: center; }
h1 { font-size: 1.15rem; margin: 0; }
#count { color: var(--soft); font-size: .9rem; }
#search { margin-left: auto; width: 15rem; }
.frame { max-width: 76rem; margin: 0 auto; padding: 1.25rem; display: grid; grid-template-columns: 15rem minmax(0, 1fr); gap: 2rem; }
nav { position: sticky; top: 5rem; align-self: start; max-height: calc(100vh - 6rem); overflow: auto; display: flex; flex-direction: column; gap: .1rem; font: .88rem var(--mono); }
nav a { padding: .25rem .5rem; border-radius: .35rem; text-decoration: none; color: var(--soft); }
nav a:hover { background: var(--card); color: var(--ink); }
a { color: var(--link); }
article { background: var(--card); border: 1px solid var(--line); border-radius: .7rem; padding: 1.1rem 1.25rem; margin-bottom: 1.1rem; }
article h2 { margin: 0; display: flex; flex-wrap: wrap; gap: .3rem .8rem; align-items: baseline; font: 600 1.1rem var(--mono); }
article h2 a { color: inherit; text-decoration: none; }
article h2 a:hover { text-decoration: underline; }
h2.rest { font-size: 1.05rem; margin: 2.2rem 0 .3rem; }
h3 { font-size: .95rem; margin: 1.1rem 0 0; }
section p { margin: .1rem 0 .3rem; }
.effects { font: 500 .75rem system-ui, sans-serif; padding: .1rem .55rem; border-radius: 1rem; border: 1px solid currentColor; color: var(--good); }
.effects.writes { color: var(--warn); }
.description { margin: .45rem 0 .8rem; white-space: pre-line; }
.about { color: var(--soft); font-size: .9rem; }
.note { padding: 2rem 0; color: var(--soft); }
.problem { color: var(--bad); }
pre { background: var(--code); border: 1px solid var(--line); border-radius: .45rem; padding: .7rem .85rem; margin: 0; overflow: auto; max-height: 26rem; font: .84rem/1.5 var(--mono); white-space: pre-wrap; }
.line { position: relative; }
.line .copy { position: absolute; top: .4rem; right: .4rem; }
.line pre { padding-right: 5rem; }
details { margin-top: .65rem; }
summary { cursor: pointer; font-weight: 600; font-size: .92rem; padding: .15rem 0; }
.raw summary { font-weight: 500; color: var(--soft); }
.raw pre { margin-top: .4rem; }
.fields { list-style: none; margin: .3rem 0; padding: 0; }
.fields .fields { margin: .25rem 0 0; padding-left: .9rem; border-left: 2px solid var(--line); }
.fields li { padding: .3rem 0; display: flex; flex-wrap: wrap; gap: .1rem .6rem; align-items: baseline; }
.fields li > .fields { flex-basis: 100%; }
code { font: .86rem var(--mono); }
code.type { color: var(--link); }
.required { font-size: .74rem; color: var(--warn); }
label { display: block; font-size: .82rem; color: var(--soft); margin: .4rem 0 .15rem; }
input, select, textarea, button { font: inherit; color: inherit; background: var(--code); border: 1px solid var(--line); border-radius: .45rem; padding: .42rem .6rem; }
textarea { width: 100%; font: .86rem/1.5 var(--mono); resize: vertical; }
input { width: 100%; }
input, select, button { min-height: 2.6rem; }
::placeholder { color: var(--soft); opacity: 1; }
button { white-space: nowrap; cursor: pointer; background: var(--link); color: var(--card); border-color: transparent; font-weight: 600; padding: .42rem 1rem; }
button.quiet { background: var(--card); color: var(--ink); border-color: var(--line); font-weight: 500; }
button.copy { padding: .12rem .6rem; font-size: .8rem; min-height: 0; }
button:disabled { opacity: .5; cursor: default; }
:focus-visible { outline: 2px solid var(--link); outline-offset: 2px; }
.row { display: flex; flex-wrap: wrap; gap: .5rem 1rem; align-items: end; margin-bottom: .7rem; }
.row > div:first-child { flex: 1 1 12rem; }
.buttons { display: flex; flex-wrap: wrap; gap: .5rem; }
.next { margin-top: .6rem; }
.result p { margin: .3rem 0; display: flex; flex-wrap: wrap; gap: .1rem .7rem; align-items: baseline; }
.good { color: var(--good); }
.bad { color: var(--bad); }
#access { max-width: 76rem; margin: 0 auto; padding: 0 1.25rem .7rem; }
#enter { display: flex; gap: .6rem; max-width: 34rem; margin-top: .4rem; }
@media (max-width: 46rem) {
  .frame { grid-template-columns: minmax(0, 1fr); padding: 1rem; gap: 1rem; }
  nav { position: static; flex-direction: row; flex-wrap: wrap; gap: .35rem; max-height: 9rem; }
  nav a { background: var(--card); border: 1px solid var(--line); }
  #search { width: 100%; margin: 0; }
  article { padding: .9rem 1rem; }
  summary { padding: .35rem 0; }
  .line pre { padding: 2.3rem .85rem .7rem; }
  header { position: static; }
  html { scroll-padding-top: 1rem; }
}
`;
