/** A form for a new or edited template: its parts, an example for each variable, and a preview. */
import { useState } from 'preact/hooks';
import { act } from '../api/client.js';
import type { Schemas } from '../api/openapi.js';
import { FormEnd } from '../ui/actions.js';
import { useSending } from '../ui/sending.js';
import { faultAt, TextField } from '../ui/textField.js';
import {
  type Draft,
  definitionOf,
  draftOf,
  filled,
  HEADERS,
  isMedia,
  LANGUAGES,
  NEW_DRAFT,
  OF_HEADER,
  otherButtons,
  variablesOf,
} from './templateDraft.js';
import { AsRead } from './templateParts.js';
import { Sample } from './templateSample.js';

const TEMPLATES = '/workspaces/{workspaceId}/templates';

interface FormProps {
  readonly workspaceId: string;
  /** The one that is edited; a new one when absent. */
  readonly template?: Schemas['TemplateBody'];
  done(): void;
  away(): void;
}

/** Fields of the form, by the places in the API's problems. */
const PLACES = {
  name: /^body\.name/,
  language: /^body\.language/,
  header: /^body\.definition\.header/,
  body: /^body\.definition\.body/,
  footer: /^body\.definition\.footer/,
  replies: /^body\.definition\.buttons/,
} as const;

interface ExamplesProps {
  readonly draft: Draft;
  exemplify(variable: string): (value: string) => void;
}

/** A field with an example for each variable. */
function Examples({ draft, exemplify }: ExamplesProps) {
  const variables = [
    ...variablesOf(draft.body).map((name) => [name, name] as const),
    ...variablesOf(draft.headerFormat === 'text' ? draft.header : '').map(
      (name) => [`${OF_HEADER}${name}`, `${name} of the header`] as const,
    ),
  ];
  return variables.map(([variable, called]) => (
    <TextField
      key={variable}
      {...{
        id: `template-example-${variable.replace(' ', '-')}`,
        name: `example-${variable.replace(' ', '-')}`,
        label: `Example of ${called}`,
        most: 200,
        required: true,
      }}
      about="For the provider’s review."
      value={draft.examples[variable] ?? ''}
      change={exemplify(variable)}
    />
  ));
}

export function TemplateForm({ workspaceId, template, done, away }: FormProps) {
  const [draft, setDraft] = useState<Draft>(() => (template === undefined ? NEW_DRAFT : draftOf(template)));
  const sending = useSending();
  const { busy, error, renew } = sending;
  const retained = template?.definition;
  const definition = definitionOf(draft, retained);
  const set = (part: keyof Draft) => (value: string | undefined) => {
    renew();
    setDraft((before) => ({ ...before, [part]: value }));
  };
  const exemplify = (variable: string) => (value: string) => {
    renew();
    setDraft((before) => ({ ...before, examples: { ...before.examples, [variable]: value } }));
  };
  const faultOf = (part: keyof typeof PLACES): string | undefined => faultAt(error?.faults, PLACES[part]);
  const send = (event: SubmitEvent): void => {
    const { name, language, category } = draft;
    const request = (once: string): Promise<unknown> =>
      template === undefined
        ? act(`POST ${TEMPLATES}`, { workspaceId }, { name: name.trim(), language, category, definition }, {}, once)
        : act(`PATCH ${TEMPLATES}/{templateId}`, { workspaceId, templateId: template.id }, { definition, category });
    sending.send(event, request, done);
  };
  const others = retained === undefined ? 0 : otherButtons(retained).length;
  const text = (part: 'name' | 'header' | 'body' | 'footer' | 'replies') => ({
    ...{ id: `template-${part}`, name: part, value: draft[part], fault: faultOf(part), change: set(part) },
  });
  return (
    <form
      class="card command template-form"
      onSubmit={send}
      aria-label={template ? `Edit ${draft.name}` : 'New template'}
    >
      <h2>{template === undefined ? 'New template' : `Edit ${draft.name}`}</h2>
      <div class="command-fields">
        {template === undefined && (
          <>
            <TextField
              {...text('name')}
              {...{
                label: 'Name',
                about: 'Lowercase letters, digits and _.',
                most: 512,
                required: true,
                pattern: '[a-z0-9_]+',
              }}
            />
            <TextField
              {...{
                id: 'template-language',
                name: 'language',
                value: draft.language,
                fault: faultOf('language'),
                change: set('language'),
              }}
              {...{ label: 'Language', most: 16, required: true }}
              about={`In the channel’s format, such as ${LANGUAGES.join(', ')}.`}
            />
          </>
        )}
        <div class="field">
          <label for="template-category">Category</label>
          <select
            id="template-category"
            value={draft.category}
            onChange={({ currentTarget }) => set('category')(currentTarget.value)}
          >
            <option value="utility">utility: about an order or account</option>
            <option value="marketing">marketing: offers and news</option>
          </select>
        </div>
        <div class="field">
          <label for="template-header-format">Header</label>
          <select
            id="template-header-format"
            value={draft.headerFormat}
            onChange={({ currentTarget }) => {
              set('headerFormat')(currentTarget.value);
              set('sampleFileId')(undefined);
            }}
          >
            {Object.entries(HEADERS).map(([format, called]) => (
              <option key={format} value={format}>
                {called}
              </option>
            ))}
          </select>
        </div>
        {draft.headerFormat === 'text' && (
          <TextField {...text('header')} {...{ label: 'Header line', about: 'At most one variable.', most: 60 }} />
        )}
        {isMedia(draft.headerFormat) && (
          <Sample
            key={draft.headerFormat}
            workspaceId={workspaceId}
            format={draft.headerFormat}
            fileId={draft.sampleFileId}
            fault={faultOf('header')}
            change={set('sampleFileId')}
          />
        )}
        <TextField
          {...text('footer')}
          {...{ label: 'Footer', about: 'Shown below the text, in small type.', most: 60 }}
        />
      </div>
      <div class="template-said">
        <div class="command-fields one">
          <TextField
            {...text('body')}
            {...{ label: 'Text', most: 1024, rows: 5, required: true }}
            about="Variables are {{1}}, {{2}}, or {{names}}."
          />
          <TextField {...text('replies')} {...{ label: 'Quick replies', about: 'One per line.', most: 300, rows: 2 }} />
          <Examples {...{ draft, exemplify }} />
        </div>
        <section aria-label="Preview">
          <p class="fine">Preview</p>
          <AsRead
            workspaceId={workspaceId}
            definition={{
              ...definition,
              ...(definition.header?.format === 'text' && {
                header: { ...definition.header, text: filled(draft.header, draft.examples, OF_HEADER) },
              }),
              body: { text: filled(draft.body, draft.examples) },
            }}
          />
          {others > 0 && <p class="fine">The template’s other buttons do not change.</p>}
        </section>
      </div>
      <FormEnd submit={template === undefined ? 'Submit for review' : 'Submit the edit'} {...{ busy, error, away }} />
    </form>
  );
}
