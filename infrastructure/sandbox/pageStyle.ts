/** The style of the sandbox's page. */
export const pageStyle = `
:root {
  color-scheme: light dark;
  --paper: #fdfcf9; --ink: #1d1c1a; --soft: #6a665e; --line: #e4e0d6; --tint: #f4f1e9; --accent: #0b6b57; --on: #fff;
  --mine: #d9eee4; --theirs: #fff; --warn: #a3312a;
}
@media (prefers-color-scheme: dark) {
  :root {
    --paper: #161615; --ink: #ebe8e1; --soft: #a09b91; --line: #32302c; --tint: #201f1d; --accent: #5cc9ae; --on: #10201b;
    --mine: #1e4036; --theirs: #2c2a27; --warn: #f08f86;
  }
}
* { box-sizing: border-box; }
body { max-width: 72rem; margin: 0 auto; padding: 2.5rem 1.5rem; background: var(--paper); color: var(--ink); font: 15px/1.5 ui-sans-serif, system-ui, -apple-system, "Segoe UI", Roboto, "Helvetica Neue", sans-serif; overflow-wrap: anywhere; }
h1, h2 { font-family: ui-serif, "Iowan Old Style", Charter, Georgia, serif; line-height: 1.25; font-weight: 600; }
h1 { font-size: 1.8rem; margin: 0; } h2 { font-size: 1.2rem; margin: 0 0 .6rem; }
p { margin: .3rem 0; }
a { color: inherit; text-decoration-color: var(--line); text-underline-offset: .2em; }
a:hover { color: var(--accent); }
.soft, small { color: var(--soft); }
.who { display: flex; gap: 1rem; flex-wrap: wrap; margin-top: 1.2rem; }
.who label { flex: 1 1 14rem; }
label { display: grid; gap: .2rem; font-size: .82rem; color: var(--soft); align-content: end; }
input, select, button { font: inherit; font-size: .95rem; color: var(--ink); padding: .45rem .65rem; border: 1px solid var(--line); border-radius: 6px; background: var(--theirs); min-width: 0; max-width: 100%; min-height: 2.55rem; }
button { cursor: pointer; }
button:hover { border-color: var(--accent); }
button.main { background: var(--accent); border-color: var(--accent); color: var(--on); font-weight: 500; white-space: nowrap; }
:focus-visible { outline: 2px solid var(--accent); outline-offset: 1px; }
#problem { min-height: 1.5em; color: var(--warn); }
main { display: grid; grid-template-columns: minmax(0, 1fr) minmax(0, 1fr); gap: 2.5rem; align-items: start; margin-top: .5rem; }
ul, ol { list-style: none; margin: 0; padding: 0; overflow: auto; }
#items { max-height: 62vh; border-top: 1px solid var(--line); }
#items li { display: flex; gap: .8rem; align-items: center; padding: .55rem 0; border-bottom: 1px solid var(--line); }
#items .title { flex: 1; }
#items small { display: block; font-size: .8rem; }
#items .price { white-space: nowrap; font-variant-numeric: tabular-nums; }
#items input { width: 4.2rem; flex: none; margin-right: 3px; }
#items li.out .title, #items li.out .price { color: var(--soft); }
.phone { background: var(--tint); border: 1px solid var(--line); border-radius: 12px; padding: 1.1rem; }
#chat { height: 54vh; min-height: 16rem; display: flex; flex-direction: column; gap: .5rem; padding-right: .2rem; }
#chat:empty::after { content: "Send a cart or a message to begin."; color: var(--soft); margin: auto; }
#chat > li { padding: .5rem .75rem; border-radius: .8rem .8rem .8rem .2rem; max-width: 88%; width: fit-content; white-space: pre-wrap; background: var(--theirs); border: 1px solid var(--line); }
#chat > li:first-child { margin-top: auto; }
#chat > li.sent { align-self: flex-end; border-radius: .8rem .8rem .2rem .8rem; background: var(--mine); border-color: transparent; }
#chat img, #chat video { display: block; max-width: 100%; max-height: 15rem; border-radius: .5rem; margin-bottom: .3rem; }
#chat video { width: 16rem; background: #000; }
#chat img.sticker { max-height: 7rem; }
#chat audio { display: block; width: 15rem; max-width: 100%; margin-bottom: .3rem; }
#chat strong, #chat em, #chat .said { display: block; }
#chat .said:empty { display: none; }
#chat em { color: var(--soft); font-size: .8rem; }
#chat blockquote { margin: 0 0 .3rem; padding: .15rem .6rem; border-inline-start: 3px solid var(--accent); color: var(--soft); font-size: .85rem; }
#chat .gone .said { color: var(--soft); font-style: italic; }
#chat .reactions { float: inline-end; }
.taps { display: flex; flex-wrap: wrap; gap: .4rem; margin-top: .5rem; white-space: normal; }
.taps button, .acts button { font-size: .85rem; min-height: 2.2rem; padding: .2rem .6rem; }
.taps button:disabled { cursor: default; color: var(--soft); }
details.taps { display: block; } details.taps button { display: block; width: 100%; text-align: start; margin-top: .3rem; }
summary { cursor: pointer; }
.acts { white-space: normal; } .acts summary { width: fit-content; list-style: none; color: var(--soft); padding: 0 .4rem; margin-inline-start: -.4rem; border-radius: 4px; line-height: 1.2; }
.acts summary::-webkit-details-marker { display: none; }
.acts[open] { display: flex; flex-wrap: wrap; gap: .3rem; align-items: center; }
.reply { display: flex; gap: .6rem; align-items: center; justify-content: space-between; margin: .8rem 0 0; padding: .2rem .2rem .2rem .7rem; border-inline-start: 3px solid var(--accent); background: var(--theirs); border-radius: 4px; font-size: .88rem; }
.reply button { min-height: 0; border: 0; background: none; padding: .2rem .6rem; }
dialog { border: 1px solid var(--line); border-radius: 12px; background: var(--paper); color: var(--ink); padding: 1.3rem; width: min(24rem, 92vw); }
dialog form { display: grid; gap: .8rem; }
dialog::backdrop { background: rgb(0 0 0 / .4); }
#chat small { display: block; font-size: .75rem; margin-top: .15rem; }
#chat form { display: grid; grid-template-columns: 1fr 1fr; gap: .6rem; margin-top: .6rem; padding-top: .6rem; border-top: 1px solid var(--line); white-space: normal; }
#chat form input, #chat form select { background: var(--paper); }
#chat form .wide { grid-column: 1 / -1; }
.say { display: flex; gap: .6rem; margin-top: .8rem; } .say input { flex: 1; }
.more { display: flex; flex-wrap: wrap; gap: .4rem; margin: .6rem 0 0; } .more button { font-size: .85rem; min-height: 2.2rem; padding: .2rem .65rem; }
[hidden] { display: none !important; }
@media (max-width: 48rem) { body { padding: 1.25rem 1rem; } main { grid-template-columns: minmax(0, 1fr); gap: 1.5rem; } #items { max-height: 45vh; } #items input { width: 3.6rem; } }
`;
