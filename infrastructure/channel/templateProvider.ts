import { ProviderError } from '../../application/ports/catalogProvider.js';
import type { SampleFile, TemplateAccount, TemplateProvider } from '../../application/ports/templateProvider.js';
import type { ListedTemplate } from '../../domain/templates/templateObserved.js';
import { list, record } from './loose.js';
import { createProviderHttp, type ProviderOptions, part } from './providerHttp.js';
import { templateComponents } from './templateComponents.js';
import { categoryOf, idOf, listedTemplate, submittedStatus } from './templateReading.js';

const FIELDS = 'id,name,language,status,category,parameter_format,components,quality_score,rejected_reason';
const PAGE = 100;
/** More than an account may have. */
const MOST_PAGES = 100;
/** For the bytes of a sample, in ms. */
const UPLOAD_MS = 120_000;

/** The provider's templates over its HTTP protocol. */
export function createTemplateProvider(options: ProviderOptions): TemplateProvider & { close(): Promise<void> } {
  const http = createProviderHttp(options);
  const templatesOf = ({ businessAccountId }: TemplateAccount): string =>
    `/${part(businessAccountId)}/message_templates`;

  /** Every page; the next one by its cursor and never by an address that the answer names. */
  async function pages(account: TemplateAccount, filter: string, signal?: AbortSignal): Promise<ListedTemplate[]> {
    const { accessToken } = account;
    const path = `${templatesOf(account)}?fields=${FIELDS}&limit=${PAGE}${filter}`;
    const rows: ListedTemplate[] = [];
    let after = '';
    for (let page = 0; page < MOST_PAGES; page++) {
      const answer = await http.call({ method: 'GET', path: path + after, accessToken, signal });
      for (const one of list(answer.data)) {
        const row = listedTemplate(one);
        if (row !== undefined) rows.push(row);
      }
      const paging = record(answer.paging);
      const cursor = record(paging?.cursors)?.after;
      if (paging?.next === undefined || typeof cursor !== 'string') return rows;
      after = `&after=${encodeURIComponent(cursor)}`;
    }
    throw new ProviderError('bad_answer', `The list of templates does not end within ${MOST_PAGES} pages.`, true);
  }

  async function beginUpload({ accessToken }: TemplateAccount, file: SampleFile, signal?: AbortSignal) {
    const { filename, mimeType, size } = file;
    const query = new URLSearchParams({ file_name: filename, file_length: String(size), file_type: mimeType });
    const { id } = await http.call({ method: 'POST', path: `/app/uploads?${query}`, accessToken, signal });
    if (typeof id !== 'string' || !/^upload:[^/?#]{1,4096}/.test(id))
      throw new ProviderError('bad_answer', 'The provider began an upload without naming it.', true);
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
        throw new ProviderError('bad_answer', 'The provider took the template without naming it.', true);
      const decided = categoryOf(answer.category);
      return {
        providerId,
        status: submittedStatus(answer.status),
        ...(decided === undefined ? {} : { category: decided }),
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

    list: (account, signal) => pages(account, '', signal),

    async find(account, { name, language }, signal) {
      const rows = await pages(account, `&name=${encodeURIComponent(name)}`, signal);
      return rows.find((row) => row.name === name && row.language === language && row.status !== 'deleted');
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
      throw new ProviderError('bad_answer', 'The provider took the sample without naming it.', true);
    },

    close: () => http.close(),
  };
}
