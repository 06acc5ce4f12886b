/** A link and the session that it opens: the rules, and the read model. */
import { expect } from 'chai';
import type { ConsoleSessionEvent } from '../../domain/console/consoleEvents.js';
import {
  consoleSession,
  endConsoleSession,
  makeConsoleLink,
  openConsoleSession,
} from '../../domain/console/consoleSession.js';
import { consoleSessions } from '../../projections/consoleSessions.js';
import { given } from '../support/spec/given.js';
import { minute } from '../support/spec/givenEvents.js';
import { projectionSpec } from '../support/spec/projectionSpec.js';

const STORE = '00000000-0000-4000-8000-000000000001';
const link = {
  role: 'store',
  workspaceId: STORE,
  linkHash: 'a'.repeat(64),
  linkUntil: '2026-03-01T09:10:00.000Z',
  sessionUntil: '2026-03-01T17:00:00.000Z',
} as const;
const made: ConsoleSessionEvent = { type: 'ConsoleLinkMade', data: link };
const follow = { linkHash: link.linkHash, tokenHash: 'b'.repeat(64), now: '2026-03-01T09:05:00.000Z' };
const opened: ConsoleSessionEvent = {
  type: 'ConsoleSessionOpened',
  data: { role: 'store', workspaceId: STORE, tokenHash: follow.tokenHash, expiresAt: link.sessionUntil },
};
const ended: ConsoleSessionEvent = { type: 'ConsoleSessionEnded', data: { reason: 'signed_out' } };

describe('a link into the console', () => {
  it('opens one session, with the data of the link', () => {
    given(consoleSession).when(makeConsoleLink(link)).then([made]);
    given(consoleSession, made).when(openConsoleSession(follow)).then([opened]);
    given(consoleSession, made, opened).when(openConsoleSession(follow)).thenRefused('console_link_used');
    given(consoleSession, made, opened, ended).when(openConsoleSession(follow)).thenRefused('console_link_used');
  });

  it('is rejected when expired, and with another secret', () => {
    const late = { ...follow, now: link.linkUntil };
    given(consoleSession, made).when(openConsoleSession(late)).thenRefused('console_link_expired');
    const other = { ...follow, linkHash: 'c'.repeat(64) };
    given(consoleSession, made).when(openConsoleSession(other)).thenRefused('console_link_unknown');
    given(consoleSession).when(openConsoleSession(follow)).thenRefused('console_link_unknown');
  });

  it('opens nothing after its end', () => {
    const byOperator: ConsoleSessionEvent = { type: 'ConsoleSessionEnded', data: { reason: 'ended_by_operator' } };
    given(consoleSession, made).when(endConsoleSession('ended_by_operator')).then([byOperator]);
    given(consoleSession, made, ended).when(openConsoleSession(follow)).thenRefused('console_link_used');
    given(consoleSession, ended).when(endConsoleSession('signed_out')).then([]);
  });
});

describe('console sessions', () => {
  it('exist from the link’s use to their end', async () => {
    const spec = projectionSpec(consoleSessions, { stream: 'consoleSession-s1' });
    await spec.given(made).then({});
    const body = {
      role: 'store',
      workspaceId: STORE,
      tokenHash: follow.tokenHash,
      openedAt: minute(1),
      expiresAt: link.sessionUntil,
    };
    await spec.given(made, opened).then({ s1: body });
    await spec.given(made, opened).thenKeys({ s1: { expiresAt: link.sessionUntil } });
    await spec.given(made, opened, ended).then({});
    expect(consoleSessions.categories).to.deep.equal(['consoleSession']);
  });
});
