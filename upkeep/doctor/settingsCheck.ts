/** Every wrong setting at once, and names that look like a setting and are none. */
import { type Env, SettingsError, settingValue } from '../../service/settings/environment.js';
import { SETTINGS, unknownSettings, unknownSettingText } from '../../service/settings/settingNames.js';
import { readSettings, type Settings } from '../../service/settings/settings.js';
import { type Check, type Found, ok, problem, warning } from './finding.js';

const MOST = 20;

/** Settings as far as they can be read, and the sentences about those that cannot. */
export interface SettingsRead {
  /** Without those that are wrong; absent where something that must be set is not. */
  readonly settings?: Settings;
  readonly wrong: readonly { readonly name: string; readonly message: string }[];
}

/** The start names the first wrong setting; here each is taken out in turn, so that all are named. */
export function readAllSettings(env: Env): SettingsRead {
  const left: Record<string, string | undefined> = { ...env };
  const wrong: { name: string; message: string }[] = [];
  while (wrong.length < MOST) {
    try {
      return { settings: readSettings(left), wrong };
    } catch (error) {
      if (!(error instanceof SettingsError)) throw error;
      const name = /[A-Z][A-Z0-9_]+/.exec(error.message)?.[0] ?? '';
      // A setting that is only missing since its removal above has been reported.
      if (!wrong.some((one) => one.name === name)) wrong.push({ name, message: error.message });
      if (settingValue(left, name) === undefined) return { wrong };
      delete left[name];
    }
  }
  return { wrong };
}

const unknownNames = (env: Env): Found[] =>
  unknownSettings(env)
    .slice(0, MOST)
    .map((unknown) =>
      warning(
        'unknown_setting',
        unknownSettingText(unknown),
        'Remove it, or correct its name: see docs/operating/settings.md.',
      ),
    );

export const settingsCheck = (env: Env, { wrong }: SettingsRead): Check => ({
  name: 'settings',
  async run() {
    const found = [
      ...wrong.map(({ message }) =>
        problem('wrong_setting', message, 'Correct the setting: see docs/operating/settings.md.'),
      ),
      ...unknownNames(env),
    ];
    const count = SETTINGS.filter((name) => settingValue(env, name) !== undefined).length;
    return found.length > 0
      ? found
      : [ok('settings_right', `${count} ${count === 1 ? 'setting is' : 'settings are'} set, without errors.`)];
  },
});
