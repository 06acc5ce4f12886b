/** The style of the product page: inside the page, for it is opened once and far from any other page of the service. */
export const productStyle = `
:root { color-scheme: light dark; --paper: #fdfcf9; --ink: #1d1c1a; --soft: #6a665e; --line: #e4e0d6; --tint: #f1ede4; --accent: #0b6b57; --sale: #a3312a; }
@media (prefers-color-scheme: dark) {
  :root { --paper: #161615; --ink: #ebe8e1; --soft: #a09b91; --line: #32302c; --tint: #232220; --accent: #5cc9ae; --sale: #f08f86; }
}
* { box-sizing: border-box; }
body { margin: 0; background: var(--paper); color: var(--ink); font: 16px/1.6 ui-sans-serif, system-ui, -apple-system, "Segoe UI", Roboto, "Helvetica Neue", sans-serif; overflow-wrap: anywhere; }
main { display: grid; grid-template-columns: minmax(0, 1fr) minmax(0, 1fr); gap: 3rem; max-width: 64rem; margin: 0 auto; padding: 4rem 1.5rem; align-items: start; }
.images img { display: block; width: 100%; object-fit: cover; background: var(--tint); border-radius: 8px; color: var(--soft); font-size: .85rem; text-align: center; overflow: hidden; }
.images .main { aspect-ratio: 4 / 5; line-height: 3; }
.others { display: grid; grid-template-columns: repeat(4, 1fr); gap: .6rem; margin-top: .6rem; }
.others img { aspect-ratio: 1; }
h1 { font: 600 2rem/1.2 ui-serif, "Iowan Old Style", Charter, Georgia, serif; margin: 0 0 1rem; letter-spacing: -.01em; }
p { margin: 0 0 1.2rem; }
.store { color: var(--soft); margin: 0 0 .4rem; font-size: .95rem; }
.offer { font-size: 1.3rem; display: flex; flex-wrap: wrap; gap: .2rem .7rem; align-items: baseline; }
.sale { color: var(--sale); }
s { color: var(--soft); font-size: .85em; }
.stock { font-size: .85rem; color: var(--accent); white-space: nowrap; }
.stock.out { color: var(--soft); }
.description { white-space: pre-line; max-width: 60ch; }
table { border-collapse: collapse; width: 100%; font-size: .95rem; margin: 1.5rem 0; }
th { font-weight: 500; font-size: .8rem; color: var(--soft); }
th, td { text-align: start; padding: .5rem .8rem .5rem 0; border-bottom: 1px solid var(--line); vertical-align: baseline; }
[dir="rtl"] th, [dir="rtl"] td { padding: .5rem 0 .5rem .8rem; }
.hint { color: var(--soft); font-size: .9rem; }
.unseen { position: absolute; width: 1px; height: 1px; overflow: hidden; clip-path: inset(50%); white-space: nowrap; }
main.gone { display: block; max-width: 36rem; padding-top: 6rem; }
@media (max-width: 44rem) { main { grid-template-columns: 1fr; gap: 1.5rem; padding: 0 0 3rem; } .images .main { border-radius: 0; aspect-ratio: 1; } .others, .about, main.gone { margin-left: 1.25rem; margin-right: 1.25rem; } }
`;
