/** The picture, video or document that a template's header shows as its sample: uploaded when it is chosen, by the API's operation. */
import { useRef, useState } from 'preact/hooks';
import { act, type Failed, newKey } from '../api/client.js';
import type { Schemas } from '../api/openapi.js';
import { bytes, words } from '../ui/format.js';
import { asFailed } from '../ui/load.js';
import { Own } from '../ui/parts.js';
import type { MediaFormat } from './templateDraft.js';

/** For the browser's own choice of files; what a file really is the service finds out. */
const ACCEPTED: Readonly<Record<MediaFormat, readonly [accept: string, about: string]>> = {
  image: ['image/jpeg,image/png', 'JPEG or PNG, at most 5 MB.'],
  video: ['video/mp4,video/3gpp', 'MP4 or 3GP, at most 16 MB.'],
  document: ['.pdf,.doc,.docx,.xls,.xlsx,.ppt,.pptx,.txt', 'PDF, an office document or plain text, at most 100 MB.'],
};

interface SampleProps {
  readonly workspaceId: string;
  readonly format: MediaFormat;
  readonly fileId: string | undefined;
  /** Problem reported by the API. */
  readonly fault: string | undefined;
  change(fileId: string | undefined): void;
}

type Uploaded = Schemas['FileBody'];

export function Sample({ workspaceId, format, fileId, fault, change }: SampleProps) {
  const [busy, setBusy] = useState(false);
  const [error, setError] = useState<Failed | string>();
  const [file, setFile] = useState<Uploaded>();
  /** Another file may have been chosen meanwhile: only the last one counts. */
  const turn = useRef(0);
  const upload = (chosen: File | undefined): void => {
    turn.current += 1;
    const mine = turn.current;
    setError(undefined);
    setFile(undefined);
    setBusy(chosen !== undefined);
    change(undefined);
    if (chosen === undefined) return;
    const form = new FormData();
    form.set('file', chosen, chosen.name);
    act('POST /workspaces/{workspaceId}/files', { workspaceId }, form, {}, newKey()).then(
      (taken) => {
        if (mine !== turn.current) return;
        setBusy(false);
        if (taken.kind !== format) return setError(`${taken.name} is of the kind ${taken.kind}, not ${format}.`);
        setFile(taken);
        change(taken.id);
      },
      (failure: unknown) => {
        if (mine !== turn.current) return;
        setBusy(false);
        setError(asFailed(failure));
      },
    );
  };
  const [accept, about] = ACCEPTED[format];
  const wrong = typeof error === 'string' ? error : (error?.faults[0]?.message ?? error?.message ?? fault);
  return (
    <div class="field">
      <label for="template-sample">
        Sample {format} <span class="fine">required</span>
      </label>
      <input
        id="template-sample"
        type="file"
        name="sample"
        accept={accept}
        aria-describedby="template-sample-about"
        aria-invalid={wrong !== undefined}
        onChange={({ currentTarget }) => upload(currentTarget.files?.[0])}
      />
      <p class="fine" id="template-sample-about">
        {wrong !== undefined && <span class="bad">{wrong} </span>}
        {about} For the provider’s review. The file for the customer is chosen when the message is sent.
      </p>
      <p class="fine" role="status">
        {busy && 'Uploading…'}
        {file !== undefined && (
          <>
            {words(file.kind)} <Own text={file.name} />, {bytes(file.size)}, is uploaded.
          </>
        )}
        {!busy && file === undefined && fileId !== undefined && 'A sample is stored. Choose a file to replace it.'}
      </p>
    </div>
  );
}
