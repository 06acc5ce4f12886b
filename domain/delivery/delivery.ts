/** A store's fulfilment settings: areas and fees, pickup, and notifications to customers. */

import { type Aggregate, type Decision, type FieldProblem, refuse } from '../decider.js';
import { defined } from '../defined.js';
import type { DeliveryArea, DeliveryEvent, DeliverySettings } from './deliveryEvents.js';

// Events: DeliveryEvent in deliveryEvents.ts ---------------------------------------------------------------------

// State ----------------------------------------------------------------------------------------------------------
export interface Delivery {
  readonly settings: DeliverySettings;
  /** False while the defaults apply. */
  readonly saved: boolean;
}

/** Settings of a store that has not saved any: customers collect their goods, and are notified of each step that concerns them. */
export const DEFAULT_SETTINGS: DeliverySettings = {
  deliveryEnabled: false,
  pickupEnabled: true,
  pickupAddress: '',
  requestLocation: false,
  notifyStatuses: ['paid', 'preparing', 'out_for_delivery', 'delivered', 'cancelled', 'refunded'],
  areas: [],
};

/** Stream `delivery-{workspaceId}`. */
export const delivery: Aggregate<Delivery, DeliveryEvent> = {
  name: 'delivery',
  initial: () => ({ settings: DEFAULT_SETTINGS, saved: false }),
  evolve: (_, event) => ({ settings: event.data, saved: true }),
  weigh: ({ settings }) => 1_000 + settings.areas.length * 250,
};

// Decisions ------------------------------------------------------------------------------------------------------
export interface AreaInput {
  readonly name: string;
  readonly feeCents: number;
  readonly active: boolean;
  /** Id of an existing area. Absent for a new one. */
  readonly id?: string;
  /** Id that a new area gets. */
  readonly newId: string;
}

export interface SaveDeliverySettings extends Omit<DeliverySettings, 'areas'> {
  readonly areas: readonly AreaInput[];
}

/**
 * Replaces all settings. An area keeps its id if the id is sent, or if an existing area has the same name, so repeated settings change
 * nothing. Reports all problems at once, with their location in the body.
 */
export const saveDeliverySettings =
  (command: SaveDeliverySettings): Decision<Delivery, DeliveryEvent> =>
  (state) => {
    const problems = [...areaProblems(command.areas, state.settings.areas), ...deliveryProblems(command)];
    if (problems.length > 0) refuse('validation_failed', problems[0]!.message, problems);
    const settings = settled(command, state.settings.areas);
    const unchanged = state.saved && JSON.stringify(settings) === JSON.stringify(settled(state.settings));
    return unchanged ? [] : [{ type: 'DeliverySettingsSaved', data: settings }];
  };

/** Compares names as customers read them: without case, outer spaces or ways to compose a letter. */
const sameName = (a: string, b: string): boolean => nameKey(a) === nameKey(b);
const nameKey = (name: string): string => name.trim().normalize('NFC').toLowerCase();

/** Returns true if customers can choose delivery or pickup. Only settings from older releases offer neither. */
export const offersHandover = ({
  deliveryEnabled,
  pickupEnabled,
}: Pick<DeliverySettings, 'deliveryEnabled' | 'pickupEnabled'>): boolean => deliveryEnabled || pickupEnabled;

/** Returns the active area with this id or name. */
export const activeArea = (settings: DeliverySettings, idOrName: string): DeliveryArea | undefined =>
  settings.areas.find((area) => area.active && (area.id === idOrName || sameName(area.name, idOrName)));

/** Rules between fields of settings in a request, with the fields that they read. */
export const fieldRules = [{ fields: ['deliveryEnabled', 'pickupEnabled', 'areas'], problems: deliveryProblems }];

function deliveryProblems(command: SaveDeliverySettings): FieldProblem[] {
  const { deliveryEnabled, areas } = command;
  if (!offersHandover(command)) {
    const message = 'Enable delivery or pickup. Customers need at least one of them to check out.';
    return ['deliveryEnabled', 'pickupEnabled'].map((flag) => ({ message, location: `body.${flag}`, value: false }));
  }
  if (!deliveryEnabled || areas.some(({ active }) => active)) return [];
  return [{ message: 'Delivery requires at least one active area.', location: 'body.areas', value: areas.length }];
}

function areaProblems(areas: readonly AreaInput[], known: readonly DeliveryArea[]): FieldProblem[] {
  const ids = new Set(known.map(({ id }) => id));
  const seen = new Set<string>();
  return areas.flatMap(({ id, name }, index) => {
    const at = `body.areas[${index}]`;
    const key = nameKey(name);
    const problems: FieldProblem[] = [];
    if (id !== undefined && !ids.has(id))
      problems.push({ message: 'The store has no area with this id.', location: `${at}.id`, value: id });
    if (id !== undefined && seen.has(`id ${id}`))
      problems.push({ message: 'This area was sent twice.', location: `${at}.id`, value: id });
    if (key === '') problems.push({ message: 'An area needs a name.', location: `${at}.name`, value: name });
    if (seen.has(`name ${key}`))
      problems.push({ message: 'Two areas have the same name.', location: `${at}.name`, value: name });
    seen.add(`id ${id}`).add(`name ${key}`);
    return problems;
  });
}

/** Returns the settings in a fixed order of fields, so that equal settings are equal as text. */
function settled(
  input: Omit<DeliverySettings, 'areas'> & { readonly areas: readonly (AreaInput | DeliveryArea)[] },
  known: readonly DeliveryArea[] = [],
): DeliverySettings {
  const { freeDeliveryAboveCents, cashOnDelivery, cartValidDays, unpaidHours } = input;
  const sent = new Set(input.areas.map(({ id }) => id));
  const idOf = (area: AreaInput | DeliveryArea): string =>
    area.id ??
    known.find(({ id, name }) => !sent.has(id) && sameName(name, area.name))?.id ??
    (area as AreaInput).newId;
  return {
    deliveryEnabled: input.deliveryEnabled,
    pickupEnabled: input.pickupEnabled,
    pickupAddress: input.pickupAddress,
    requestLocation: input.requestLocation,
    notifyStatuses: [...new Set(input.notifyStatuses)],
    areas: input.areas.map((area) => ({
      id: idOf(area),
      name: area.name,
      feeCents: area.feeCents,
      active: area.active,
    })),
    ...defined({ freeDeliveryAboveCents, cashOnDelivery, cartValidDays, unpaidHours }),
  };
}
