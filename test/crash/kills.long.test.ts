import { expect } from 'chai';
import { temporaryFolder } from '../../harness/service/serviceProcess.js';
import {
  callsGoOut,
  cartsAreOrders,
  filesAreStored,
  limitsHold,
  moneyAddsUp,
  movesAreStored,
  numbersAreExact,
  oneOrderACart,
  productsArePushed,
  productsAreStored,
  tokensAreUsed,
  viewsEqualAFold,
  webhooksCame,
} from './invariants.js';
import { killAgainAndAgain, type Ruins } from './run.js';

describe('kill -9 under a mixed load and next to reading commands, for a minute', function () {
  this.timeout(300_000);
  const folder = temporaryFolder('suuq-crash-');
  let ruins: Ruins;

  before(async () => {
    ruins = await killAgainAndAgain(folder.path, { kills: 1_000, withinMs: 60_000, seed: 20 });
  });

  after(async () => {
    await ruins.close();
    folder.remove();
  });

  it('did some work', () => {
    const { carts, checkedOut, acknowledged, commands } = ruins.ledger;
    expect(commands.run, 'commands').to.be.greaterThan(10);
    for (const [what, done] of Object.entries({ carts, checkedOut, acknowledged }))
      expect(done.size, what).to.be.greaterThan(0);
  });
  it('never stopped the service by itself', () => expect(ruins.ledger.ends).to.deep.equal([]));
  it('failed no command', () => expect(ruins.ledger.failedCommands).to.deep.equal([]));
  it('returned no invalid response', () => expect(ruins.ledger.broken).to.deep.equal([]));

  const invariants = {
    'keeps every acknowledged product change': productsAreStored,
    'turns every cart answered with 200 into an order': cartsAreOrders,
    'creates one order per cart': oneOrderACart,
    'numbers orders without gaps or duplicates': numbersAreExact,
    'has orders with correct totals': moneyAddsUp,
    'exceeds no limit of a promotion': limitsHold,
    'keeps every acknowledged status change of an order': movesAreStored,
    'notifies the endpoint of every order and status change, in order': webhooksCame,
    'makes every outbound call': callsGoOut,
    'pushes every product to the channel catalog': productsArePushed,
    'keeps every acknowledged file': filesAreStored,
    'opens one session per user token': tokensAreUsed,
  };
  for (const [name, invariant] of Object.entries(invariants))
    it(name, async () => expect(await invariant(ruins.shop, ruins.ledger)).to.deep.equal([]));

  it('left read models that equal a fresh build', async () => {
    await ruins.close();
    expect(viewsEqualAFold(folder.path)).to.deep.equal([]);
  });
});
