/** Reports the number of unread conversations to the page that frames this one. */
import { useEffect, useState } from 'preact/hooks';
import type { ConsoleSessionBody, ConsoleStoreBody } from '../../../api/console/contract.js';
import { read } from '../api/client.js';
import type { Host } from '../embed/host.js';
import { useChanges } from '../ui/changes.js';
import { canSee } from '../ui/permission.js';

/** Conversations that are counted, at most. */
const MOST = 100;

export function useUnread(
  host: Pick<Host, 'post'> | undefined,
  session: ConsoleSessionBody,
  store: ConsoleStoreBody | undefined,
): void {
  const [version, setVersion] = useState(0);
  const workspaceId = store?.workspaceId;
  const isCounted = host !== undefined && workspaceId !== undefined && canSee(session, 'inbox:reply');
  useChanges(session, store, { area: 'channel', isOn: isCounted }, () => setVersion((n) => n + 1));
  useEffect(() => {
    if (!isCounted) return;
    read('/workspaces/{workspaceId}/conversations', { workspaceId }, { limit: MOST }).then(
      ({ conversations }) => host.post('unread', { count: conversations.filter((one) => one.unreadCount > 0).length }),
      () => undefined,
    );
  }, [isCounted, workspaceId, version]);
}
