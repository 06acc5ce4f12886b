/** Templates as holders of names: each reserves its own until it is removed. */
import { template } from '../../domain/templates/template.js';
import { nameKey, templateNames } from '../../domain/templates/templateNames.js';
import { allRows } from '../../engine/projections/allRows.js';
import { templates } from '../../projections/templates.js';
import type { NameHolders } from '../nameHolders.js';

export const templateHolders = (workspaceId: string): NameHolders => ({
  kind: templateNames,
  async listed(read, most) {
    const rows = await allRows(read, templates, { where: { workspaceId }, sort: ['name', 'language'] }, most);
    return rows.map(({ id }) => id);
  },
  count: (read, most) => read.count(templates, { workspaceId }, most),
  state: (commands, id) =>
    commands.query(template, id, (state) => {
      if (state.standing) return { value: nameKey(state) };
      return state.gone === undefined ? 'absent' : 'gone';
    }),
});
