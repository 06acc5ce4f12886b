/** The form that sends an operation to this very service. Its script fills it, sends it and shows what came. */
import { escaped } from '../api/pages/escaped.js';
import type { OperationModel, Parameter } from './document.js';
import { pathValue } from './samples/request.js';

function input({ name, in: place, required = false, schema }: Parameter, id: string): string {
  const values = schema.enum as readonly unknown[] | undefined;
  const label = `<label for="${id}-${name}"><code>${escaped(name)}</code>${required ? '' : ' <span class="soft">optional</span>'}</label>`;
  const attributes = `id="${id}-${name}" name="${escaped(name)}" data-in="${place}"${required ? ' required' : ''}`;
  if (values !== undefined) {
    const options = values.map((value) => `<option>${escaped(String(value))}</option>`);
    return `<div>${label}<select ${attributes}>${required ? '' : '<option value=""></option>'}${options.join('')}</select></div>`;
  }
  const example = place === 'path' ? ` placeholder="${escaped(pathValue({ name, in: place, schema }))}"` : '';
  return `<div>${label}<input ${attributes} autocomplete="off" spellcheck="false"${example}></div>`;
}

const KEYS = { store: 'sk_test_…', partner: 'psk_test_…', session: 'sdk_…' } as const;

/** Opened by who wants it; without scripts it is not shown. */
export function tryForm(model: OperationModel): string {
  const { id, method, path, parameters, body, credential, operation } = model;
  const fields = parameters.filter((one) => one.in !== 'header').map((one) => input(one, id));
  const key =
    credential === 'none'
      ? ''
      : `<div><label for="${id}-key">Key</label><input id="${id}-key" type="password" data-key="${credential}" required autocomplete="off" spellcheck="false" placeholder="${KEYS[credential]}" aria-describedby="${id}-kept"></div>
<p class="soft" id="${id}-kept">Stored in this tab until it is closed. Sent to this service only, never as part of a URL. ${credential === 'session' ? '' : '<button type="button" class="linkish" data-demo disabled>Use the demo’s key</button>'}</p>`;
  const text =
    body === undefined
      ? ''
      : `<div><label for="${id}-body">Body</label><textarea id="${id}-body" data-body rows="${Math.min(16, JSON.stringify(body.example, undefined, 2).split('\n').length)}" spellcheck="false">${escaped(JSON.stringify(body.example, undefined, 2))}</textarea></div>`;
  const file =
    operation.upload === undefined
      ? ''
      : `<div><label for="${id}-file">File</label><input id="${id}-file" type="file" data-file="${operation.upload.field}" required></div>`;
  const warning = method === 'GET' ? '' : '<p class="soft">This changes data, also with a key of the test mode.</p>';
  return `<details class="try" data-try>
<summary>Try it</summary>
<form data-method="${method}" data-path="${escaped(path)}"${operation.idempotent === true ? ' data-keyed' : ''}>
${key}
${fields.join('\n')}
${text}${file}${warning}
<p><button type="submit" class="send" disabled>Send</button></p>
</form>
<div class="result" role="status" aria-live="polite" data-result></div>
</details>`;
}
