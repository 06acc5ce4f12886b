/** Number lists as holders of names. */
import { listNames } from '../../domain/numberLists/listNames.js';
import { nameKey, numberList } from '../../domain/numberLists/numberList.js';
import { allRows } from '../../engine/projections/allRows.js';
import { numberLists } from '../../projections/numberLists.js';
import type { NameHolders } from '../nameHolders.js';

export const listHolders = (workspaceId: string): NameHolders => ({
  kind: listNames,
  async listed(read, most) {
    const rows = await allRows(read, numberLists, { where: { workspaceId }, sort: ['nameKey'] }, most);
    return rows.map(({ id }) => id);
  },
  count: (read, most) => read.count(numberLists, { workspaceId }, most),
  state: (commands, id) =>
    commands.query(numberList, id, (list) => {
      if (list.status === 'standing') return { value: nameKey(list.terms.name) };
      return list.status === 'deleted' ? 'gone' : 'absent';
    }),
});
