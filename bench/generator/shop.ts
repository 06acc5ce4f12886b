/** One shop: its products, staff and customers, and the prices and stock that its own system sends to Suuq. */
import { addMember } from '../../domain/access/memberChanges.js';
import { members } from '../../domain/access/members.js';
import { catalog } from '../../domain/catalog/catalog.js';
import type { ProductFields } from '../../domain/catalog/productContent.js';
import { putCategories } from '../../domain/catalog/putCategories.js';
import { type UpsertProduct, upsertProducts } from '../../domain/catalog/upsertProducts.js';
import type { Actor } from '../../domain/decider.js';
import { delivery, saveDeliverySettings } from '../../domain/delivery/delivery.js';
import { derivedId } from '../../domain/ids.js';
import { partnerStore, takeReference } from '../../domain/partners/partnerStore.js';
import type { SellableItem } from '../../domain/pricing/pricing.js';
import { channelNumber, connectNumber, takeNumber } from '../../domain/stores/channelNumber.js';
import { createStore, store } from '../../domain/stores/store.js';
import type { By, Ledger } from './ledger.js';
import type { Random } from './random.js';
import { AREAS, COLORS, FAMILIES, KINDS, PEOPLE, PLACES } from './wares.js';

export interface Customer {
  readonly phone: string;
  readonly name: string;
  readonly conversationId: string;
  /** Stories that are about them now. */
  busy: number;
}

interface Product extends ProductFields {
  readonly externalId: string;
  stock: number;
}

export interface ShopPlan {
  readonly seed: string;
  readonly n: number;
  readonly partnerId: string;
  readonly planKey: string;
  readonly products: number;
}

const BATCH = 100;
const SOME_STOCK = [8, 60] as const;
/** The shop buys more of what it has less of. */
const FEW = 6;
export const FREE_ABOVE_CENTS = 5_000;
const SYSTEM: Actor = { type: 'system' };

export class Shop {
  readonly workspaceId: string;
  readonly numberId: string;
  readonly memberIds: readonly string[];
  readonly customers: Customer[] = [];
  /** As pricing sees them. */
  readonly items = new Map<string, SellableItem>();
  readonly areas = AREAS.map((name, n) => ({ id: derivedId('area', n), name, feeCents: 100 + n * 50 }));
  readonly merchantId: string;
  readonly takesWallets: boolean;
  readonly #plan: ShopPlan;
  readonly #ledger: Ledger;
  readonly #random: Random;
  readonly #products: Product[] = [];
  readonly #changed = new Set<Product>();
  readonly #requestOf: string;
  #requests = 0;

  constructor(plan: ShopPlan, ledger: Ledger, random: Random) {
    this.#plan = plan;
    this.#ledger = ledger;
    this.#random = random;
    this.workspaceId = derivedId(plan.seed, 'store', plan.n);
    this.numberId = derivedId(plan.seed, 'number', plan.n);
    this.memberIds = Array.from({ length: random.between(1, 6) }, (_, n) => derivedId(this.workspaceId, 'member', n));
    this.merchantId = `M09${String(10_000 + plan.n)}`;
    this.takesWallets = random.chance(0.7);
    this.#requestOf = derivedId(plan.seed, 'requests', plan.n);
  }

  /** A command of the shop's, in a request of its own. */
  by(actor: Actor = SYSTEM): By {
    this.#requests += 1;
    const correlationId = `${this.#requestOf.slice(0, 24)}${String(this.#requests).padStart(12, '0')}`;
    return { actor, correlationId, workspaceId: this.workspaceId, partnerId: this.#plan.partnerId };
  }

  byMember(): By {
    return this.by({ type: 'member', id: this.#random.pick(this.memberIds) });
  }

  /** All that a shop has before its first customer. */
  open(): void {
    const { n, partnerId, planKey, products } = this.#plan;
    const { workspaceId } = this;
    const kind = KINDS[n % KINDS.length]!;
    const name = `${this.#random.pick(PLACES)} ${kind.shop} ${n + 1}`;
    const person = (at: number) => ({
      name: `${PEOPLE[(n + at) % PEOPLE.length]} ${FAMILIES[(n + 3 * at) % FAMILIES.length]}`,
      email: `person${at}.shop${n}@example.com`,
    });
    const externalRef = `shop-${n}`;
    const reference = `${partnerId}.${derivedId(externalRef).replaceAll('-', '')}`;
    const partner = this.by({ type: 'partner_key' });
    this.#ledger.decide(partner, partnerStore, reference, takeReference({ partnerId, externalRef, workspaceId }));
    const place = { country: 'SO', timezone: 'Africa/Mogadishu', locale: n % 3 === 0 ? 'so' : 'en' } as const;
    this.#ledger.decide(
      partner,
      store,
      workspaceId,
      createStore({ name, owner: person(0), ...place, planKey, partnerId, externalRef }),
    );
    const digits = String(200_000_000 + n);
    const number = { phoneNumberId: digits, businessAccountId: `3${digits}`, catalogId: `4${digits}` };
    this.#ledger.decide(this.by(), channelNumber, digits, takeNumber({ phoneNumberId: digits, workspaceId }));
    const displayPhoneNumber = `+252 61 ${String(5_000_000 + n)}`;
    this.#ledger.decide(
      this.by(),
      store,
      workspaceId,
      connectNumber({ numberId: this.numberId, displayPhoneNumber, ...number }, false),
    );
    this.memberIds.forEach((memberId, at) => {
      const role = at === 0 ? 'owner' : 'agent';
      const userId = derivedId(memberId, 'user');
      const member = { memberId, userId, ...person(at), role, status: 'active' } as const;
      this.#ledger.decide(partner, members, workspaceId, addMember(member, { most: undefined }));
    });
    const settings = { deliveryEnabled: true, pickupEnabled: true, pickupAddress: `${name}, first floor` };
    this.#ledger.decide(
      this.by(),
      delivery,
      workspaceId,
      saveDeliverySettings({
        ...settings,
        requestLocation: false,
        notifyStatuses: ['preparing', 'out_for_delivery', 'delivered', 'cancelled'],
        areas: this.areas.map(({ id, ...area }) => ({ ...area, newId: id, active: true })),
        freeDeliveryAboveCents: FREE_ABOVE_CENTS,
        cashOnDelivery: true,
      }),
    );
    const categories = kind.categories.map((category, at) => ({ externalId: `C${at}`, name: category }));
    this.#ledger.decide(this.by({ type: 'api_key' }), catalog, workspaceId, putCategories(categories));
    for (let at = 0; at < products; at += 1) this.#add(at, kind);
    this.report();
  }

  #add(at: number, kind: (typeof KINDS)[number]): void {
    const ware = this.#random.pick(kind.wares);
    const color = this.#random.pick(COLORS);
    const [low, high] = kind.cents;
    const product: Product = {
      externalId: `P${at}`,
      name: `${ware} no. ${at + 1}, ${color}`,
      description: `${ware} in ${color}. Made to last, and brought to your door within a day in the city.`,
      imageUrls: [`https://images.example.com/${this.#plan.n}/${at}/front.jpg`],
      // A few are bought often and cost little, as in any shop.
      priceCents: low + Math.round((high - low) * this.#random.next() ** 3),
      stock: this.#random.between(...SOME_STOCK),
      categoryExternalId: `C${at % kind.categories.length}`,
    };
    this.#products.push(product);
    this.#changed.add(product);
  }

  /** Sends the products that have changed since the last call, as shops' own systems do at night. */
  report(): void {
    const changed = [...this.#changed];
    this.#changed.clear();
    for (const product of changed) if (product.stock < FEW) product.stock += this.#random.between(...SOME_STOCK);
    for (let from = 0; from < changed.length; from += BATCH) {
      const some = changed.slice(from, from + BATCH);
      const commands = some.map(({ externalId, ...fields }, n): UpsertProduct => {
        const at = `body.products[${n}]`;
        return { externalId, fields, at, idAt: `${at}.externalId` };
      });
      const limits = { maxProducts: undefined };
      this.#ledger.decide(this.by({ type: 'api_key' }), catalog, this.workspaceId, upsertProducts(commands, limits));
      for (const { externalId, ...fields } of some)
        this.items.set(externalId, {
          retailerId: externalId,
          productExternalId: externalId,
          name: fields.name,
          priceCents: fields.priceCents,
          availability: 'in_stock',
          stock: fields.stock,
          active: true,
          ...(fields.categoryExternalId !== undefined && { categoryExternalId: fields.categoryExternalId }),
        });
    }
  }

  /** Prices of some products go up or down a little. */
  reprice(): void {
    for (let some = this.#random.between(1, 4); some > 0; some -= 1) {
      const at = this.#random.below(this.#products.length);
      const before = this.#products[at]!;
      const factor = 0.9 + this.#random.next() * 0.22;
      const after = { ...before, priceCents: Math.max(50, Math.round(before.priceCents * factor)) };
      this.#products[at] = after;
      this.#changed.delete(before);
      this.#changed.add(after);
    }
  }

  /** A cart of what there is, the first products more often than the last. */
  cart(random: Random): { retailerId: string; quantity: number }[] {
    const lines = new Map<string, number>();
    for (let left = random.chance(0.6) ? 1 : random.between(2, 5); left > 0; left -= 1) {
      const product = this.#products[Math.floor(this.#products.length * random.next() ** 2)]!;
      const quantity = Math.min(random.chance(0.75) ? 1 : random.between(2, 4), product.stock);
      if (quantity > 0) lines.set(product.externalId, quantity);
    }
    return [...lines].map(([retailerId, quantity]) => ({ retailerId, quantity }));
  }

  /** Goods leave the shop (or come back, with a quantity below 0): what there is not is not sold. */
  moved(lines: readonly { readonly retailerId: string; readonly quantity: number }[]): void {
    for (const { retailerId, quantity } of lines) {
      const product = this.#products[Number(retailerId.slice(1))]!;
      product.stock = Math.max(0, product.stock - quantity);
      this.#changed.add(product);
    }
  }
}
