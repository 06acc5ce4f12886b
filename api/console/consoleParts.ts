/** Dependencies of the console, given by the composition. The console itself is loaded with its first request. */
import type { SoundTools } from '../../application/recordings/recordingUploads.js';
import type { ConsoleCommands } from './commands.js';
import type { ConsoleAreaBody, ConsoleDemoBody } from './contract.js';
import type { Execute } from './machine.js';

export interface ConsoleParts {
  /** Version of this service. */
  readonly version: string;
  /** Areas with what happens in them. */
  readonly areas: readonly ConsoleAreaBody[];
  readonly execute: Execute;
  /** Address of the sandbox, without a slash at its end; absent where the channel is a real one. */
  readonly sandboxUrl?: string;
  /** The demo of this data folder; undefined: it has none. */
  readonly demo?: () => ConsoleDemoBody | undefined;
  /** The commands of `suuq admin`. */
  readonly commands: ConsoleCommands;
  /** Sounds that calls play. */
  readonly sounds: Pick<SoundTools, 'fileStore' | 'trouble'>;
}
