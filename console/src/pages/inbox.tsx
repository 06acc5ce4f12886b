/** Conversations of a store, with the open one. */
import { useEffect, useState } from 'preact/hooks';
import type { ConsoleSessionBody, ConsoleStoreBody } from '../../../api/console/contract.js';
import { read } from '../api/client.js';
import { useChanges } from '../ui/changes.js';
import { brief, count, words } from '../ui/format.js';
import { PagedList, Tabs, usePaged } from '../ui/paged.js';
import { Own, When } from '../ui/parts.js';
import { hrefOf, refine, usePlace } from '../ui/router.js';
import { Empty } from '../ui/states.js';
import { type Conversation, ConversationPage, NoConversation } from './conversation.js';

const ROW_PX = 64;
const PAGE = 100;
const TABS = [
  ['', 'All'],
  ['open', 'Open'],
  ['snoozed', 'Snoozed'],
  ['closed', 'Closed'],
] as const;

type Status = 'open' | 'snoozed' | 'closed';

/** Whose conversations are listed. */
const ASSIGNEES = [
  ['', 'Any assignee'],
  ['me', 'Assigned to me'],
  ['none', 'Unassigned'],
] as const;

const nameOf = ({ contact: { name, channelName, phone } }: Conversation): string =>
  name || channelName || phone || 'A customer';

function Row({
  one,
  store,
  index,
  chosen,
}: {
  one: Conversation;
  store: ConsoleStoreBody;
  index: number;
  chosen: boolean;
}) {
  const { query } = usePlace();
  const { lastMessage, unreadCount, lastMessageAt, pinned, status } = one;
  const text = lastMessage?.deleted ? 'deleted' : lastMessage?.text || words(lastMessage?.type ?? '');
  return (
    <div
      class={`row cells inbox-cells ${chosen ? 'here' : ''}`}
      role="row"
      aria-rowindex={index + 1}
      style={{ height: `${ROW_PX}px` }}
    >
      <span role="cell" class="who">
        <a
          class="whole"
          aria-current={chosen ? 'true' : undefined}
          href={hrefOf(`/s/${store.workspaceId}/inbox/${one.id}`, { status: query.get('status') ?? undefined })}
        >
          <Own text={nameOf(one)} />
        </a>
        <small class="soft">
          {lastMessage?.direction === 'outbound' && '↩ '}
          <Own text={text} />
        </small>
      </span>
      <span role="cell" class="when fine">
        <When at={lastMessageAt} zone={store.timezone} text={brief(lastMessageAt, store.timezone)} />
        <small>
          {unreadCount > 0 && (
            <b class="unread">
              {count(unreadCount)} <span class="unseen">unread</span>
            </b>
          )}{' '}
          {pinned && 'pinned'} {status !== 'open' && status}
        </small>
      </span>
    </div>
  );
}

/** Rises as something happens in the store's conversations: `list` in any, `one` in the one that is read. */
function useVersions(session: ConsoleSessionBody, store: ConsoleStoreBody, conversationId: string | undefined) {
  const [versions, setVersions] = useState({ list: 0, one: 0 });
  useChanges(session, store, { area: 'channel' }, (touches) => {
    const isRead = touches(`conversation-${conversationId}`);
    setVersions(({ list, one }) => ({ list: list + 1, one: isRead ? one + 1 : one }));
  });
  return versions;
}

interface InboxProps {
  readonly store: ConsoleStoreBody;
  readonly session: ConsoleSessionBody;
  readonly conversationId: string | undefined;
}

export function Inbox({ store, session, conversationId }: InboxProps) {
  const { query } = usePlace();
  const { workspaceId, timezone } = store;
  const status = query.get('status') ?? '';
  const assignee = query.get('assignee') ?? '';
  const versions = useVersions(session, store, conversationId);
  const list = usePaged<Conversation>(`${workspaceId} ${status} ${assignee}`, async (cursor) => {
    const filters = { ...(status && { status: status as Status }), ...(assignee && { assignee }) };
    const requested = { ...filters, limit: PAGE, ...(cursor && { cursor }) };
    const page = await read('/workspaces/{workspaceId}/conversations', { workspaceId }, requested);
    return { rows: page.conversations, next: page.next };
  });
  const { fresh } = list;
  useEffect(() => {
    if (versions.list > 0) fresh(({ id }) => id);
  }, [versions.list]);
  return (
    <section class="page fill inbox">
      <header class="title">
        <h1>Inbox</h1>
        <p class="fine">pinned first, then the latest · times in {timezone}</p>
        {conversationId !== undefined && (
          <a class="button small back" href={hrefOf(`/s/${workspaceId}/inbox`, { status: status || undefined })}>
            All conversations
          </a>
        )}
      </header>
      <Tabs label="Status" chosen={status} tabs={TABS} choose={(one) => refine({ status: one })} />
      {session.member !== undefined && (
        <Tabs label="Assigned to" chosen={assignee} tabs={ASSIGNEES} choose={(one) => refine({ assignee: one })} />
      )}
      <div class={conversationId === undefined ? 'inbox-columns' : 'inbox-columns reading'}>
        <PagedList
          of={list}
          label="Conversations"
          height={ROW_PX}
          head={null}
          row={(one, i) => <Row key={one.id} one={one} store={store} index={i} chosen={one.id === conversationId} />}
          empty={
            <Empty title={status === '' ? 'No conversations yet' : 'No matching conversations'}>
              The first message of a customer appears here.
            </Empty>
          }
        />
        {conversationId === undefined ? (
          <NoConversation />
        ) : (
          <ConversationPage
            key={conversationId}
            store={store}
            session={session}
            conversationId={conversationId}
            version={versions.one}
          />
        )}
      </div>
    </section>
  );
}
