import type { Services, ViewProgress } from '../../../api/contract/services.js';
import type {
  AccessDirectory,
  Features,
  PartnerAccess,
  Principal,
  WorkspaceAccess,
} from '../../../application/access/principal.js';
import type { Clock } from '../../../engine/ports/clock.js';
import { createReads } from '../../../engine/projections/documentReads.js';
import { createAuthenticator } from '../../../infrastructure/secrets/authenticator.js';
import { openStage } from '../stages/stage.js';

export const ALPHA = '11111111-1111-4111-8111-111111111111';
export const BETA = '22222222-2222-4222-8222-222222222222';
export const CLOSED = '33333333-3333-4333-8333-333333333333';
const PARTNER = '44444444-4444-4444-8444-444444444444';

/** Credentials by purpose. */
export const keys = {
  alpha: 'sk_test_alpha',
  alphaReadOnly: 'sk_test_alphaReadOnly',
  beta: 'sk_test_beta',
  closed: 'sk_test_closed',
  noFeatures: 'sk_test_noFeatures',
  partner: 'psk_test_partner',
  suspendedPartner: 'psk_test_suspended',
};
export const NO_FEATURES = '55555555-5555-4555-8555-555555555555';
const SUSPENDED_PARTNER = '66666666-6666-4666-8666-666666666666';

const features = (on: boolean): Features => ({ has: () => on, limit: () => undefined });
const ALL = ['notes:view', 'notes:manage', 'partner:manage'];

const secretKey = (keyId: string, workspaceId: string, scopes: readonly string[] = ALL): Principal => ({
  kind: 'secret_key',
  keyId,
  mode: 'test',
  scopes: new Set(scopes),
  workspaceId,
});
const partnerKey = (keyId: string, partnerId: string): Principal => ({
  kind: 'partner_key',
  keyId,
  mode: 'test',
  scopes: new Set(ALL),
  partnerId,
});

const principals: Readonly<Record<string, Principal>> = {
  [keys.alpha]: secretKey('key-alpha', ALPHA),
  [keys.alphaReadOnly]: secretKey('key-alpha-read', ALPHA, ['notes:view']),
  [keys.beta]: secretKey('key-beta', BETA),
  [keys.closed]: secretKey('key-closed', CLOSED),
  [keys.noFeatures]: secretKey('key-none', NO_FEATURES),
  [keys.partner]: partnerKey('key-partner', PARTNER),
  [keys.suspendedPartner]: partnerKey('key-suspended', SUSPENDED_PARTNER),
};

const workspace = (workspaceId: string, more: Partial<WorkspaceAccess> = {}): WorkspaceAccess => ({
  workspaceId,
  name: 'Store',
  status: 'active',
  country: 'SO',
  timezone: 'Africa/Mogadishu',
  locale: 'en',
  features: features(true),
  ...more,
});

const workspaces: Readonly<Record<string, WorkspaceAccess>> = {
  [ALPHA]: workspace(ALPHA, { partnerId: PARTNER }),
  [BETA]: workspace(BETA),
  [CLOSED]: workspace(CLOSED, { status: 'suspended' }),
  [NO_FEATURES]: workspace(NO_FEATURES, { features: features(false) }),
};

const partner = (partnerId: string, status: PartnerAccess['status']): PartnerAccess => ({
  partnerId,
  name: 'Partner',
  slug: 'partner',
  status,
  planKey: 'basic',
  features: features(true),
});

const directory: AccessDirectory = {
  principal: async (credential) => (Object.hasOwn(principals, credential) ? principals[credential] : undefined),
  workspace: async (id) => (Object.hasOwn(workspaces, id) ? workspaces[id] : undefined),
  partner: async (id) =>
    id === PARTNER ? partner(id, 'active') : id === SUSPENDED_PARTNER ? partner(id, 'suspended') : undefined,
  member: async () => undefined,
  forget: () => undefined,
};

/** Progress of views that are up to date unless `late` is set, or built to `percent`. `waits` records the waits. */
export interface FakeProgress extends ViewProgress {
  late: boolean;
  percent: number | undefined;
  waits: { categories: readonly string[]; position: number }[];
}

export interface TestServices {
  readonly services: Services;
  readonly progress: FakeProgress;
  close(): Promise<void>;
}

export async function testServices(clock: Clock): Promise<TestServices> {
  const stage = await openStage('api', { clock });
  const { eventStore, work, commands: commandHandler } = stage;
  const progress: FakeProgress = {
    late: false,
    percent: undefined,
    waits: [],
    building: () => (progress.percent === undefined ? undefined : { percent: progress.percent }),
    async waitFor(categories, position) {
      progress.waits.push({ categories, position });
      return !progress.late;
    },
  };
  const services: Services = {
    clock,
    eventStore,
    work,
    directory,
    reads: createReads(work, () => progress.percent),
    commandHandler,
    secretBox: { seal: (plain) => plain, open: (sealed) => sealed },
    cursors: createAuthenticator([Buffer.alloc(32, 7)], 'cursors'),
  };
  return {
    services,
    progress,
    close: stage.close,
  };
}
