/** What customers read of a template. */
import { Own } from '../ui/parts.js';
import type { Definition } from './templateDraft.js';

export function AsRead({ definition: { header, body, footer, buttons = [] } }: { definition: Definition }) {
  return (
    <blockquote class="template">
      {header?.text !== undefined && header.text !== '' && (
        <p>
          <b>
            <Own text={header.text} />
          </b>
        </p>
      )}
      {header !== undefined && header.format !== 'text' && <p class="fine">{header.format}</p>}
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
