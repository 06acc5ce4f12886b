/** The one stylesheet of all pages, served from memory under a name that changes with its content. */
import { createHash } from 'node:crypto';

const text = `
:root {
  color-scheme: light dark;
  --paper: #fdfcf9; --ink: #1d1c1a; --soft: #6a665e; --line: #e4e0d6; --tint: #f4f1e9; --accent: #0b6b57;
  --get: #0b6b57; --post: #8a5a00; --put: #31539c; --delete: #a3312a;
}
@media (prefers-color-scheme: dark) {
  :root {
    --paper: #161615; --ink: #ebe8e1; --soft: #a09b91; --line: #32302c; --tint: #201f1d; --accent: #5cc9ae;
    --get: #5cc9ae; --post: #e0af55; --put: #8fb0f0; --delete: #f08f86;
  }
}
* { box-sizing: border-box; }
html { scroll-padding-top: 1.5rem; }
body {
  margin: 0; background: var(--paper); color: var(--ink);
  font: 16px/1.6 ui-sans-serif, system-ui, -apple-system, "Segoe UI", Roboto, "Helvetica Neue", sans-serif;
}
h1, h2, h3 { font-family: ui-serif, "Iowan Old Style", Charter, Georgia, serif; line-height: 1.25; font-weight: 600; }
h1 { font-size: 2.1rem; margin: 0 0 .5rem; letter-spacing: -.01em; }
h2 { font-size: 1.4rem; margin: 3rem 0 1rem; padding-bottom: .4rem; border-bottom: 1px solid var(--line); }
h3 { font-size: 1.1rem; margin: 0; }
h4 { font-size: .78rem; margin: 1.3rem 0 .3rem; color: var(--soft); text-transform: uppercase; letter-spacing: .06em; }
p { margin: .5rem 0; max-width: 68ch; }
a { color: var(--accent); text-underline-offset: .18em; text-decoration-thickness: .06em; }
a:focus-visible, input:focus-visible, summary:focus-visible { outline: 2px solid var(--accent); outline-offset: 2px; }
code, pre, .path { font: .875em/1.5 ui-monospace, "SF Mono", Menlo, Consolas, monospace; }
code { background: var(--tint); padding: .1em .3em; border-radius: 3px; overflow-wrap: anywhere; }
pre { background: var(--tint); border: 1px solid var(--line); border-radius: 6px; padding: .9rem 1rem; overflow-x: auto; margin: .4rem 0; }
pre code { background: none; padding: 0; }
.lead { font-size: 1.1rem; color: var(--soft); }
.soft { color: var(--soft); }
.narrow { max-width: 46rem; margin: 0 auto; padding: 4rem 1.5rem; }
.top { margin: 0 0 2.5rem; font-size: .9rem; }
.scroll { overflow-x: auto; }
table { border-collapse: collapse; width: 100%; font-size: .92rem; }
th { text-align: left; font-weight: 500; color: var(--soft); font-size: .8rem; }
th, td { padding: .45rem .9rem .45rem 0; border-bottom: 1px solid var(--line); vertical-align: top; }
td:first-child { white-space: nowrap; }
dl { display: grid; grid-template-columns: max-content 1fr; gap: .45rem 1.5rem; margin: 1.2rem 0; }
dt { color: var(--soft); }
dd { margin: 0; }
.links { list-style: none; padding: 0; margin: 1.2rem 0; }
.links li { padding: .6rem 0; border-top: 1px solid var(--line); }
.links li:last-child { border-bottom: 1px solid var(--line); }
.links a { font-weight: 500; margin-right: .6rem; }
.state::before { content: ""; display: inline-block; width: .55em; height: .55em; border-radius: 50%; background: var(--soft); margin-right: .45em; }
.state.ready::before { background: var(--accent); }
.reference { display: grid; grid-template-columns: 17rem minmax(0, 1fr); max-width: 78rem; margin: 0 auto; }
.reference > nav { position: sticky; top: 0; height: 100vh; overflow-y: auto; padding: 2rem 1.25rem; border-right: 1px solid var(--line); font-size: .88rem; }
.reference > main { padding: 2.5rem 2.5rem 6rem; min-width: 0; }
nav input { width: 100%; font: inherit; color: inherit; background: var(--tint); border: 1px solid var(--line); border-radius: 6px; padding: .45rem .7rem; margin: .8rem 0; }
nav ul { list-style: none; margin: 0 0 1.2rem; padding: 0; }
nav li a { display: block; padding: .16rem 0; color: inherit; text-decoration: none; overflow-wrap: anywhere; }
nav li a:hover { color: var(--accent); }
nav strong { font-size: .78rem; color: var(--soft); font-weight: 500; }
.op { padding: 1.6rem 0 2rem; border-bottom: 1px solid var(--line); }
.op > .path { display: block; margin: .35rem 0 .6rem; overflow-wrap: anywhere; }
.verb { font-weight: 700; }
.GET { color: var(--get); } .POST { color: var(--post); } .PUT, .PATCH { color: var(--put); } .DELETE { color: var(--delete); }
.tags { font-size: .85rem; color: var(--soft); }
.tags a { display: inline-block; margin-right: .3rem; }
.req { color: var(--accent); font-size: .78rem; margin-left: .4rem; }
.rule { color: var(--soft); font-size: .85rem; }
[hidden] { display: none !important; }
@media (max-width: 52rem) {
  .reference { display: block; }
  .reference > nav { position: static; height: auto; max-height: 60vh; border-right: 0; border-bottom: 1px solid var(--line); }
  .reference > main { padding: 1.5rem 1.25rem 4rem; }
  .narrow { padding: 2rem 1.25rem; }
  td:first-child { white-space: normal; }
  td:first-child code { overflow-wrap: normal; }
  th, td { padding-right: .6rem; }
  h1 { font-size: 1.7rem; }
}
`.trim();

export const stylesheet = {
  path: `/assets/${createHash('sha256').update(text).digest('hex').slice(0, 12)}.css`,
  text,
};
