import { endSession, session } from '../../../domain/access/session.js';
import { operation } from '../../contract/operation.js';

/** Every token of the session opens nothing from the answer on. */
export const endSDKSession = operation({
  id: 'endSDKSession',
  route: 'DELETE {S}/current',
  summary: 'Ends the session: its user signs out.',
  tag: 'SDK sessions',
  scope: null,
  feature: null,
  credential: 'session',
  answers: { 204: null },
  async handle({ principal, commands, read, services }) {
    const { sessionId } = principal.session!;
    await commands.decide(session, sessionId, endSession('signed_out'));
    await read.shown();
    services.directory.forget({ sessionId });
    return { status: 204 };
  },
});
