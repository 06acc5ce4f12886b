/** Users of a partner whom no path could name. */
import { expect } from 'chai';
import { addMember } from '../../domain/access/memberChanges.js';
import type { MemberEvent } from '../../domain/access/memberEvents.js';
import { joinFromPartner } from '../../domain/access/memberJoining.js';
import { members } from '../../domain/access/members.js';
import { given } from '../support/spec/given.js';
import { ASHA, BILE, memberAdded } from '../support/spec/people.js';

describe('a partner’s user id that cannot appear in a path', () => {
  for (const sub of ['.', '..']) {
    const { memberId, userId, name, role } = BILE;
    const join = joinFromPartner(
      { memberId, userId, sub, name, role, teamsAt: 'stores[0].teams' },
      { most: undefined },
    );

    it(`is not linked as ${sub}`, () => {
      const { problems } = given(members, memberAdded(ASHA)).when(join).thenRefused('user_token_invalid');
      expect(problems.map(({ location }) => location)).to.deep.equal(['userToken.sub']);
    });

    it(`is not added by the operator as ${sub}`, () => {
      const add = addMember({ ...BILE, partnerUserId: sub }, { most: undefined });
      const { problems } = given(members, memberAdded(ASHA)).when(add).thenRefused('validation_failed');
      expect(problems.map(({ location }) => location)).to.deep.equal(['partnerUserId']);
    });

    it(`keeps working as ${sub} if already linked`, () => {
      const linked: MemberEvent = memberAdded({ ...BILE, partnerUserId: sub });
      given(members, linked).when(join).then([]);
    });
  }
});
