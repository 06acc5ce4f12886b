/** The contract of every vault. Works on a vault that already contains other data subjects. */
import { randomUUID } from 'node:crypto';
import { expect } from 'chai';
import type { PersonVault } from '../../engine/ports/personVault.js';

export interface OpenedVault {
  readonly vault: PersonVault;
  /** The same data, as read by another thread. */
  reader(): Promise<PersonVault>;
  close(): Promise<void>;
}

const AT = '2025-03-01T10:00:00.000Z';

export function personVaultContract(name: string, open: () => Promise<OpenedVault>): void {
  describe(`vault of people: ${name}`, () => {
    let opened: OpenedVault;
    let vault: PersonVault;
    before(async () => {
      opened = await open();
      vault = opened.vault;
    });
    after(() => opened.close());

    const added = async (...lookups: string[]) => {
      const id = randomUUID();
      await vault.add(
        [{ id, key: `key of ${id}` }],
        lookups.map((lookup) => ({ lookup, person: id })),
      );
      return id;
    };

    it('returns keys and the subjects of a lookup, oldest first', async () => {
      const [phone, user] = [randomUUID(), randomUUID()];
      const first = await added(phone, user);
      const second = await added(phone);
      expect(await vault.links([phone])).to.deep.equal([
        { lookup: phone, person: first },
        { lookup: phone, person: second },
      ]);
      expect((await vault.links([user, randomUUID()])).map(({ person }) => person)).to.deep.equal([first]);
      expect([...(await vault.keys([first, second, randomUUID()]))].sort()).to.deep.equal(
        [first, second].map((id) => [id, `key of ${id}`]).sort(),
      );
      expect(await vault.links([])).to.deep.equal([]);
      expect(await vault.linksOf([first])).to.deep.equal([phone, user].map((lookup) => ({ lookup, person: first })));
    });

    it('adds concurrent subjects, and confirms each once stored', async () => {
      const lookups = Array.from({ length: 30 }, () => randomUUID());
      const reader = await opened.reader();
      await Promise.all(
        lookups.map(async (lookup) => {
          const id = await added(lookup);
          expect((await reader.links([lookup])).map(({ person }) => person)).to.deep.equal([id]);
        }),
      );
      expect(await reader.links(lookups)).to.have.length(lookups.length);
    });

    it('does not overwrite existing entries', async () => {
      const phone = randomUUID();
      const id = await added(phone);
      await vault.add([{ id, key: 'another' }], [{ lookup: phone, person: id }]);
      expect((await vault.keys([id])).get(id)).to.equal(`key of ${id}`);
      expect(await vault.links([phone])).to.have.length(1);
    });

    it('shows its content to another reader at once', async () => {
      const reader = await opened.reader();
      const id = await added(randomUUID());
      expect((await reader.keys([id])).size).to.equal(1);
      await vault.forget([id], AT);
      expect((await reader.keys([id])).size).to.equal(0);
      expect(await reader.forgotten([id])).to.deep.equal(new Set([id]));
      await reader.close();
    });

    it('erases a subject with all its lookups, once', async () => {
      const [phone, user] = [randomUUID(), randomUUID()];
      const [id, other] = [await added(phone, user), await added(phone)];
      const { through } = await allForgotten(0);
      await vault.forget([id], AT);
      await vault.forget([id], AT);
      expect([...(await vault.keys([id, other])).keys()]).to.deep.equal([other]);
      expect((await vault.links([phone, user])).map(({ person }) => person)).to.deep.equal([other]);
      expect(await vault.forgotten([id, other])).to.deep.equal(new Set([id]));
      const since = await allForgotten(through);
      expect(since.persons).to.deep.equal([id]);
      expect((await allForgotten(since.through)).persons).to.deep.equal([]);
    });

    it('seals keys again, and adds nobody while doing so', async () => {
      const [id, nobody] = [await added(), randomUUID()];
      await vault.reseal([
        { id, key: 'sealed anew' },
        { id: nobody, key: 'of nobody' },
      ]);
      expect([...(await vault.keys([id, nobody]))]).to.deep.equal([[id, 'sealed anew']]);
    });

    it('iterates all subjects by their ids', async () => {
      const ids = [await added(), await added(), await added()];
      const found: string[] = [];
      for (let after = ''; ; ) {
        const page = await vault.page(after, 2);
        if (page.length === 0) break;
        found.push(...page.map((one) => one.id));
        after = page.at(-1)!.id;
      }
      expect(found).to.deep.equal([...found].sort());
      expect(found).to.include.members(ids);
    });

    async function allForgotten(from: number) {
      const persons: string[] = [];
      for (let through = from; ; ) {
        const page = await vault.forgottenAfter(through);
        if (page.persons.length === 0) return { persons, through };
        persons.push(...page.persons);
        through = page.through;
      }
    }
  });
}
