/** An endpoint whose host nobody knows at the moment. */
import { expect } from 'chai';
import { problemOf } from '../../api/contract/problems.js';
import { isPassing } from '../../api/http/outcome.js';
import { HostUnknown } from '../../application/ports/webhookSender.js';
import { checkUrl } from '../../application/webhooks/endpoints.js';

const silent = { check: () => Promise.reject(new HostUnknown()) };

describe('the URL of an endpoint, while name servers do not answer', () => {
  it('is not rejected as invalid, and the request may be repeated with its Idempotency-Key', async () => {
    const failure = await checkUrl(silent, 'https://hooks.test/').catch((error) => error);
    const answer = problemOf(failure, 'https://suuq.test', 'r');
    expect([answer.problem.status, answer.problem.code]).to.deep.equal([503, 'unavailable']);
    expect(answer.headers).to.have.property('retry-after');
    expect(isPassing(answer)).to.equal(true);
  });
});
