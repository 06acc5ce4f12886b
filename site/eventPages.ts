/** Pages of the event types: what arrives at a webhook endpoint. */
import { escaped, prose } from '../api/pages/escaped.js';
import type { EventModel, Model } from './document.js';
import { answeredFields, fieldList } from './fieldList.js';
import { breakable, type SitePage } from './frame.js';
import { codeBlock } from './highlight.js';
import { eventMarkdown } from './operationMarkdown.js';
import { indexPage, type Link, relatedList, rows, section, sideColumn } from './parts.js';
import { receiverSample } from './receiverSample.js';
import { fieldsOf } from './schema.js';

const headers = (type: string, id: string): string =>
  `POST /your/endpoint HTTP/1.1
Content-Type: application/json
User-Agent: Service-Webhooks/1.0
Service-Signature: t=1795305600,v1=5f3c…e1
Service-Event-Id: ${id}
Service-Event-Type: ${type}
Service-Delivery-Attempt: 1`;

const trigger = (type: string): string => `npx suuq listen --forward-to http://127.0.0.1:8080/hooks
# In another terminal:
npx suuq trigger ${type}
`;

const linkTo = ({ type }: EventModel): Link => ({
  href: `/docs/events/${type}`,
  label: `<code>${escaped(type)}</code>`,
});

export function eventPage(event: EventModel, site: Model): SitePage {
  const { type, description, schema, example } = event;
  const { id } = example as { readonly id: string };
  const others = site.events.filter((one) => one !== event && one.type.split('.')[0] === type.split('.')[0]);
  return {
    path: `/docs/events/${type}`,
    kind: 'event',
    title: type,
    description,
    markdown: eventMarkdown(event, site),
    main: `<p class="crumbs"><a href="/docs/events">Events</a></p>
<h1><code>${breakable(type)}</code></h1>
<p class="lead">${prose(description)}</p>
<p>Posted to every endpoint that subscribes to it, signed with the endpoint’s secret, at least once. <a href="/docs/guides/webhooks">Webhooks</a> explains how to receive it.</p>
${section('payload', 'Payload', fieldList(answeredFields(fieldsOf(schema, site.schemas))))}
${section('others', 'Related events', relatedList(others.map(linkTo)))}`,
    aside: sideColumn(
      codeBlock(JSON.stringify(example, undefined, 2), 'json', 'Payload'),
      codeBlock(headers(type, id), 'http', 'Header fields'),
      codeBlock(receiverSample(type), 'typescript', 'Receive it in TypeScript'),
      codeBlock(trigger(type), 'bash', 'Trigger it on your machine'),
    ),
  };
}

export function eventsPage({ events }: Model): SitePage {
  const cards = events.map(
    ({ type, description }) =>
      `<li><a href="/docs/events/${type}"><code>${breakable(type)}</code></a><p>${prose(description)}</p></li>`,
  );
  return indexPage({
    path: '/docs/events',
    title: 'Event types',
    description: 'Events that webhook endpoints receive, with their payloads.',
    lead: 'Events that webhook endpoints receive, each with its payload.',
    main: `<p>An endpoint subscribes to the types it needs, or to all. New types can be added within v1: ignore types that you do not know.</p>
${rows(cards)}`,
  });
}
