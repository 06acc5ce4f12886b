/** The preview of a template. */
import { bytesUrl } from '../api/client.js';
import { words } from '../ui/format.js';
import { Own } from '../ui/parts.js';
import type { Definition } from './templateDraft.js';

type Header = NonNullable<Definition['header']>;

/** The header: its sample, if the store has it. */
function Above({ header: { format, sampleFileId }, workspaceId }: { header: Header; workspaceId: string }) {
  const called = `${words(format)} of the header`;
  if (sampleFileId === undefined) return <p class="fine">{called}</p>;
  const url = bytesUrl('/workspaces/{workspaceId}/files/{fileId}', { workspaceId, fileId: sampleFileId });
  if (format === 'image') return <img class="photo" src={url} alt={called} loading="lazy" />;
  if (format === 'video')
    // biome-ignore lint/a11y/useMediaCaption: a sample that a store uploaded
    return <video class="photo" controls preload="metadata" src={url} aria-label={called} />;
  return (
    <p>
      <a href={url} download>
        {called}
      </a>
    </p>
  );
}

interface AsReadProps {
  readonly definition: Definition;
  readonly workspaceId: string;
}

export function AsRead({ definition: { header, body, footer, buttons = [] }, workspaceId }: AsReadProps) {
  return (
    <blockquote class="template">
      {header?.text !== undefined && header.text !== '' && (
        <p>
          <b>
            <Own text={header.text} />
          </b>
        </p>
      )}
      {header !== undefined && header.format !== 'text' && <Above header={header} workspaceId={workspaceId} />}
      {body.text !== undefined && (
        <p class="said">
          <Own text={body.text} />
        </p>
      )}
      {footer !== undefined && (
        <p class="fine">
          <Own text={footer.text ?? ''} />
        </p>
      )}
      {buttons.length > 0 && (
        <p class="template-buttons">
          {buttons.map((button, i) => (
            <span key={i}>
              <Own text={button.text ?? button.type} />
            </span>
          ))}
        </p>
      )}
    </blockquote>
  );
}
