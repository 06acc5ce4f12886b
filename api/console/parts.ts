/** What the composition gives the console. Without the console itself, which is loaded when somebody first looks. */
import type { SoundTools } from '../../application/recordings/reading.js';
import type { ConsoleCommands } from './commands.js';
import type { ConsoleAreaBody, ConsoleDemoBody } from './contract.js';
import type { Execute } from './machine.js';

export interface ConsoleParts {
  /** Of this service. */
  readonly version: string;
  /** Areas with what happens in them. */
  readonly areas: readonly ConsoleAreaBody[];
  readonly execute: Execute;
  /** Where the sandbox is, without a slash at its end; absent where the channel is a real one. */
  readonly sandboxUrl?: string;
  /** The demo of this data folder; undefined: it has none. */
  readonly demo?: () => ConsoleDemoBody | undefined;
  /** What `suuq admin` can do. */
  readonly commands: ConsoleCommands;
  /** What calls play, for whoever listens. */
  readonly sounds: Pick<SoundTools, 'fileStore' | 'trouble'>;
}
