/** The page at the sandbox's root, where a person acts as a customer. Self-contained: no address but the sandbox's own. */
import { pageScript } from './pageScript.js';

const style = `
:root { color-scheme: light dark; font: 15px/1.5 system-ui, sans-serif; }
body { max-width: 72rem; margin: 0 auto; padding: 1rem; }
h1 { font-size: 1.3rem; margin: 0; } h2 { font-size: 1rem; margin: .5rem 0; }
p.hint { color: GrayText; margin: .2rem 0 1rem; }
form.who { display: flex; gap: 1rem; flex-wrap: wrap; align-items: end; margin-bottom: 1rem; }
label { display: grid; gap: .15rem; font-size: .85rem; }
input, select, button { font: inherit; padding: .3rem .5rem; }
main { display: grid; grid-template-columns: minmax(16rem, 1fr) minmax(18rem, 1fr); gap: 1.5rem; }
@media (max-width: 45rem) { main { grid-template-columns: 1fr; } }
ul { list-style: none; margin: 0; padding: 0; max-height: 60vh; overflow: auto; }
#items li { display: flex; gap: .6rem; align-items: center; padding: .3rem 0; border-bottom: 1px solid #8884; }
#items .title { flex: 1; } #items input { width: 4rem; }
.review { font-size: .75rem; color: GrayText; }
#chat li { margin: .4rem 0; padding: .5rem .7rem; border-radius: .6rem; max-width: 85%; white-space: pre-wrap; background: #8882; }
#chat li.sent { margin-left: auto; background: #2a82; }
#chat small { display: block; color: GrayText; }
#chat form { display: grid; gap: .4rem; margin-top: .5rem; }
form.say { display: flex; gap: .5rem; margin-top: .6rem; } form.say input { flex: 1; }
#note { min-height: 1.5em; color: #b40; }
`;

/** `nonce` admits the page's own script and style under its content policy. */
export const page = (nonce: string): string => `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Suuq sandbox: be a customer</title>
<style nonce="${nonce}">${style}</style>
</head>
<body>
<h1>Sandbox: be a customer</h1>
<p class="hint">What you do here reaches the service as signed messages of the channel. Nothing leaves this machine.</p>
<form class="who" id="who">
  <label>Store's number <select id="number"></select></label>
  <label>Your phone, or a user id such as US.1349 <input id="customer" value="+252611234567" required maxlength="140"></label>
  <label>Your name <input id="name" value="Asha" maxlength="80"></label>
</form>
<p id="note" role="status"></p>
<main>
  <section aria-labelledby="catalog-title">
    <h2 id="catalog-title">Catalog</h2>
    <ul id="items"></ul>
    <form class="say" id="cart"><input id="cart-text" placeholder="Note for the store (optional)" maxlength="300"><button>Send cart</button></form>
  </section>
  <section aria-labelledby="chat-title">
    <h2 id="chat-title">Chat</h2>
    <ul id="chat"></ul>
    <form class="say" id="say"><input id="text" placeholder="Write a message" required maxlength="1000"><button>Send</button></form>
    <form class="say" id="pin"><button>Send a location</button></form>
  </section>
</main>
<script nonce="${nonce}">${pageScript}</script>
</body>
</html>
`;
