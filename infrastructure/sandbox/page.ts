/** The page at the sandbox's root, where a person acts as a customer. Nothing of it comes from any address but the sandbox's own. */
import type { Assets } from '../pages/assets.js';

export const page = ({ path }: Assets): string => `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Suuq sandbox: be a customer</title>
<link rel="stylesheet" href="${path}/sandbox.css">
<script type="module" src="${path}/main.js"></script>
</head>
<body>
<header>
<h1>Be a customer</h1>
<p class="soft">What you do here reaches the service as signed messages of the channel. Nothing leaves this machine.</p>
<form class="who" id="who">
  <label>Store <select id="number"></select></label>
  <label>Your phone, or a user id such as US.1349 <input id="customer" value="+252611234567" required maxlength="140" spellcheck="false"></label>
  <label>Your name <input id="name" value="Asha" maxlength="80"></label>
</form>
<p id="problem" role="status"></p>
</header>
<main>
  <section aria-labelledby="catalog-title">
    <h2 id="catalog-title">Catalog</h2>
    <p class="soft" id="no-items">No items yet. Products that the store uploads appear here once they have been pushed.</p>
    <ul id="items"></ul>
    <form class="say" id="cart"><input id="cart-text" placeholder="A word with the cart (optional)" aria-label="A word with the cart" maxlength="300"><button class="main">Send cart</button></form>
  </section>
  <section class="phone" aria-labelledby="chat-title">
    <h2 id="chat-title">Chat</h2>
    <ol id="chat" tabindex="0" aria-labelledby="chat-title"></ol>
    <p id="reply" class="reply" hidden><span id="reply-text"></span> <button type="button" id="no-reply" aria-label="Do not reply">×</button></p>
    <form class="say" id="say"><input id="text" placeholder="Message, or a caption for a photo" aria-label="Message" required maxlength="1000"><button class="main">Send</button></form>
    <input type="file" id="file" hidden accept="image/*,video/*,audio/*,application/pdf,text/plain,.doc,.docx,.xls,.xlsx,.ppt,.pptx">
    <p class="more"><button type="button" id="attach">Photo or file</button> <button type="button" id="voice">Voice note</button> <button type="button" id="pin">Location</button> <button type="button" id="contact">Contact</button> <button type="button" id="call">Call</button> <button type="button" id="read">Read everything</button></p>
    <p class="soft">Every wallet pays, except numbers that end in 9901 (cancels), 9902 (too little money), 9903 (no answer), 9904 (pays, the answer is lost) or 9905 (pays late).</p>
  </section>
</main>
</body>
</html>
`;
