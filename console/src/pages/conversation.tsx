/** One conversation: its messages, the answer that is written to it, and the orders that it led to. */

import { useEffect, useRef, useState } from 'preact/hooks';
import type { ConsoleSessionBody, ConsoleStoreBody } from '../../../api/console/contract.js';
import { act, newKey, read } from '../api/client.js';
import type { Schemas } from '../api/openapi.js';
import { Outcome, useActing } from '../ui/actions.js';
import { money } from '../ui/format.js';
import { useLoad } from '../ui/load.js';
import { Chip, Own, When } from '../ui/parts.js';
import { canChange, canSee } from '../ui/permission.js';
import { hrefOf } from '../ui/router.js';
import { Empty, Shown } from '../ui/states.js';
import { changeConversation, Steering } from './conversationSteering.js';
import { Bubble, type Message } from './message.js';
import { usePeople } from './people.js';

export type Conversation = Schemas['ConversationBody'];

const PAGE = 50;
/** Longest text that the channel takes, in characters. */
const LONGEST = 4096;

interface OfConversation {
  readonly store: ConsoleStoreBody;
  readonly conversation: Conversation;
}

/** Loads the newest messages, and earlier ones on request. A new `version` means that something changed. */
function useThread({ store: { workspaceId }, conversation: { id } }: OfConversation, version: number) {
  const [more, setMore] = useState(1);
  const load = useLoad(`${id} ${more}`, async () => {
    const all: Message[] = [];
    let cursor: string | undefined;
    for (let page = 0; page < more; page += 1) {
      const of = { workspaceId, conversationId: id };
      const path = '/workspaces/{workspaceId}/conversations/{conversationId}/messages';
      const { messages, next } = await read(path, of, { limit: PAGE, ...(cursor && { cursor }) });
      all.push(...messages);
      cursor = next;
      if (next === undefined) break;
    }
    return { messages: all.toReversed(), isAll: cursor === undefined };
  });
  const { reload } = load;
  const first = useRef(version);
  useEffect(() => {
    if (version !== first.current) reload();
    first.current = version;
  }, [version]);
  return { load, earlier: () => setMore((before) => before + 1) };
}

function Answering({ store, conversation, sent }: OfConversation & { sent: () => void }) {
  const { id, windowExpiresAt, mergedInto } = conversation;
  const [text, setText] = useState('');
  const key = useRef(newKey());
  const sending = useRef('');
  const acting = useActing(() => {
    // What was written meanwhile stays.
    setText((now) => (now === sending.current ? '' : now));
    key.current = newKey();
    sent();
  });
  const isOpen = windowExpiresAt !== undefined && Date.parse(windowExpiresAt) > Date.now();
  if (mergedInto !== undefined)
    return (
      <p class="note">
        The customer continues in{' '}
        <a href={hrefOf(`/s/${store.workspaceId}/inbox/${mergedInto}`)}>another conversation</a>.
      </p>
    );
  if (!isOpen)
    return (
      <p class="note">
        More than 24 hours since the customer wrote: only an approved template can be sent, by the API’s{' '}
        <code>sendMessage</code>.
      </p>
    );
  const path = 'POST /workspaces/{workspaceId}/conversations/{conversationId}/messages';
  const send = (event: Event): void => {
    event.preventDefault();
    if (text.trim() === '' || acting.busy) return;
    sending.current = text;
    const body = { clientMsgId: key.current, type: 'text', text: text.trim() } as const;
    acting.run(() => act(path, { workspaceId: store.workspaceId, conversationId: id }, body), 'Sent.');
  };
  return (
    <form class="answering" onSubmit={send}>
      <label class="unseen" for="answer">
        Reply
      </label>
      <textarea
        id="answer"
        rows={2}
        dir="auto"
        maxLength={LONGEST}
        placeholder="Reply… (Ctrl+Enter to send)"
        value={text}
        onInput={({ currentTarget }) => setText(currentTarget.value)}
        onKeyDown={(event) => (event.ctrlKey || event.metaKey) && event.key === 'Enter' && send(event)}
      />
      <button type="submit" class="button" disabled={acting.busy || text.trim() === ''}>
        Send
      </button>
      <Outcome acting={acting} />
    </form>
  );
}

/** Orders that began in the conversation, and those of the same customer. */
function Orders({ store, session, conversation, version }: Omit<ThreadProps, 'changed'>) {
  const { workspaceId, timezone } = store;
  const { id, contact } = conversation;
  const load = useLoad(`orders ${id} ${version}`, async () => {
    if (contact.phone === '') return [];
    const query = { phone: contact.phone, limit: PAGE };
    return (await read('/workspaces/{workspaceId}/commerce/orders', { workspaceId }, query)).orders;
  });
  return (
    <aside class="card beside" aria-label="Orders">
      <h2>
        <Own text={contact.name || contact.channelName || contact.phone || 'A customer'} />
      </h2>
      <p class="soft">
        {contact.phone} · {contact.language}
        {contact.tags.length > 0 && ` · ${contact.tags.join(', ')}`}
      </p>
      <Shown load={load} rows={2}>
        {(orders) =>
          orders.length === 0 ? (
            <p class="soft">No orders yet.</p>
          ) : (
            <ul class="led-to">
              {orders.map(({ id: orderId, number, status, totalCents, currency, createdAt, conversationId }) => (
                <li key={orderId}>
                  <a href={hrefOf(`/s/${workspaceId}/orders/${orderId}`)}>#{number}</a> <Chip value={status} />
                  <span class="num">{money(totalCents, currency)}</span>
                  <span class="fine">
                    <When at={createdAt} zone={timezone} />
                    {conversationId !== id && ' · from another conversation'}
                  </span>
                </li>
              ))}
            </ul>
          )
        }
      </Shown>
      {canSee(session, 'console:open') && (
        <p class="actions">
          <a class="button small" href={hrefOf('/events', { stream: `conversation-${id}` })}>
            Events
          </a>
        </p>
      )}
    </aside>
  );
}

interface ConversationProps {
  readonly store: ConsoleStoreBody;
  readonly session: ConsoleSessionBody;
  readonly conversationId: string;
  /** Rises when something has happened in it. */
  readonly version: number;
}

/** Marks the conversation as read while somebody looks at it. */
function useReading({ workspaceId }: ConsoleStoreBody, { id, unreadCount }: Conversation, mayRead: boolean): void {
  useEffect(() => {
    if (mayRead && unreadCount > 0 && document.visibilityState === 'visible')
      void changeConversation(workspaceId, id, { read: true }).catch(() => undefined);
  }, [workspaceId, id, unreadCount, mayRead]);
}

interface ThreadProps extends OfConversation, Omit<ConversationProps, 'conversationId'> {
  changed(): void;
}

function Thread({ store, session, conversation, version, changed }: ThreadProps) {
  const { load, earlier } = useThread({ store, conversation }, version);
  const { members, teams } = usePeople(store).data ?? { members: [], teams: [] };
  const mayAnswer = canChange(session, 'inbox:reply') && conversation.mergedInto === undefined;
  useReading(store, conversation, mayAnswer && session.role !== 'operator');
  const box = useRef<HTMLDivElement>(null);
  const newest = load.data?.messages.at(-1)?.id;
  useEffect(() => {
    if (box.current !== null) box.current.scrollTop = box.current.scrollHeight;
  }, [newest]);
  const nameOf = ({ sentByMemberId }: Message): string | undefined =>
    members.find(({ id }) => id === sentByMemberId)?.name;
  const memberId = session.member?.memberId;
  return (
    <div class="thread card">
      {mayAnswer && <Steering {...{ store, conversation, members, teams, memberId, changed }} />}
      <Shown load={load} rows={6}>
        {({ messages, isAll }) => (
          <div class="messages" ref={box} role="region" tabIndex={0} aria-label="Messages">
            {!isAll && (
              <button type="button" class="button small earlier" onClick={earlier}>
                Earlier messages
              </button>
            )}
            <ol>
              {messages.map((message) => (
                <Bubble key={message.id} message={message} store={store} by={nameOf(message)} />
              ))}
            </ol>
          </div>
        )}
      </Shown>
      {!canChange(session, 'inbox:reply') ? (
        <p class="note">You have read-only access.</p>
      ) : (
        <Answering store={store} conversation={conversation} sent={load.reload} />
      )}
    </div>
  );
}

export function ConversationPage({ store, session, conversationId, version }: ConversationProps) {
  const { workspaceId } = store;
  const path = '/workspaces/{workspaceId}/conversations/{conversationId}';
  const load = useLoad(`conversation ${conversationId}`, () => read(path, { workspaceId, conversationId }));
  const { reload } = load;
  useEffect(() => {
    if (version > 0) reload();
  }, [version]);
  return (
    <Shown load={load} rows={6}>
      {(conversation) => (
        <div class="conversation">
          <Thread {...{ store, session, conversation, version }} changed={reload} />
          <Orders {...{ store, session, conversation, version }} />
        </div>
      )}
    </Shown>
  );
}

export const NoConversation = () => (
  <Empty title="No conversation selected">Select a conversation to read it and to see its orders.</Empty>
);
