/** Instances, engines and disk space, as in `suuq status`. */
import { readConsole } from '../api/client.js';
import { bytes, count, span, words } from '../ui/format.js';
import { useLoad } from '../ui/load.js';
import { Chip, Waiting, When } from '../ui/parts.js';
import { Shown } from '../ui/states.js';
import { type Column, Table } from '../ui/table.js';

const COLUMNS: readonly Column[] = [
  { name: 'Instance' },
  { name: 'Version' },
  { name: 'Up' },
  { name: 'Address' },
  { name: 'Roles' },
];

const named = (what: string, names: readonly string[]): string =>
  names.length === 0 ? '' : ` · ${what}: ${names.join(', ')}`;

const SETTINGS: readonly Column[] = [{ name: 'Setting' }, { name: 'Value' }, { name: 'Configured' }];

function Settings() {
  const load = useLoad('settings', () => readConsole('/settings'));
  return (
    <section class="card">
      <h2>Effective settings</h2>
      <p class="fine">Settings of the responding instance. Secrets are not shown. Defaults are grey.</p>
      <Shown load={load} rows={6}>
        {({ settings }) => (
          <Table label="Effective settings" columns={SETTINGS}>
            {settings.map(({ name, value, isSet }) => (
              <tr key={name}>
                <th scope="row">
                  <code>{name}</code>
                </th>
                <td class={isSet ? 'url' : 'url soft'}>{value}</td>
                <td>{isSet ? <Chip value="set" label="set" /> : <span class="fine">no</span>}</td>
              </tr>
            ))}
          </Table>
        )}
      </Shown>
    </section>
  );
}

export function Instances() {
  const load = useLoad('status', () => readConsole('/status'));
  return (
    <section class="page">
      <header class="title">
        <h1>Instances</h1>
        <button type="button" class="button small" disabled={load.loading} onClick={load.reload}>
          Refresh
        </button>
      </header>
      <Shown load={load} rows={6}>
        {({ instances, engines, damaged, projections, processors, storage }) => (
          <>
            {damaged.map(({ code, sentence, remedy }) => (
              <p key={code} class="stopped" role="alert">
                <code>{code}</code> {sentence} {remedy}
              </p>
            ))}
            <Waiting all={[...projections.waiting, ...processors.waiting]} />
            <section class="card">
              <h2>Running instances</h2>
              <Table label="Running instances" columns={COLUMNS}>
                {instances.map(({ name, version, uptimeSeconds, startedAt, address, roles }) => (
                  <tr key={name}>
                    <th scope="row">{name}</th>
                    <td>{version}</td>
                    <td>
                      <When at={startedAt} text={span(uptimeSeconds * 1000)} />
                    </td>
                    <td class="url">{address}</td>
                    <td>{roles.join(', ')}</td>
                  </tr>
                ))}
              </Table>
            </section>
            <section class="card">
              <h2>Engines</h2>
              <dl class="facts">
                {engines.map(({ name, engine, ok, detail }) => (
                  <div key={name}>
                    <dt>{words(name)}</dt>
                    <dd>
                      {engine} <Chip value={ok ? 'running' : 'failed'} label={ok ? 'available' : 'unavailable'} />{' '}
                      {detail}
                    </dd>
                  </div>
                ))}
                <div>
                  <dt>Read models</dt>
                  <dd>
                    {projections.count}, largest lag {count(projections.lag)} events
                    {named('stopped', projections.stopped)}
                    {named('being built', projections.rebuilding)}
                  </dd>
                </div>
                <div>
                  <dt>Processors</dt>
                  <dd>
                    {processors.count},{' '}
                    {processors.owed === undefined ? 'backlog unknown' : `${count(processors.owed)} pending effects`}
                    {named('late', processors.late)}
                    {named('stopped', processors.stopped)}
                  </dd>
                </div>
                <div>
                  <dt>Files</dt>
                  <dd>
                    {bytes(storage.bytes)} in {count(storage.items)} files and recordings
                  </dd>
                </div>
                {storage.disks.map(({ name, free, total }) => (
                  <div key={name}>
                    <dt>Disk of {name}</dt>
                    <dd>
                      {free === undefined || total === undefined ? 'unknown' : `${bytes(free)} of ${bytes(total)} free`}
                    </dd>
                  </div>
                ))}
              </dl>
            </section>
          </>
        )}
      </Shown>
      <Settings />
    </section>
  );
}
