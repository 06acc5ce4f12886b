/** The members and teams of a store. */
import type { ConsoleStoreBody } from '../../../api/console/contract.js';
import { read } from '../api/client.js';
import type { Schemas } from '../api/openapi.js';
import { type Load, useLoad } from '../ui/load.js';

export interface People {
  readonly members: readonly Schemas['MemberBody'][];
  readonly teams: Schemas['TeamsBody']['teams'];
}

export const usePeople = ({ workspaceId }: ConsoleStoreBody): Load<People> =>
  useLoad(`people ${workspaceId}`, async () => {
    const [{ members }, { teams }] = await Promise.all([
      read('/workspaces/{workspaceId}/members', { workspaceId }),
      read('/workspaces/{workspaceId}/teams', { workspaceId }),
    ]);
    return { members, teams };
  });
