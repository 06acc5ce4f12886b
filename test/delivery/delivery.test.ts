import { expect } from 'chai';
import {
  activeArea,
  DEFAULT_SETTINGS,
  delivery,
  type SaveDeliverySettings,
  saveDeliverySettings,
} from '../../domain/delivery/delivery.js';
import type { DeliveryEvent, DeliverySettings } from '../../domain/delivery/deliveryEvents.js';
import { given, stateAfter } from '../support/spec/given.js';

const HODAN = '11111111-1111-4111-8111-111111111111';
const WADAJIR = '22222222-2222-4222-8222-222222222222';
const NEW = '33333333-3333-4333-8333-333333333333';

const settings: DeliverySettings = {
  deliveryEnabled: true,
  pickupEnabled: true,
  pickupAddress: 'Maka al-Mukarama Road 1',
  requestLocation: true,
  notifyStatuses: ['preparing', 'delivered'],
  areas: [
    { id: HODAN, name: 'Hodan', feeCents: 1_00, active: true },
    { id: WADAJIR, name: 'Wadajir', feeCents: 2_50, active: false },
  ],
  freeDeliveryAboveCents: 50_00,
};
const saved: DeliveryEvent = { type: 'DeliverySettingsSaved', data: settings };
const [hodan, wadajir] = [...settings.areas].map((area, i) => ({ ...area, newId: `${i}` })) as [Area, Area];
type Area = SaveDeliverySettings['areas'][number];
const fresh = ({ id: _, ...area }: Area): Area => ({ ...area, newId: NEW });
const save = (changes: Partial<SaveDeliverySettings> = {}) =>
  saveDeliverySettings({ ...settings, areas: [hodan, wadajir], ...changes });

describe('delivery settings', () => {
  it('default to pickup only, and are not stored', () => {
    const state = stateAfter(delivery, []);
    expect(state).to.deep.equal({ settings: DEFAULT_SETTINGS, saved: false });
    expect([state.settings.deliveryEnabled, state.settings.pickupEnabled]).to.deep.equal([false, true]);
  });

  it('are replaced as a whole: omitted fields are removed', () => {
    const { freeDeliveryAboveCents: _, ...rest } = settings;
    given(delivery, saved)
      .when(saveDeliverySettings({ ...rest, areas: [hodan] }))
      .then([{ type: 'DeliverySettingsSaved', data: { ...rest, areas: [settings.areas[0]!] } }]);
  });

  it('append no event when saved again, also if areas are sent without ids', () => {
    given(delivery, saved).when(save()).then([]);
    given(delivery, saved)
      .when(save({ areas: [fresh(hodan), fresh({ ...wadajir, name: 'Wadajir' })] }))
      .then([]);
    given(delivery, saved)
      .when(save({ notifyStatuses: ['preparing', 'delivered', 'preparing'] }))
      .then([]);
  });

  it('are stored also if they equal the defaults', () => {
    const events = given(delivery)
      .when(saveDeliverySettings({ ...DEFAULT_SETTINGS, areas: [] }))
      .events();
    expect(events).to.have.lengthOf(1);
  });

  it('keep an area’s id when renamed, and give a new area the id from the command', () => {
    const areas = [
      { ...hodan, name: 'Hodan East' },
      { name: 'Yaaqshiid', feeCents: 0, active: true, newId: NEW },
    ];
    const [event] = given(delivery, saved).when(save({ areas })).events();
    expect(event?.data.areas.map(({ id, name }) => [id, name])).to.deep.equal([
      [HODAN, 'Hodan East'],
      [NEW, 'Yaaqshiid'],
    ]);
  });

  it('do not give a new area the id of another area in the same request', () => {
    const areas = [
      { ...hodan, name: 'Hodan West' },
      { name: 'Hodan', feeCents: 0, active: true, newId: NEW },
    ];
    const [event] = given(delivery, saved).when(save({ areas })).events();
    expect(event?.data.areas.map(({ id }) => id)).to.deep.equal([HODAN, NEW]);
  });

  it('report every invalid area with its path', () => {
    const areas = [{ ...hodan, id: NEW }, wadajir, { ...wadajir, name: ' hodan ' }, { ...fresh(hodan), name: '  ' }];
    const { problems } = given(delivery, saved).when(save({ areas })).thenRefused('validation_failed');
    expect(problems.map(({ location }) => location)).to.deep.equal([
      'body.areas[0].id',
      'body.areas[2].id',
      'body.areas[2].name',
      'body.areas[3].name',
    ]);
  });

  it('reject delivery without an active area, also if there is an inactive one', () => {
    for (const areas of [[], [wadajir]])
      expect(
        given(delivery)
          .when(save({ areas: areas.map(fresh) }))
          .thenRefused('validation_failed').problems[0],
      ).to.have.property('location', 'body.areas');
    expect(
      given(delivery, saved)
        .when(save({ areas: [wadajir], deliveryEnabled: false }))
        .events(),
    ).to.have.lengthOf(1);
  });

  it('reject a store with neither delivery nor pickup, at both paths', () => {
    const { problems } = given(delivery, saved)
      .when(save({ deliveryEnabled: false, pickupEnabled: false }))
      .thenRefused('validation_failed');
    expect(problems.map(({ location }) => location)).to.deep.equal(['body.deliveryEnabled', 'body.pickupEnabled']);
  });

  it('store whether cash is accepted, by default not', () => {
    const inCash: DeliveryEvent = { type: 'DeliverySettingsSaved', data: { ...settings, cashOnDelivery: true } };
    given(delivery, saved)
      .when(save({ cashOnDelivery: true }))
      .then([inCash]);
    given(delivery, inCash).when(save()).then([saved]);
  });

  it("find an active area by id or name, in a customer's spelling", () => {
    expect(activeArea(settings, ' HODAN ')?.id).to.equal(HODAN);
    expect(activeArea(settings, HODAN)?.name).to.equal('Hodan');
    expect(activeArea(settings, 'Wadajir'), 'not active').to.equal(undefined);
  });
});
