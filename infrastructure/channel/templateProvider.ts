import { ProviderError } from '../../application/ports/catalogProvider.js';
import type { SampleFile, TemplateAccount, TemplateProvider } from '../../application/ports/templateProvider.js';
import { defined } from '../../domain/defined.js';
import { createProviderHttp, type ProviderHttp, type ProviderOptions, part } from './providerHttp.js';
import { pagesOf } from './providerPages.js';
import { templateComponents } from './templateComponents.js';
import { categoryOf, idOf, isNamed, listedTemplate, submittedStatus } from './templateReading.js';

const FIELDS = 'id,name,language,status,category,parameter_format,components,quality_score,rejected_reason';
const PAGE = 100;
/** More than an account may have. */
const MOST_PAGES = 100;
/** For the bytes of a sample, in ms. */
const UPLOAD_MS = 120_000;

const templatesOf = ({ businessAccountId }: TemplateAccount): string => `/${part(businessAccountId)}/message_templates`;

async function rowsOf(
  http: ProviderHttp,
  account: TemplateAccount,
  filter: string,
  signal?: AbortSignal,
): Promise<unknown[]> {
  const { accessToken } = account;
  const path = `${templatesOf(account)}?fields=${FIELDS}&limit=${PAGE}${filter}`;
  const rows: unknown[] = [];
  for await (const page of pagesOf(http, { path, what: 'templates', mostPages: MOST_PAGES, accessToken, signal }))
    rows.push(...page);
  return rows;
}

/** The provider's templates over its HTTP protocol. */
export function createTemplateProvider(options: ProviderOptions): TemplateProvider & { close(): Promise<void> } {
  const http = createProviderHttp(options);
  async function beginUpload({ accessToken }: TemplateAccount, file: SampleFile, signal?: AbortSignal) {
    const { filename, mimeType, size } = file;
    const query = new URLSearchParams({ file_name: filename, file_length: String(size), file_type: mimeType });
    const { id } = await http.call({ method: 'POST', path: `/app/uploads?${query}`, accessToken, signal });
    if (typeof id !== 'string' || !/^upload:[^/?#]{1,4096}/.test(id))
      throw new ProviderError('bad_answer', 'The provider started an upload without returning an id.', true);
    // As it is named: it may carry a signature as a query.
    return id;
  }

  return {
    async create(account, template, signal) {
      const { name, language, category, parameterFormat } = template;
      const answer = await http.call({
        method: 'POST',
        path: templatesOf(account),
        body: JSON.stringify({
          name,
          language,
          category: category.toUpperCase(),
          parameter_format: parameterFormat.toUpperCase(),
          components: templateComponents(template),
        }),
        accessToken: account.accessToken,
        signal,
      });
      const providerId = idOf(answer.id);
      if (providerId === undefined)
        throw new ProviderError('bad_answer', 'The provider accepted the template without returning an id.', true);
      const decided = categoryOf(answer.category);
      return {
        providerId,
        status: submittedStatus(answer.status),
        ...defined({ category: decided }),
      };
    },

    async edit({ accessToken }, providerId, content, signal) {
      const body = JSON.stringify({
        category: content.category.toUpperCase(),
        parameter_format: content.parameterFormat.toUpperCase(),
        components: templateComponents(content),
      });
      await http.call({ method: 'POST', path: `/${part(providerId)}`, body, accessToken, signal });
    },

    async remove(account, { providerId, name }, signal) {
      const query = new URLSearchParams({ hsm_id: providerId, name });
      const path = `${templatesOf(account)}?${query}`;
      await http.call({ method: 'DELETE', path, accessToken: account.accessToken, signal });
    },

    async list(account, signal) {
      return (await rowsOf(http, account, '', signal)).flatMap((row) => listedTemplate(row) ?? []);
    },

    async find(account, { name, language }, signal) {
      const rows = await rowsOf(http, account, `&name=${encodeURIComponent(name)}`, signal);
      const named = rows.filter((row) => isNamed(row, name, language));
      const found = named.map(listedTemplate);
      // What cannot be read is there all the same.
      if (found.includes(undefined))
        throw new ProviderError('template_unreadable', `The provider returned ${name} in an unknown format.`, false);
      return found.find((row) => row?.status !== 'deleted');
    },

    async uploadSample(account, file, signal) {
      const id = await beginUpload(account, file, signal);
      const { h } = await http.call({
        method: 'POST',
        path: `/${id}`,
        headers: { file_offset: '0', authorization: `OAuth ${account.accessToken ?? options.accessToken}` },
        body: { contentType: file.mimeType, size: file.size, content: await file.content() },
        timeoutMs: UPLOAD_MS,
        accessToken: account.accessToken,
        signal,
      });
      if (typeof h === 'string' && h !== '') return h;
      throw new ProviderError('bad_answer', 'The provider accepted the sample without returning an id.', true);
    },

    close: () => http.close(),
  };
}
