/** docs/reference/cli.md is what the commands declare. */
import { expect } from 'chai';
import { cliCommands } from '../../cli/commands/index.js';
import { commandsPage, recordedPage } from '../support/generators/commandsPage.js';

describe('the page of all commands', () => {
  it('matches the declarations', () => {
    expect(recordedPage(), 'npm run commands writes it anew').to.equal(commandsPage());
  });

  it('has every command', () => {
    for (const { words, about } of cliCommands)
      expect(recordedPage())
        .to.include(`\`suuq ${words.join(' ')}`)
        .and.include(about.replaceAll('|', '\\|'));
  });

  it('describes each command in the imperative in at most 70 characters', () => {
    const others = cliCommands.filter(({ about }) => about.length > 70 || !/^[A-Z][a-z]*[a-rt-z] /.test(about));
    expect(others.map(({ about }) => about)).to.deep.equal([]);
  });
});
