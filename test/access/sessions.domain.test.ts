/** Decisions of a session, and the views of its tokens. */
import { expect } from 'chai';
import fc from 'fast-check';
import { sessionEndings } from '../../application/access/sessionEndings.js';
import {
  endSession,
  leaveStore,
  MAX_TOKENS,
  openSession,
  refreshSession,
  type Session,
  session,
} from '../../domain/access/session.js';
import type { SessionEvent, SessionTerms } from '../../domain/access/sessionEvents.js';
import type { DomainError } from '../../domain/decider.js';
import { foldEvent, type View } from '../../engine/projections/projection.js';
import { type SessionDocument, sessionStores, sessions } from '../../projections/sessions.js';
import { given, specMeta, stateAfter } from '../support/spec/given.js';
import { minute } from '../support/spec/givenEvents.js';
import { processorSpec } from '../support/spec/processorSpec.js';

const ID = '00000000-0000-4000-8000-0000000000a0';
const STORES = ['1', '2', '3'].map((digit) => `00000000-0000-4000-8000-00000000000${digit}`);
const START = Date.parse('2026-03-01T08:00:00Z');
const at = (minutes: number): string => new Date(START + minutes * 60_000).toISOString();

const terms = (stores = STORES): SessionTerms => ({
  mode: 'live',
  userId: ID,
  partnerId: ID,
  publishableKey: { keyId: 'pk', hash: 'hash-pk' },
  signingKey: { keyId: 'sk', hash: 'hash-sk' },
  stores: stores.map((workspaceId) => ({ workspaceId, memberId: `member-${workspaceId}`, externalRef: workspaceId })),
  refreshUntil: at(30 * 24 * 60),
});
const opened = (stores?: string[]): SessionEvent => ({
  type: 'SessionOpened',
  data: { ...terms(stores), tokenHash: 't0', expiresAt: at(15) },
});
const refresh = (from: string, tokenHash: string, minutes: number) =>
  refreshSession({ from, tokenHash, now: at(minutes), expiresAt: at(minutes + 15), fromUntil: at(minutes + 1) });

describe('the end of a session that can no longer be refreshed', () => {
  const spec = processorSpec<object>(() =>
    sessionEndings({ caughtUp: async () => undefined, eventStore: {} as never }),
  );

  it('waits for a confirmed clock', async () => {
    const expiring = () => spec.given({ stream: `session-${ID}`, ...opened() });
    const ms = 800 * 24 * 3_600_000;
    const unconfirmedMs = 3_600_000;
    const outcome = { again: { at: Date.parse(minute(1)) + ms + unconfirmedMs } };
    await expiring().when('expire', {}, { ms, unconfirmedMs }).then({ events: [], outcome });
    await expiring()
      .when('expire', {}, { ms })
      .then({ events: [{ stream: `session-${ID}`, type: 'SessionEnded', data: { reason: 'expired' } }] });
  });
});

describe('session rules', () => {
  it('opens it once', () => {
    const command = { ...terms(), tokenHash: 't0', expiresAt: at(15) };
    given(session).when(openSession(command)).then([opened()]);
    given(session, opened()).when(openSession(command)).then([]);
  });

  it("shortens the token's lifetime near the end, and never extends it", () => {
    const data = { tokenHash: 't1', expiresAt: at(25), from: 't0', fromUntil: at(11), forgotten: [] };
    given(session, opened())
      .when(refresh('t0', 't1', 10))
      .then([{ type: 'SessionRefreshed', data }]);
    const late = { ...data, expiresAt: at(35), fromUntil: at(15) };
    given(session, opened())
      .when(refresh('t0', 't1', 20))
      .then([{ type: 'SessionRefreshed', data: late }]);
  });

  it('rejects unknown tokens, and any after 30 days or the end', () => {
    given(session, opened())
      .when(refresh('t9', 't1', 1))
      .thenRefused('session_ended');
    given(session)
      .when(refresh('t0', 't1', 1))
      .thenRefused('session_ended');
    given(session, opened())
      .when(refresh('t0', 't1', 30 * 24 * 60))
      .thenRefused('session_ended');
    const ended: SessionEvent = { type: 'SessionEnded', data: { reason: 'signed_out', left: STORES } };
    given(session, opened(), ended)
      .when(refresh('t0', 't1', 1))
      .thenRefused('session_ended');
    given(session, opened(), ended).when(endSession('expired')).then([]);
    given(session, opened(), ended).when(leaveStore(STORES[0]!, 'store_closed')).then([]);
  });

  it('ends it with its last store', () => {
    const [first, second] = STORES as [string, string];
    const left: SessionEvent = { type: 'SessionLeftStore', data: { workspaceId: first, reason: 'store_closed' } };
    const pair = opened([first, second]);
    given(session, pair).when(leaveStore(first, 'store_closed')).then([left]);
    given(session, pair, left).when(leaveStore(first, 'store_closed')).then([]);
    given(session, pair, left)
      .when(leaveStore(second, 'member_disabled'))
      .then([{ type: 'SessionEnded', data: { reason: 'member_disabled', left: [second] } }]);
  });
});

/** Returns the views after these events, by document id. */
function views(events: readonly SessionEvent[]) {
  const found = { tokens: new Map<string, View<SessionDocument> | undefined>(), stores: new Map() };
  for (const [revision, event] of events.entries()) {
    const stored = {
      ...event,
      id: `e-${revision}`,
      meta: specMeta,
      stream: `session-${ID}`,
      revision,
      position: revision,
    };
    foldEvent(sessions, found.tokens, stored);
    foldEvent(sessionStores, found.stores, stored);
  }
  return { session: found.tokens.get(ID)?.body, stores: [...found.stores.values()].filter((one) => one !== undefined) };
}

function isShown(events: readonly SessionEvent[], state: Session): void {
  const shown = views(events);
  if (state.status !== 'open') {
    expect([shown.session, shown.stores]).to.deep.equal([undefined, []]);
    return;
  }
  expect(state.tokens.length).to.be.at.most(MAX_TOKENS);
  expect(shown.session?.tokens).to.deep.equal(state.tokens);
  expect(shown.stores.map(({ body }) => body.workspaceId)).to.have.members(state.workspaceIds);
  expect(shown.session?.stores.map(({ workspaceId }) => workspaceId)).to.deep.equal(state.workspaceIds);
}

/** Step of a session: present one of the issued tokens, or leave a store. */
const step = fc.oneof(
  { weight: 9, arbitrary: fc.record({ shown: fc.nat(40) }) },
  { weight: 1, arbitrary: fc.record({ leave: fc.constantFrom(...STORES) }) },
);

interface Given {
  readonly hash: string;
  readonly from?: string;
}

/** Presents an issued token. The session refreshes the token unless a token derived from it was already refreshed. */
function refreshOne(events: SessionEvent[], given: Given[], refreshed: Set<string>, turn: number, shown: Given): void {
  const hash = `t${given.length}`;
  const isOver = given.some((token) => token.from === shown.hash && refreshed.has(token.hash));
  const before = stateAfter(session, events);
  const isKnown = before.status === 'open' && before.tokens.some((token) => token.tokenHash === shown.hash);
  try {
    events.push(...refresh(shown.hash, hash, turn)(before));
  } catch (error) {
    expect((error as DomainError).code).to.equal('session_ended');
    expect(isKnown).to.equal(false);
    return;
  }
  expect(isOver, 'its successor was refreshed').to.equal(false);
  refreshed.add(shown.hash);
  given.push({ hash, from: shown.hash });
}

describe('a session through any sequence of refreshes', () => {
  it('always continues with its newest token, stores few, and matches its view', () => {
    fc.assert(
      fc.property(fc.array(step, { maxLength: 60 }), (steps) => {
        const events: SessionEvent[] = [opened()];
        const given: Given[] = [{ hash: 't0' }];
        const refreshed = new Set<string>();
        for (const [turn, one] of steps.entries()) {
          const state = stateAfter(session, events);
          if (state.status !== 'open') break;
          if ('leave' in one) events.push(...leaveStore(one.leave, 'store_closed')(state));
          else refreshOne(events, given, refreshed, turn, given[one.shown % given.length]!);
        }
        const last = stateAfter(session, events);
        if (last.status === 'open')
          expect(last.tokens.some((token) => token.tokenHash === given.at(-1)!.hash)).to.equal(true);
        isShown(events, last);
      }),
      { numRuns: 300, seed: 11 },
    );
  });
});
