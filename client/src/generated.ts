/* Written by `npm run client` from the OpenAPI document. */
import type { FileAnswer, Upload } from './files.js';

// biome-ignore format: as it is written.
export interface Schemas {
  /** Input for a session. */
  CreateSessionInputBody: {
    /** A publishable key: pk_… of a store, ppk_… of a partner. */
    readonly publishableKey: string;
    /** A JWT, signed with HS256 by your server with a secret key of the same mode. */
    readonly userToken: string;
    /** Sent by the embed page: the origin of the page that frames it. */
    readonly embedOrigin?: string;
  };
  /** A session of a user. Clients use it instead of a key. */
  SDKSessionBody: {
    /** The session token (sdk_…), sent as the bearer credential. Empty in an idempotent replay. */
    readonly token: string;
    /** Id of the session, the same through its refreshes. */
    readonly sessionId: string;
    /** The user that signed in. */
    readonly userId: string;
    /** Of the keys that made it. */
    readonly mode: 'live' | 'test';
    /** Refresh before this. */
    readonly expiresAt: string;
    /** Refreshes keep the session going until then; afterwards exchange a new user token. */
    readonly refreshUntil: string;
    /** With a store's key: the store. */
    readonly workspaceId?: string;
    /** With a store's key: the user's member in it. */
    readonly memberId?: string;
    /** From the user token. */
    readonly name?: string;
    /** In the user token's order. */
    readonly stores?: readonly ({ readonly externalRef: string; readonly memberId: string; readonly name: string; readonly role: string; readonly workspaceId: string; })[];
    /** An addition to the specification: the user token's other stores, which the session does not open, in its order. */
    readonly storesLeftOut?: readonly ({ readonly externalRef: string; readonly code: string; readonly detail: string; })[];
    /** With a partner's key: how its embedded pages look. */
    readonly appearance?: { readonly primaryColor: string; readonly radius: number; readonly font: 'ibm_plex_sans' | 'inter' | 'system'; readonly colorMode: 'light' | 'dark' | 'auto'; };
  };
  /** A partner: a platform with stores of its own customers. */
  PartnerProfileBody: {
    /** Id in this service. */
    readonly id: string;
    /** As it is known. */
    readonly name: string;
    /** Short name for URLs. */
    readonly slug: string;
    /** `suspended`: its keys are refused. */
    readonly status: 'active' | 'suspended';
    /** Plan every new store starts on; the name is empty when the plan no longer exists. */
    readonly defaultPlan: { readonly key: string; readonly name: string; };
    /** Features of the default plan's published version. */
    readonly features: readonly ({ readonly key: string; readonly enabled: boolean; readonly limit?: number; })[];
  };
  /** A store of the partner. */
  StoreBody: {
    /** The workspace id of the store, which selects it in paths. */
    readonly workspaceId: string;
    /** The partner's own id of the store. */
    readonly externalRef: string;
    /** As customers see it. */
    readonly name: string;
    /** Who owns the store. */
    readonly owner: { readonly email: string; readonly name: string; };
    /** ISO 3166-1 alpha-2. */
    readonly country: string;
    /** IANA name. */
    readonly timezone: string;
    /** Language of the service's automatic messages to customers. */
    readonly locale: 'en' | 'so' | 'ar';
    /** `suspended`: closed; its data is retained. */
    readonly status: 'trialing' | 'active' | 'past_due' | 'suspended' | 'cancelled';
    /** Creation time. */
    readonly createdAt: string;
    /** Set while the partner has closed the store. */
    readonly closedAt?: string;
  };
  /** A page of stores. */
  StoresBody: {
    /** Newest first. */
    readonly stores: readonly (Schemas['StoreBody'])[];
    /** Cursor of the next page, to be sent unchanged; absent on the last one. */
    readonly next?: string;
  };
  /** Input for a new store. */
  StoreInputBody: {
    /** The partner's own id of the store; not `.` or `..`, which clients drop from a path. */
    readonly externalRef: string;
    /** As customers see it. Holds something visible: not only blanks and invisible characters, such as zero-width spaces (Unicode category Cf). */
    readonly name: string;
    /** Who owns the store. */
    readonly owner: { readonly email: string; readonly name: string; };
    /** ISO 3166-1 alpha-2; stored in capitals. */
    readonly country: string;
    /** IANA name, such as Africa/Mogadishu. */
    readonly timezone: string;
    /** Language of the service's automatic messages to customers. */
    readonly locale: 'en' | 'so' | 'ar';
  };
  /** Changes to a store. */
  StoreChangeBody: {
    /** As customers see it. Holds something visible: not only blanks and invisible characters, such as zero-width spaces (Unicode category Cf). */
    readonly name?: string;
    /** `suspended` closes the store and keeps its data; `active` reopens one that the partner closed. */
    readonly status?: 'active' | 'suspended';
  };
  /** Role and teams of a user in a store. */
  UpdatePartnerMemberInputBody: {
    /** What the user may do in the store. */
    readonly role: 'owner' | 'admin' | 'supervisor' | 'agent' | 'viewer';
    /** The store's team ids; absent leaves the teams as they are. */
    readonly teams?: readonly (string)[];
  };
  /** A partner's user in one of its stores. */
  PartnerMemberBody: {
    /** The partner's id of the user, the `sub` of its user tokens. */
    readonly partnerUserId: string;
    /** The workspace id of the store, which selects it in paths. */
    readonly workspaceId: string;
    /** The partner's own id of the store. */
    readonly externalRef: string;
    /** The member of the store. */
    readonly memberId: string;
    /** owner, admin, supervisor, agent or viewer. */
    readonly role: string;
    /** `disabled`: no access until a later user token lists the store. */
    readonly status: 'active' | 'disabled';
    /** Teams of the store that the user is in. */
    readonly teamIds: readonly (string)[];
  };
  /** A person in a store. */
  MemberBody: {
    /** Id in this service. */
    readonly id: string;
    /** Id of the user, the same in every store. */
    readonly userId: string;
    /** Address of the user. */
    readonly email: string;
    /** Empty when not set. */
    readonly name: string;
    /** owner, admin, supervisor, agent or viewer. */
    readonly role: string;
    /** `invited`: has not signed in yet. */
    readonly status: 'invited' | 'active' | 'disabled';
    /** Creation time. */
    readonly createdAt: string;
    /** Teams that the member is in. */
    readonly teams: readonly ({ readonly id: string; readonly role: 'member' | 'lead'; })[];
    /** First sign-in. */
    readonly joinedAt?: string;
    /** Last session refresh, to the day; absent without a session. */
    readonly lastActiveAt?: string;
  };
  /** All people of a store. */
  MembersBody: {
    /** All of them, oldest first. */
    readonly members: readonly (Schemas['MemberBody'])[];
  };
  /** A team of a store, with its queue of calls. */
  TeamDetailBody: {
    /** Id in this service. */
    readonly id: string;
    /** As the store knows it. */
    readonly name: string;
    /** A color of the chart palette. */
    readonly color: 'chart-1' | 'chart-2' | 'chart-3' | 'chart-4' | 'chart-5';
    /** Routing sends everything not routed elsewhere here. */
    readonly isDefault: boolean;
    /** In ring order. Leads see the team's reports and can pick up its queued calls. */
    readonly members: readonly ({ readonly memberId: string; readonly lead?: boolean; })[];
    /** How calls to the team are rung. */
    readonly queue: { readonly strategy: 'all' | 'priority'; readonly ringTimeoutSeconds: number; readonly maxWaitSeconds: number; readonly secondsPerPerson: number; readonly announcePositionSeconds?: number; readonly holdRecordingId?: string; readonly closedRecordingId?: string; readonly missedRecordingId?: string; };
    /** null: always open; days that are not listed are closed. */
    readonly workingHours: readonly ({ readonly day: 'sat' | 'sun' | 'mon' | 'tue' | 'wed' | 'thu' | 'fri'; readonly opens: string; readonly closes: string; })[] | null;
    /** Creation time. */
    readonly createdAt: string;
    /** Time of the last change. */
    readonly updatedAt: string;
  };
  /** All teams of a store. */
  TeamsBody: {
    /** All of them, by name. */
    readonly teams: readonly (Schemas['TeamDetailBody'])[];
  };
  /** A category of products. */
  CategoryBody: {
    /** The partner's own id of the category. */
    readonly externalId: string;
    /** As customers see it. */
    readonly name: string;
    /** Display order, from 0. */
    readonly position: number;
  };
  /** All categories of a store. */
  CategoriesBody: {
    /** In display order. */
    readonly categories: readonly (Schemas['CategoryBody'])[];
  };
  /** A category of products. */
  CategoryInputBody: {
    /** The partner's own id of the category. */
    readonly externalId: string;
    /** As customers see it. Holds something visible: not only blanks and invisible characters, such as zero-width spaces (Unicode category Cf). */
    readonly name: string;
  };
  /** Categories to create, rename and order. */
  CategoriesInputBody: {
    /** In display order; categories left out keep their names and follow the ones sent. */
    readonly categories: readonly (Schemas['CategoryInputBody'])[];
  };
  /** The store's catalog at the catalog provider. */
  CatalogBody: {
    /** `pending`: not set up with the provider yet; `no_number`: the store has no channel number; `failed`: see errorCode and errorMessage. */
    readonly status: 'pending' | 'no_number' | 'active' | 'failed';
    /** The provider's id of the catalog. */
    readonly metaCatalogId?: string;
    /** The provider's error code. */
    readonly errorCode?: string;
    /** Human-readable error. */
    readonly errorMessage?: string;
  };
  /** A category of products. */
  CategoryRefBody: {
    /** The partner's own id of the category. */
    readonly externalId: string;
    /** As customers see it. */
    readonly name: string;
  };
  /** State of an item at the catalog provider; for a product, that of its worst item. */
  SyncBody: {
    /** `queued`: part of the next push, within a minute; `in_review`: the provider reviews it; `failed`: the provider refused the push; `inactive`: not in the catalog. */
    readonly status: 'queued' | 'in_review' | 'approved' | 'rejected' | 'failed' | 'inactive';
    /** When it was last pushed. */
    readonly lastSyncedAt?: string;
    /** The provider's reason for a rejection, or why the push failed. */
    readonly reason?: string;
  };
  /** One size or color of a product, with its status in the channel catalog. */
  VariantViewBody: {
    /** The retailer id. */
    readonly externalId: string;
    /** Such as M or 42. */
    readonly size?: string;
    /** In words, as customers see it. */
    readonly color?: string;
    /** Price of one, in cents; the product's when absent. */
    readonly priceCents?: number;
    /** Price of one while the sale window is open, in cents; the product's when absent. */
    readonly salePriceCents?: number;
    /** The product's when absent. */
    readonly availability?: 'in_stock' | 'out_of_stock';
    /** Absent when stock is not counted; 0 shows it out of stock. */
    readonly stock?: number;
    readonly sync: Schemas['SyncBody'];
  };
  /** A product of the store, with its status in the channel catalog. */
  ProductBody: {
    /** The partner's own id of the product. */
    readonly externalId: string;
    /** As customers see it. */
    readonly name: string;
    /** As customers see it. */
    readonly description: string;
    /** The first is the main image. */
    readonly imageUrls: readonly (string)[];
    /** Price of one, in cents. */
    readonly priceCents: number;
    /** Price of one while the sale window is open, in cents. */
    readonly salePriceCents?: number;
    /** When the sale window opens; now when absent. */
    readonly saleStartsAt?: string;
    /** When the sale window ends; open-ended when absent. */
    readonly saleEndsAt?: string;
    /** The only currency: US dollars. */
    readonly currency: 'USD';
    /** Whether it can be ordered; `in_stock` when absent in a request. */
    readonly availability: 'in_stock' | 'out_of_stock';
    /** Absent when stock is not counted; 0 shows it out of stock. */
    readonly stock?: number;
    /** False keeps the product and takes it out of the channel catalog; true when absent in a request. */
    readonly active: boolean;
    readonly category?: Schemas['CategoryRefBody'];
    readonly sync: Schemas['SyncBody'];
    /** Each is a catalog item of its own, grouped under the product; without any the product is the one item. */
    readonly variants: readonly (Schemas['VariantViewBody'])[];
    /** Time of the last change. */
    readonly updatedAt: string;
  };
  /** A page of products, and the state of the catalog. */
  ProductsBody: {
    readonly catalog: Schemas['CatalogBody'];
    /** Ordered by name. */
    readonly products: readonly (Schemas['ProductBody'])[];
    /** The cursor of the next page; absent on the last. */
    readonly next?: string;
  };
  /** One size or color of a product. */
  VariantBody: {
    /** Also the retailer id of the item in the channel catalog. */
    readonly externalId: string;
    /** Such as M or 42. */
    readonly size?: string;
    /** In words, as customers see it. */
    readonly color?: string;
    /** Price of one, in cents; the product's when absent. */
    readonly priceCents?: number;
    /** Price of one while the sale window is open, in cents; the product's when absent. */
    readonly salePriceCents?: number;
    /** The product's when absent. */
    readonly availability?: 'in_stock' | 'out_of_stock';
    /** Absent when stock is not counted; 0 shows it out of stock. */
    readonly stock?: number;
  };
  /** Input for a product. */
  ProductFields: {
    /** As customers see it. Holds something visible: not only blanks and invisible characters, such as zero-width spaces (Unicode category Cf). */
    readonly name: string;
    /** As customers see it. */
    readonly description?: string;
    /** HTTPS URLs on the public internet, each up to 2,048 characters; the first is the main image. */
    readonly imageUrls: readonly (string)[];
    /** Price of one, in cents. */
    readonly priceCents: number;
    /** Below priceCents; shown while the sale window is open. */
    readonly salePriceCents?: number;
    /** When the sale window opens; now when absent. RFC 3339 with its offset, T and Z in capitals, to the millisecond at most, in a year from 0000 to 9999 in UTC; no leap second. */
    readonly saleStartsAt?: string;
    /** When the sale window ends; open-ended when absent. RFC 3339 with its offset, T and Z in capitals, to the millisecond at most, in a year from 0000 to 9999 in UTC; no leap second. */
    readonly saleEndsAt?: string;
    /** The only currency: US dollars. */
    readonly currency?: 'USD';
    /** Whether it can be ordered; `in_stock` when absent in a request. */
    readonly availability?: 'in_stock' | 'out_of_stock';
    /** Absent when stock is not counted; 0 shows it out of stock. */
    readonly stock?: number;
    /** False keeps the product and takes it out of the channel catalog; true when absent in a request. */
    readonly active?: boolean;
    /** A category of the store; none when empty. */
    readonly categoryExternalId?: string;
    /** Each is a catalog item of its own, grouped under the product; without any the product is the one item. */
    readonly variants?: readonly (Schemas['VariantBody'])[] | null;
  };
  /** Result for one product of a batch. */
  UpsertResultBody: {
    /** The partner's own id of the product. */
    readonly externalId: string;
    /** `unchanged`: the product was already the same. */
    readonly result: 'created' | 'updated' | 'unchanged';
  };
  /** A product of a batch. */
  ProductUpsertBody: {
    /** The partner's own id of the product; not `.` or `..`, which clients drop from a path. */
    readonly externalId: string;
    /** As customers see it. Holds something visible: not only blanks and invisible characters, such as zero-width spaces (Unicode category Cf). */
    readonly name: string;
    /** As customers see it. */
    readonly description?: string;
    /** HTTPS URLs on the public internet, each up to 2,048 characters; the first is the main image. */
    readonly imageUrls: readonly (string)[];
    /** Price of one, in cents. */
    readonly priceCents: number;
    /** Below priceCents; shown while the sale window is open. */
    readonly salePriceCents?: number;
    /** When the sale window opens; now when absent. RFC 3339 with its offset, T and Z in capitals, to the millisecond at most, in a year from 0000 to 9999 in UTC; no leap second. */
    readonly saleStartsAt?: string;
    /** When the sale window ends; open-ended when absent. RFC 3339 with its offset, T and Z in capitals, to the millisecond at most, in a year from 0000 to 9999 in UTC; no leap second. */
    readonly saleEndsAt?: string;
    /** The only currency: US dollars. */
    readonly currency?: 'USD';
    /** Whether it can be ordered; `in_stock` when absent in a request. */
    readonly availability?: 'in_stock' | 'out_of_stock';
    /** Absent when stock is not counted; 0 shows it out of stock. */
    readonly stock?: number;
    /** False keeps the product and takes it out of the channel catalog; true when absent in a request. */
    readonly active?: boolean;
    /** A category of the store; none when empty. */
    readonly categoryExternalId?: string;
    /** Each is a catalog item of its own, grouped under the product; without any the product is the one item. */
    readonly variants?: readonly (Schemas['VariantBody'])[] | null;
  };
  /** Products to create or change, all or none. */
  BatchBody: {
    /** Each externalId once. */
    readonly products: readonly (Schemas['ProductUpsertBody'])[];
  };
  /** Results of a batch, one for each product. */
  BatchResultBody: {
    /** In the order of the request. */
    readonly results: readonly (Schemas['UpsertResultBody'])[];
  };
  /** Where the store delivers, and for how much. */
  DeliveryAreaBody: {
    /** The name that the customer picks at checkout. Names that differ only in case or in blanks around them are the same name. Holds something visible: not only blanks and invisible characters, such as zero-width spaces (Unicode category Cf). */
    readonly name: string;
    /** Fee of a delivery there, in cents. */
    readonly feeCents: number;
    /** Only active areas are offered in checkout. */
    readonly active: boolean;
    /** Absent for a new area. */
    readonly id?: string;
  };
  /** Delivery settings of a store. */
  DeliveryBody: {
    /** Customers may choose delivery in checkout. */
    readonly deliveryEnabled: boolean;
    /** Customers may choose to pick the order up. */
    readonly pickupEnabled: boolean;
    /** Shown to the customer for pickup orders. */
    readonly pickupAddress: string;
    /** Ask for a location pin after a checkout with delivery. */
    readonly requestLocation: boolean;
    /** Order statuses the customer gets a message for. */
    readonly notifyStatuses: readonly ('awaiting_payment' | 'paid' | 'preparing' | 'out_for_delivery' | 'delivered' | 'cancelled' | 'refunded')[];
    /** In the order checkout lists them. */
    readonly areas: readonly (Schemas['DeliveryAreaBody'])[];
    /** Delivery is free from this order amount on, after discounts; never when absent. */
    readonly freeDeliveryAboveCents?: number;
    /** An addition to the specification: where the store takes wallets, customers may also pay in cash on delivery. Default: false. */
    readonly cashOnDelivery?: boolean;
    /** An addition to the specification: number of days for which the prices of an order are valid until its checkout. Default: 7. After that, the order is priced again at checkout; after 30 days, or this many if more, it is cancelled. 0 turns both off. */
    readonly cartValidDays?: number;
    /** An addition to the specification: number of hours after checkout when an unpaid order is cancelled. Default: 24. Its promotions can then be used again, and a late payment is refunded. 0 turns this off. */
    readonly unpaidHours?: number;
    /** False while the store has saved none and the defaults apply. */
    readonly saved: boolean;
  };
  /** Delivery settings, which replace the saved ones. */
  DeliverySettingsBody: {
    /** Customers may choose delivery in checkout. */
    readonly deliveryEnabled: boolean;
    /** Customers may choose to pick the order up. */
    readonly pickupEnabled: boolean;
    /** Shown to the customer for pickup orders. */
    readonly pickupAddress: string;
    /** Ask for a location pin after a checkout with delivery. */
    readonly requestLocation: boolean;
    /** Order statuses the customer gets a message for. */
    readonly notifyStatuses: readonly ('awaiting_payment' | 'paid' | 'preparing' | 'out_for_delivery' | 'delivered' | 'cancelled' | 'refunded')[];
    /** In the order checkout lists them. */
    readonly areas: readonly (Schemas['DeliveryAreaBody'])[];
    /** Delivery is free from this order amount on, after discounts; never when absent. */
    readonly freeDeliveryAboveCents?: number;
    /** An addition to the specification: where the store takes wallets, customers may also pay in cash on delivery. Default: false. */
    readonly cashOnDelivery?: boolean;
    /** An addition to the specification: number of days for which the prices of an order are valid until its checkout. Default: 7. After that, the order is priced again at checkout; after 30 days, or this many if more, it is cancelled. 0 turns both off. */
    readonly cartValidDays?: number;
    /** An addition to the specification: number of hours after checkout when an unpaid order is cancelled. Default: 24. Its promotions can then be used again, and a late payment is refunded. 0 turns this off. */
    readonly unpaidHours?: number;
  };
  /** A list of customer phone numbers that promotions can target. */
  NumberListBody: {
    /** Id in this service. */
    readonly id: string;
    /** As the store knows it. */
    readonly name: string;
    /** `uploaded`: the numbers given; `past_orders`: every customer with minOrders paid orders. */
    readonly kind: 'uploaded' | 'past_orders';
    /** Number of paid orders that a customer needs. Required for past_orders. */
    readonly minOrders?: number;
    /** Numbers in an uploaded list. */
    readonly size: number;
    /** Promotions that use the list. */
    readonly usedBy: number;
    /** In E.164, without duplicates. Only when a single list is read. */
    readonly phones?: readonly (string)[];
    /** Creation time. */
    readonly createdAt: string;
    /** Time of the last change. */
    readonly updatedAt: string;
  };
  /** All number lists of a store. */
  NumberListsBody: {
    /** Ordered by name. */
    readonly lists: readonly (Schemas['NumberListBody'])[];
  };
  /** Input for a number list. */
  NumberListFields: {
    /** As the store knows it. Holds something visible: not only blanks and invisible characters, such as zero-width spaces (Unicode category Cf). */
    readonly name: string;
    /** uploaded: the numbers given; past_orders: every customer with minOrders paid orders. */
    readonly kind: 'uploaded' | 'past_orders';
    /** Number of paid orders that a customer needs. Required for past_orders. */
    readonly minOrders?: number;
    /** For uploaded: international numbers with country code. None when absent. */
    readonly phones?: readonly (string)[] | null;
  };
  /** A discount, and how often it was used. */
  PromotionBody: {
    /** Id in this service. */
    readonly id: string;
    /** As the store knows it, in one line; also given as the reason of a discount. */
    readonly name: string;
    /** `flash_sale` lowers prices inside its window and shows in the channel catalog; `number_list` is for the numbers of a list; `coupon` needs its code in checkout. */
    readonly kind: 'flash_sale' | 'number_list' | 'coupon';
    /** What it applies to; `all` when absent in a request. */
    readonly scope: 'all' | 'products' | 'categories';
    /** Used when scope is products. */
    readonly productExternalIds: readonly (string)[];
    /** Used when scope is categories. */
    readonly categoryExternalIds: readonly (string)[];
    /** Exactly one of percentOff and amountOffCents. */
    readonly percentOff?: number;
    /** Per unit for a flash sale, off the products in scope otherwise. Only without percentOff. */
    readonly amountOffCents?: number;
    /** Of a coupon alone, in one line; compared without case. */
    readonly code?: string;
    /** Required for number_list; only the numbers of this list get it. */
    readonly numberListId?: string;
    /** Applies only from this cart subtotal. */
    readonly minSubtotalCents?: number;
    /** Uses per customer number, for coupon and number_list. */
    readonly maxPerCustomer?: number;
    /** Uses across all customers, for coupon and number_list. */
    readonly maxRedemptions?: number;
    /** Adds to other combinable promotions; otherwise only the best discount applies. */
    readonly combinable?: boolean;
    /** Open from now when absent. */
    readonly startsAt?: string;
    /** Open-ended when absent. */
    readonly endsAt?: string;
    /** False turns it off; true when absent in a request. */
    readonly active: boolean;
    /** Active and inside its window now. */
    readonly open: boolean;
    /** Orders that used it. */
    readonly redemptions: number;
    /** Creation time. */
    readonly createdAt: string;
    /** Time of the last change. */
    readonly updatedAt: string;
  };
  /** All promotions of a store. */
  PromotionsBody: {
    /** Newest first. */
    readonly promotions: readonly (Schemas['PromotionBody'])[];
  };
  /** Input for a promotion. */
  PromotionFields: {
    /** As the store knows it, in one line; also given as the reason of a discount. Holds something visible: not only blanks and invisible characters, such as zero-width spaces (Unicode category Cf). */
    readonly name: string;
    /** `flash_sale` lowers prices inside its window and shows in the channel catalog; `number_list` is for the numbers of a list; `coupon` needs its code in checkout. */
    readonly kind: 'flash_sale' | 'number_list' | 'coupon';
    /** What it applies to; `all` when absent in a request. */
    readonly scope?: 'all' | 'products' | 'categories';
    /** Used when scope is products. */
    readonly productExternalIds?: readonly (string)[] | null;
    /** Used when scope is categories. */
    readonly categoryExternalIds?: readonly (string)[] | null;
    /** Exactly one of percentOff and amountOffCents. */
    readonly percentOff?: number;
    /** Per unit for a flash sale, off the products in scope otherwise. Only without percentOff. */
    readonly amountOffCents?: number;
    /** Of a coupon alone, in one line; compared without case. */
    readonly code?: string;
    /** Required for number_list; only the numbers of this list get it. */
    readonly numberListId?: string;
    /** Applies only from this cart subtotal. */
    readonly minSubtotalCents?: number;
    /** Uses per customer number, for coupon and number_list. */
    readonly maxPerCustomer?: number;
    /** Uses across all customers, for coupon and number_list. */
    readonly maxRedemptions?: number;
    /** Adds to other combinable promotions; otherwise only the best discount applies. */
    readonly combinable?: boolean;
    /** Open from now when absent. RFC 3339 with its offset, T and Z in capitals, to the millisecond at most, in a year from 0000 to 9999 in UTC; no leap second. */
    readonly startsAt?: string;
    /** Open-ended when absent. RFC 3339 with its offset, T and Z in capitals, to the millisecond at most, in a year from 0000 to 9999 in UTC; no leap second. */
    readonly endsAt?: string;
    /** False turns it off; true when absent in a request. */
    readonly active?: boolean;
  };
  /** One line of an order, as it was priced. */
  StoreOrderItemBody: {
    /** Name of the product when the order was placed. */
    readonly name: string;
    /** The partner's own id of the product. */
    readonly productExternalId: string;
    /** The catalog retailer id that the customer ordered. */
    readonly retailerId: string;
    /** How many. */
    readonly quantity: number;
    /** The store's price when the order was priced. */
    readonly unitPriceCents: number;
    /** Of the variant. */
    readonly color?: string;
    /** Of the variant. */
    readonly size?: string;
  };
  /** One step of the history of an order. */
  StoreOrderEventBody: {
    /** When it happened. */
    readonly at: string;
    /** What happened. */
    readonly kind: 'created' | 'summary_sent' | 'status_changed' | 'checkout' | 'location' | 'customer_notified' | 'customer_not_notified' | 'payment_failed';
    /** Who did it. */
    readonly actorType: 'member' | 'partner_key' | 'api_key' | 'customer' | 'system';
    /** Id of the actor, such as that of the member or the key. */
    readonly actorId?: string;
    /** With status_changed: the previous status. */
    readonly fromStatus?: 'new' | 'awaiting_payment' | 'paid' | 'preparing' | 'out_for_delivery' | 'delivered' | 'cancelled' | 'refunded';
    /** With status_changed: the new status. */
    readonly toStatus?: 'new' | 'awaiting_payment' | 'paid' | 'preparing' | 'out_for_delivery' | 'delivered' | 'cancelled' | 'refunded';
    /** The note; for a cancellation, the reason. */
    readonly note?: string;
  };
  /** An order of a customer, priced from the store's catalog. */
  StoreOrderBody: {
    /** Id in this service. */
    readonly id: string;
    /** The store's own order number. */
    readonly number: number;
    /** Statuses only move forward. */
    readonly status: 'new' | 'awaiting_payment' | 'paid' | 'preparing' | 'out_for_delivery' | 'delivered' | 'cancelled' | 'refunded';
    /** Statuses that the store may set now; in a closed store `cancelled` at most, by cancelling the order. */
    readonly nextStatuses: readonly ('new' | 'awaiting_payment' | 'paid' | 'preparing' | 'out_for_delivery' | 'delivered' | 'cancelled' | 'refunded')[];
    /** As the customer chose in checkout. */
    readonly fulfilment?: 'delivery' | 'pickup';
    /** The only currency: US dollars. */
    readonly currency: 'USD';
    /** Sum of the items, in cents. */
    readonly subtotalCents: number;
    /** Discount by promotions, in cents. */
    readonly discountCents: number;
    /** Fee of the delivery area, in cents. */
    readonly deliveryFeeCents: number;
    /** subtotalCents - discountCents + deliveryFeeCents */
    readonly totalCents: number;
    /** Sum of the quantities. */
    readonly itemCount: number;
    /** Empty when the channel does not share the number. */
    readonly customerPhone: string;
    /** The name that the customer gave, or that the channel shows. */
    readonly customerName?: string;
    /** The number that the customer left in checkout. */
    readonly contactPhone?: string;
    /** Where to deliver, in the words of the customer. */
    readonly address?: string;
    /** Name of the area, as it was when the order was priced. */
    readonly deliveryArea?: string;
    /** The code that the customer entered. */
    readonly couponCode?: string;
    /** Why it was cancelled. */
    readonly cancelReason?: string;
    /** The promotions that make up the discount, flash sales in the unit prices, and what does not add to them. */
    readonly discountReason?: string;
    /** Cart items that were left out, and why. */
    readonly note?: string;
    /** Beyond the specification: what the customer wrote with the cart, such as "no onions please". */
    readonly customerNote?: string;
    /** When the customer checked out; absent before. */
    readonly checkedOutAt?: string;
    /** The conversation that the order came from. */
    readonly conversationId?: string;
    /** The team of that conversation. */
    readonly teamId?: string;
    /** The pin that the customer shared after checkout. */
    readonly location?: { readonly latitude: number; readonly longitude: number; };
    /** On a single order only. */
    readonly items?: readonly (Schemas['StoreOrderItemBody'])[];
    /** History, oldest first; on a single order only. */
    readonly events?: readonly (Schemas['StoreOrderEventBody'])[];
    /** Creation time. */
    readonly createdAt: string;
    /** Time of the last change. */
    readonly updatedAt: string;
  };
  /** A page of orders. */
  StoreOrdersBody: {
    /** Newest first, without their items and history. */
    readonly orders: readonly (Schemas['StoreOrderBody'])[];
    /** Cursor of the next page, to be sent unchanged; absent on the last one. */
    readonly next?: string;
  };
  /** Input for a cancellation. */
  OrderCancelBody: {
    /** Stored in the history as the reason. */
    readonly reason?: string;
  };
  /** Input for a change of status. */
  OrderStatusBody: {
    /** One of the order's nextStatuses. */
    readonly status: 'preparing' | 'out_for_delivery' | 'delivered' | 'cancelled';
    /** Stored in the history; for cancelled, the reason. */
    readonly note?: string;
  };
  /** Sales of one day. */
  SalesDayBody: {
    /** The day, in the store's time zone. */
    readonly date: string;
    /** Carts that became orders. */
    readonly placed: number;
    /** Orders whose checkout form was answered. */
    readonly checkedOut: number;
    /** Orders that were paid, or handed over for cash. */
    readonly sold: number;
    /** Totals of the orders that were sold, in cents. */
    readonly revenueCents: number;
    /** Part of the revenue that is delivery fees, in cents. */
    readonly deliveryFeeCents: number;
    /** Discounts of the orders that were sold, in cents. */
    readonly discountCents: number;
    /** Sold orders that were cancelled. */
    readonly returned: number;
    /** Totals of the orders that were returned, in cents. */
    readonly returnedCents: number;
    /** Payment attempts that failed. */
    readonly paymentFailures: number;
  };
  /** Number of orders in one status. */
  OrderStatusCountBody: {
    /** Present status of these orders. */
    readonly status: 'new' | 'awaiting_payment' | 'paid' | 'preparing' | 'out_for_delivery' | 'delivered' | 'cancelled' | 'refunded';
    /** Number of orders, 10,000 at most. */
    readonly orders: number;
  };
  /** Sales of one product. */
  SoldProductBody: {
    /** The partner's own id of the product. */
    readonly productExternalId: string;
    /** As it was sold last. */
    readonly name: string;
    /** Units sold, less those of orders that were returned. */
    readonly quantity: number;
    /** Revenue without delivery, less returns, in cents. */
    readonly revenueCents: number;
  };
  /** Uses and cost of one promotion. */
  PromotionCostBody: {
    /** Id of the promotion. */
    readonly promotionId: string;
    /** As it was used last. */
    readonly name: string;
    /** Sold orders with this promotion, less those that were returned. */
    readonly uses: number;
    /** Discount of these orders, in cents. */
    readonly discountCents: number;
  };
  /** What needs attention in the store. */
  StoreAttentionBody: {
    /** Conversations with unread messages, 1,000 at most. */
    readonly waitingChats: number;
    /** Time of the first unread message; absent if there is none. */
    readonly waitingSince?: string;
    /** Products of which the channel rejected an item, 1,000 at most. */
    readonly rejectedItems: number;
    /** The store's webhook endpoints that fail or were disabled after failing. */
    readonly failingEndpoints: number;
  };
  /** Sales of a store by day, and what needs attention. */
  StoreReportBody: {
    /** First day. */
    readonly from: string;
    /** Last day. */
    readonly to: string;
    /** Time zone of the days. */
    readonly timezone: string;
    /** The only currency: US dollars. */
    readonly currency: 'USD';
    /** Every day of the range, in order. */
    readonly days: readonly (Schemas['SalesDayBody'])[];
    /** Orders that were placed in the range, by their present status. */
    readonly ordersByStatus: readonly (Schemas['OrderStatusCountBody'])[];
    /** The ten products with the highest revenue. */
    readonly topProducts: readonly (Schemas['SoldProductBody'])[];
    /** The ten promotions with the highest discounts. */
    readonly promotions: readonly (Schemas['PromotionCostBody'])[];
    readonly attention: Schemas['StoreAttentionBody'];
  };
  /** A customer, as the business knows them. */
  ContactBody: {
    /** Id in this service. */
    readonly id: string;
    /** E.164; empty when the channel never shared it. */
    readonly phone: string;
    /** Empty when it is not known. */
    readonly name: string;
    /** Language of the automatic menu. */
    readonly language: 'en' | 'so' | 'ar';
    /** Labels that the business has set. */
    readonly tags: readonly (string)[];
    /** The business's own id. */
    readonly externalRef?: string;
    /** The name on the customer's channel profile. */
    readonly channelName?: string;
  };
  /** Messages between a business number and one customer. */
  ConversationBody: {
    /** Id in this service. */
    readonly id: string;
    /** The business channel number written to. */
    readonly numberId: string;
    readonly contact: Schemas['ContactBody'];
    /** `awaiting_menu`: the customer has not picked a team yet. */
    readonly routingState: 'awaiting_menu' | 'routed';
    /** `snoozed`: hidden until snoozedUntil. */
    readonly status: 'open' | 'closed' | 'snoozed';
    /** Messages and missed calls of the customer since the business last wrote or read. */
    readonly unreadCount: number;
    /** Time when the last message was received or queued. */
    readonly lastMessageAt: string;
    /** Listed first. */
    readonly pinned: boolean;
    /** Creation time. */
    readonly createdAt: string;
    /** Time of the last change. */
    readonly updatedAt: string;
    /** The assigned member. */
    readonly assigneeMemberId?: string;
    /** When it was closed. */
    readonly closedAt?: string;
    /** When it opens again. */
    readonly snoozedUntil?: string;
    /** Absent until the customer picks a team from the menu. */
    readonly teamId?: string;
    /** Time when a conversation that waits for a menu choice is assigned to the default team. */
    readonly routingDeadline?: string;
    /** Until then any message can be sent, afterwards only an approved template. */
    readonly windowExpiresAt?: string;
    /** Summary of the last message, for lists. */
    readonly lastMessage?: { readonly direction: 'inbound' | 'outbound' | 'internal'; readonly type: 'text' | 'image' | 'video' | 'audio' | 'document' | 'sticker' | 'location' | 'template' | 'reaction' | 'interactive' | 'contacts' | 'unsupported' | 'note' | 'call' | 'order'; readonly text: string; readonly status: 'received' | 'pending' | 'sent' | 'delivered' | 'read' | 'failed' | 'saved'; readonly deleted: boolean; };
    /** Beyond the specification: the conversation to write to, since its customer was merged with another one. This conversation stays readable. */
    readonly mergedInto?: string;
  };
  /** A page of conversations. */
  ConversationListOutputBody: {
    /** Pinned ones first, then by their last message, latest first. */
    readonly conversations: readonly (Schemas['ConversationBody'])[];
    /** Cursor of the next page, to be sent unchanged; absent on the last one. */
    readonly next?: string;
  };
  /** One value; exactly the member that belongs to its type is given. */
  TemplateParameterBody: {
    /** Which kind of value. */
    readonly type: 'text' | 'currency' | 'date_time' | 'image' | 'video' | 'document' | 'location' | 'payload' | 'coupon_code';
    /** Of a named variable; with text, currency and date_time. */
    readonly parameterName?: string;
    /** With text: for variables of the header, the body, and the address of a button. Not blank; no line breaks, no tabs, no more than four spaces in a row. */
    readonly text?: string;
    /** With currency. */
    readonly currency?: { readonly amount1000: number; readonly code: string; readonly fallbackValue: string; };
    /** With date_time. */
    readonly dateTime?: { readonly fallbackValue: string; };
    /** With image, video and document: by link or by fileId. */
    readonly media?: { readonly link?: string; readonly fileId?: string; readonly filename?: string; };
    /** A place on the map. */
    readonly location?: { readonly latitude: number; readonly longitude: number; readonly name?: string; readonly address?: string; };
    /** With payload: returned when the quick reply is tapped. */
    readonly payload?: string;
    /** With coupon_code: what the button copies. */
    readonly couponCode?: string;
  };
  /** Values for one part of a template. */
  TemplateComponentBody: {
    /** The part. */
    readonly type: 'header' | 'body' | 'button';
    /** With button: which kind of button. */
    readonly subType?: 'quick_reply' | 'url' | 'copy_code';
    /** With button: its place among the template's, from 0. */
    readonly index?: number;
    /** In the order of the variables. */
    readonly parameters?: readonly (Schemas['TemplateParameterBody'])[];
  };
  /** An approved template, with values for its variables. */
  TemplateSendBody: {
    /** The template. */
    readonly templateId: string;
    /** Values for the parts that have variables. */
    readonly components?: readonly (Schemas['TemplateComponentBody'])[];
  };
  /** A message to send, with the one of text, media and template that its type requires. */
  SendBody: {
    /** Sending it again returns the message already queued, whatever else the body says. */
    readonly clientMsgId: string;
    /** Type of the message. Outside the 24-hour window, only `template`. */
    readonly type: 'text' | 'image' | 'video' | 'audio' | 'document' | 'sticker' | 'template';
    /** The message, or the caption of an image, video or document; a caption has at most 1,024 characters. Not blank; absent with a template. */
    readonly text?: string;
    /** With image, video, audio, document and sticker. */
    readonly media?: { readonly fileId: string; readonly filename?: string; };
    /** A message of this conversation. */
    readonly replyToMessageId?: string;
    readonly template?: Schemas['TemplateSendBody'];
  };
  /** The customer to write to, and an approved template. */
  StartInputBody: {
    /** With country code. */
    readonly phone: string;
    readonly message: Schemas['SendBody'];
    /** The team the conversation belongs to; the routing's default team when it is one of yours. */
    readonly teamId?: string;
  };
  /** The template that a message was created from. */
  TemplateRefBody: {
    /** Absent for a template of the service itself. */
    readonly templateId?: string;
    /** Name of the template. */
    readonly name: string;
    /** The channel's language code. */
    readonly language: string;
  };
  /** A message of a conversation, with the one object that its type requires. */
  MessageBody: {
    /** Id in this service. */
    readonly id: string;
    /** The conversation that it belongs to. */
    readonly conversationId: string;
    /** `internal` is a note that only the team sees. */
    readonly direction: 'inbound' | 'outbound' | 'internal';
    /** Type of the message; `unsupported` for content that the channel does not deliver. */
    readonly type: 'text' | 'image' | 'video' | 'audio' | 'document' | 'sticker' | 'location' | 'template' | 'reaction' | 'interactive' | 'contacts' | 'unsupported' | 'note' | 'call' | 'order';
    /** Text, caption or note; empty when deleted. */
    readonly text: string;
    /** Never goes back; `pending` until the channel accepts it, `saved` for notes. */
    readonly status: 'received' | 'pending' | 'sent' | 'delivered' | 'read' | 'failed' | 'saved';
    /** The last reaction of each side. */
    readonly reactions: readonly ({ readonly by: 'contact' | 'member'; readonly emoji: string; readonly memberId?: string; })[];
    /** It was taken back. */
    readonly deleted: boolean;
    /** Time when the service received or queued it. */
    readonly createdAt: string;
    /** Your own id of the message, from the request that sent it. */
    readonly clientMsgId?: string;
    /** When the channel accepted it; of a customer's message, when the customer sent it. */
    readonly sentAt?: string;
    /** When it reached the customer's device. */
    readonly deliveredAt?: string;
    /** When the customer read it. */
    readonly readAt?: string;
    /** Time of the final failure. */
    readonly failedAt?: string;
    /** The channel's code of the failure. */
    readonly errorCode?: string;
    /** Why it failed, written for the agent. */
    readonly errorMessage?: string;
    /** Forwarded by the customer from another chat. */
    readonly forwarded?: boolean;
    /** Id of the message that this one replies to. */
    readonly replyToMessageId?: string;
    /** Absent for messages of the customer and automatic ones. */
    readonly sentByMemberId?: string;
    /** Requests the customer's location. */
    readonly locationRequest?: boolean;
    /** With call: a call of the customer. */
    readonly call?: { readonly callId: string; readonly missed: boolean; readonly reason?: string; };
    /** Beyond the specification: parts of a customer's message beyond the fields of its type. */
    readonly details?: { readonly edited?: boolean; readonly editsMessageId?: string; readonly cut?: readonly (string)[]; readonly channel?: Readonly<Record<string, unknown>>; readonly notice?: string; };
    /** The customer's tap on a button or a row of a list. */
    readonly choice?: { readonly title: string; readonly id?: string; readonly description?: string; };
    /** A button that opens an interactive form. */
    readonly flow?: { readonly cta: string; };
    /** The customer's answers to a form. */
    readonly flowReply?: { readonly fields: readonly ({ readonly name: string; readonly value: unknown; })[]; readonly name?: string; };
    /** A place on the map. */
    readonly location?: { readonly latitude: number; readonly longitude: number; readonly name?: string; readonly address?: string; };
    /** A picture, film, sound, document or sticker. */
    readonly media?: { readonly status: 'pending' | 'ready' | 'failed'; readonly fileId?: string; readonly filename?: string; readonly mimeType?: string; readonly caption?: string; readonly voice?: boolean; };
    /** Buttons or a list that the business sent. */
    readonly menu?: { readonly body: string; readonly options: readonly ({ readonly id: string; readonly title: string; })[]; readonly headerImage?: string; readonly listButton?: string; };
    /** A cart that the customer sent. */
    readonly order?: { readonly items: readonly ({ readonly productRetailerId: string; readonly quantity: number; readonly currency?: string; readonly itemPrice?: string; })[]; readonly catalogId?: string; readonly text?: string; };
    /** Items of the store's catalog that the business sent. */
    readonly products?: { readonly kind: 'product' | 'product_list' | 'carousel' | 'catalog_message'; readonly sections: readonly ({ readonly retailerIds: readonly (string)[]; readonly title?: string; })[]; readonly header?: string; };
    readonly template?: Schemas['TemplateRefBody'];
  };
  /** The conversation, and the message that was queued in it. */
  StartOutputBody: {
    readonly conversation: Schemas['ConversationBody'];
    readonly message: Schemas['MessageBody'];
  };
  /** A page of messages. */
  ThreadOutputBody: {
    /** Newest first. */
    readonly messages: readonly (Schemas['MessageBody'])[];
    /** Cursor of the next page, to be sent unchanged; absent on the last one. */
    readonly next?: string;
  };
  /** What changes about a conversation. */
  UpdateConversationInputBody: {
    /** `snoozed` needs snoozedUntil. */
    readonly status?: 'open' | 'snoozed' | 'closed';
    /** With the status `snoozed`: a time of the coming 366 days, to the millisecond. RFC 3339 with its offset, T and Z in capitals, to the millisecond at most, in a year from 0000 to 9999 in UTC; no leap second. */
    readonly snoozedUntil?: string;
    /** An active member of the store; null: nobody. */
    readonly assigneeMemberId?: string | null;
    /** A team of the store; null: every member sees the conversation. */
    readonly teamId?: string | null;
    /** Pinned ones are first in the list. */
    readonly pinned?: boolean;
    /** Nothing is unread any more. */
    readonly read?: true;
  };
  /** A file of the store. */
  FileBody: {
    /** Id in this service. */
    readonly id: string;
    /** Original name, with the extension of its detected type. */
    readonly name: string;
    /** Detected media type of the bytes. */
    readonly mimeType: string;
    /** In bytes. */
    readonly size: number;
    /** Type of message that it can be sent as. */
    readonly kind: 'image' | 'video' | 'audio' | 'document' | 'sticker';
    /** SHA-256 of the bytes, in hex. */
    readonly sha256: string;
    /** When it was stored. */
    readonly createdAt: string;
  };
  /** A recording that calls can play. */
  RecordingBody: {
    /** Id in this service. */
    readonly id: string;
    /** As the store knows it. */
    readonly name: string;
    /** What it is for. */
    readonly kind: 'greeting' | 'option' | 'fallback_closed' | 'fallback_prayer' | 'fallback_missed' | 'hold' | 'custom';
    /** `default`: provided by the service. */
    readonly source: 'recorded' | 'uploaded' | 'default';
    /** State of the last upload. */
    readonly status: 'processing' | 'ready' | 'failed';
    /** Calls can play it: a replacement that is processing or failed leaves the previous sound playing. */
    readonly playable: boolean;
    /** The workspace's fallback for its kind and language; it can be replaced and not deleted. */
    readonly isDefault: boolean;
    /** Id of the creator; `operator`, or `system` for defaults. */
    readonly createdBy: string;
    /** Creation time. */
    readonly createdAt: string;
    /** Time of the last change. */
    readonly updatedAt: string;
    /** A recording in use cannot be deleted. */
    readonly uses: readonly ({ readonly kind: 'team_queue'; readonly teamId: string; readonly field: 'hold' | 'closed' | 'missed'; })[];
    /** Language; absent when it plays for any. */
    readonly language?: 'en' | 'so' | 'ar';
    /** Of the sound that calls play. */
    readonly durationMs?: number;
    /** Of the sound that calls play, in bytes. */
    readonly size?: number;
    /** Why the last upload failed. */
    readonly failureCode?: 'too_short' | 'too_long' | 'unreadable' | 'processing_error';
    /** Why the last upload failed, for people. */
    readonly failureReason?: string;
  };
  /** All recordings of a store. */
  RecordingsBody: {
    /** All recordings: the defaults, then the others, oldest first. */
    readonly recordings: readonly (Schemas['RecordingBody'])[];
    /** Recordings that count toward the plan's limit: all but the defaults. */
    readonly count: number;
    /** The plan's limit; 0 when unlimited. */
    readonly limit: number;
    /** The plan sets no limit. */
    readonly unlimited: boolean;
  };
  /** A wallet, by its id. */
  PaymentWallet: 'evc_plus' | 'zaad' | 'sahal' | 'waafi' | 'edahab' | 'jeeb';
  /** A wallet that customers can pay with. */
  PaymentWalletOptionBody: {
    readonly id: Schemas['PaymentWallet'];
    /** As customers see it. */
    readonly name: string;
  };
  /** Payment settings of a store. */
  PaymentSettingsBody: {
    /** A payment provider is configured on the server; otherwise no store accepts payments. */
    readonly available: boolean;
    /** The store's account at the payment provider is saved. */
    readonly saved: boolean;
    /** The store's id at the payment provider. */
    readonly merchantId?: string;
    /** Last four characters of the saved key. The rest is never shown. */
    readonly last4?: string;
    /** Wallets that the payment provider offers. */
    readonly options: readonly (Schemas['PaymentWalletOptionBody'])[];
    /** Wallets that customers may pay with, in display order. */
    readonly wallets: readonly (Schemas['PaymentWallet'])[];
    /** Time of the last change. */
    readonly updatedAt?: string;
  };
  /** The store's account at the payment provider. */
  PaymentSettingsInputBody: {
    /** The store's id at the payment provider. */
    readonly merchantId: string;
    /** Stored encrypted, never returned. */
    readonly apiKey: string;
  };
  /** Visible part of a saved account. */
  PaymentSettingsSavedBody: {
    /** Always true. */
    readonly saved: boolean;
    /** Last four characters of the saved key. The rest is never shown. */
    readonly last4: string;
  };
  /** The wallets that customers may pay with. */
  PaymentWalletsInputBody: {
    /** Wallets that customers may pay with, in display order. */
    readonly wallets: readonly (Schemas['PaymentWallet'])[];
  };
  /** Result of checking the saved key at the payment provider. */
  PaymentKeyCheckBody: {
    /** The provider accepts the key; nobody was charged. */
    readonly ok: boolean;
    /** Reason when ok is false. */
    readonly reason?: 'refused' | 'unreachable';
  };
  /** The parts of a message template. */
  TemplateDefinitionBody: {
    /** The text, which every template has. */
    readonly body: { readonly text?: string; readonly examples?: readonly ({ readonly value: string; readonly name?: string; })[]; readonly addSecurityRecommendation?: boolean; };
    /** Above the text. */
    readonly header?: { readonly format: 'text' | 'image' | 'video' | 'document' | 'location'; readonly text?: string; readonly examples?: readonly ({ readonly value: string; readonly name?: string; })[]; readonly sampleFileId?: string; };
    /** Beneath the text. */
    readonly footer?: { readonly text?: string; readonly codeExpirationMinutes?: number; };
    /** In the order in which they are shown. */
    readonly buttons?: readonly ({ readonly type: 'quick_reply' | 'url' | 'phone_number' | 'copy_code' | 'otp' | 'voice_call_request'; readonly text?: string; readonly url?: string; readonly phoneNumber?: string; readonly example?: string; })[];
    /** Parts shown but not editable or sendable, such as carousels. Empty in requests. */
    readonly unsupported?: readonly (string)[];
  };
  /** A message template, with its status at the provider. */
  TemplateBody: {
    /** Id in this service. */
    readonly id: string;
    /** Lower case; one for each language. */
    readonly name: string;
    /** The channel's language code, such as en_US. */
    readonly language: string;
    /** As the provider counts and prices it. */
    readonly category: 'marketing' | 'utility' | 'authentication';
    readonly definition: Schemas['TemplateDefinitionBody'];
    /** Whether variables have numbers, {{1}}, or names, {{name}}. */
    readonly parameterFormat: 'positional' | 'named';
    /** Only an `approved` one can be sent. */
    readonly status: 'submitting' | 'submit_failed' | 'pending' | 'approved' | 'rejected' | 'paused' | 'disabled' | 'in_appeal' | 'pending_deletion' | 'limit_exceeded' | 'archived' | 'deleting';
    /** An edit is on its way to the provider; of an approved template, until the provider has decided. */
    readonly editPending: boolean;
    /** Creation time. */
    readonly createdAt: string;
    /** Time of the last change. */
    readonly updatedAt: string;
    /** The provider's rating, such as GREEN. */
    readonly quality?: string;
    /** The provider's reason. */
    readonly rejectedReason?: string;
    /** Error code of the last submission, edit or deletion that the provider refused. */
    readonly errorCode?: string;
    /** Human-readable meaning of errorCode. */
    readonly errorMessage?: string;
    /** Last compared with the provider. */
    readonly syncedAt?: string;
  };
  /** A page of message templates. */
  ListOutputBody3: {
    /** By name, then language. */
    readonly templates: readonly (Schemas['TemplateBody'])[];
    /** Cursor of the next page; absent on the last one. */
    readonly next?: string;
    /** Last compared with the provider. */
    readonly syncedAt?: string;
    /** Why the last comparison failed. */
    readonly syncError?: string;
  };
  /** Input for a new message template. */
  CreateInputBody2: {
    /** Lower case; one for each language. */
    readonly name: string;
    /** The channel's language code, such as en_US. */
    readonly language: string;
    /** As the provider counts and prices it. */
    readonly category: 'marketing' | 'utility' | 'authentication';
    readonly definition: Schemas['TemplateDefinitionBody'];
  };
  /** Input for an edit of a message template. */
  EditInputBody: {
    readonly definition: Schemas['TemplateDefinitionBody'];
    /** Unchanged when absent. */
    readonly category?: 'marketing' | 'utility';
  };
  /** The parameters, in the form of sendMessage. */
  PreviewInputBody: {
    /** Values for the parts that have variables. */
    readonly components?: readonly (Schemas['TemplateComponentBody'])[];
  };
  /** A template with its values, as customers see it. */
  PreviewOutputBody: {
    /** The template. */
    readonly templateId: string;
    /** The text. */
    readonly body: string;
    /** In the order in which they are shown. */
    readonly buttons: readonly ({ readonly type: 'quick_reply' | 'url' | 'phone_number' | 'copy_code' | 'otp' | 'voice_call_request'; readonly text?: string; readonly url?: string; readonly phoneNumber?: string; readonly code?: string; readonly payload?: string; })[];
    /** Header, body and footer as plain text. */
    readonly text: string;
    /** Above the text. */
    readonly header?: { readonly format: 'text' | 'image' | 'video' | 'document' | 'location'; readonly text?: string; readonly media?: { readonly link?: string; readonly fileId?: string; readonly filename?: string; }; readonly location?: { readonly latitude: number; readonly longitude: number; readonly name?: string; readonly address?: string; }; };
    /** Beneath the text. */
    readonly footer?: string;
  };
  /** A webhook endpoint, with the state of its deliveries. */
  WebhookEndpointBody: {
    /** Id in this service. */
    readonly id: string;
    /** URL that events are posted to. */
    readonly url: string;
    /** Description written by the owner. */
    readonly description: string;
    /** Event types received. */
    readonly events: readonly (string)[];
    /** `disabled`: nothing is posted. */
    readonly status: 'active' | 'disabled';
    /** The signing secret's prefix and last four characters. */
    readonly secretMasked: string;
    /** Creation time. */
    readonly createdAt: string;
    /** Time of the last change. */
    readonly updatedAt: string;
    /** Id of the creator: the key that was used. */
    readonly createdBy: string;
    /** When it was turned off. */
    readonly disabledAt?: string;
    /** `failing`: every delivery failed for 3 days; `manual`: the owner turned it off. */
    readonly disabledReason?: 'failing' | 'manual';
    /** Deliveries have failed since then without a success. */
    readonly failingSince?: string;
    /** When a delivery last succeeded. */
    readonly lastSuccessAt?: string;
    /** Until then deliveries are also signed with the secret before the rotation. */
    readonly previousSecretExpiresAt?: string;
  };
  /** All webhook endpoints of their owner. */
  WebhookEndpointsOutputBody: {
    /** Newest first. */
    readonly endpoints: readonly (Schemas['WebhookEndpointBody'])[];
  };
  /** Input for a new webhook endpoint. */
  CreatePartnerEndpointInputBody: {
    /** https, on the public internet, port 443 or from 1024 on. */
    readonly url: string;
    /** Event types to receive. Duplicates count once. */
    readonly events: readonly ('message.received' | 'message.updated' | 'call.missed' | 'order.created' | 'order.checked_out' | 'order.paid' | 'order.payment_failed' | 'order.status_changed' | 'order.refunded' | 'product.sync_changed' | 'conversation.merged' | 'webhook.test')[];
    /** Description written by the owner. */
    readonly description?: string;
  };
  /** A webhook endpoint, and its signing secret. */
  WebhookSecretOutputBody: {
    readonly endpoint: Schemas['WebhookEndpointBody'];
    /** Shown only in this answer; absent when it is an idempotent replay. */
    readonly secret?: string;
  };
  /** Changes to a webhook endpoint. */
  UpdatePartnerEndpointInputBody: {
    /** https, on the public internet, port 443 or from 1024 on. */
    readonly url?: string;
    /** Event types to receive. Duplicates count once. */
    readonly events?: readonly ('message.received' | 'message.updated' | 'call.missed' | 'order.created' | 'order.checked_out' | 'order.paid' | 'order.payment_failed' | 'order.status_changed' | 'order.refunded' | 'product.sync_changed' | 'conversation.merged' | 'webhook.test')[] | null;
    /** Description written by the owner. */
    readonly description?: string;
    /** `active` turns a disabled endpoint back on; `disabled` turns it off. */
    readonly status?: 'active' | 'disabled';
  };
  /** One attempt to deliver an event. */
  WebhookDeliveryBody: {
    /** Id in this service. */
    readonly id: string;
    /** Id in the delivered body: receivers count each once. */
    readonly eventId: string;
    /** Type of the event. */
    readonly eventType: string;
    /** From 1. */
    readonly attempt: number;
    /** Creation time. */
    readonly attemptedAt: string;
    /** Duration of the attempt, in ms. */
    readonly latencyMs: number;
    /** An answer 2xx within 10 seconds is a success. */
    readonly status: 'succeeded' | 'failed';
    /** Why it was sent. */
    readonly trigger: 'event' | 'replay' | 'test';
    /** HTTP status of the response; absent if there was none. */
    readonly responseCode?: number;
    /** Reason of the failure, if the code does not show it. */
    readonly error?: string;
    /** Absent after a success and after the last attempt. */
    readonly nextRetryAt?: string;
    /** An addition: the store that the event happened in. */
    readonly workspaceId?: string;
    /** An addition: the partner's own id of that store; only of a partner's stores. */
    readonly storeExternalRef?: string;
  };
  /** A page of the delivery log. */
  WebhookDeliveriesOutputBody: {
    /** Every attempt, latest first. */
    readonly deliveries: readonly (Schemas['WebhookDeliveryBody'])[];
    /** Cursor of the next page, to be sent unchanged; absent on the last one. */
    readonly next?: string;
  };
  /** Time range of the events to resend. */
  WebhookReplayInputBody: {
    /** At most 30 days ago, and not in the future. RFC 3339 with its offset, T and Z in capitals, to the millisecond at most, in a year from 0000 to 9999 in UTC; no leap second. */
    readonly since: string;
    /** End of the range, exclusive; must be after since. Default: now. RFC 3339 with its offset, T and Z in capitals, to the millisecond at most, in a year from 0000 to 9999 in UTC; no leap second. */
    readonly until?: string;
  };
  /** The test that was queued. */
  WebhookTestOutputBody: {
    /** Of the `webhook.test` event. */
    readonly eventId: string;
  };
  /** A type of event that an endpoint can receive. */
  WebhookEventTypeBody: {
    /** As in `events` of an endpoint. */
    readonly type: string;
    /** When the event is sent, and what it contains. */
    readonly description: string;
    /** False while nothing sends it yet; it can be subscribed to. */
    readonly emitted: boolean;
  };
  /** All types of events. */
  WebhookEventTypesOutputBody: {
    /** In the order of the guide. */
    readonly eventTypes: readonly (Schemas['WebhookEventTypeBody'])[];
  };
  /** Input for a new webhook endpoint. */
  CreateWebhookEndpointInputBody: {
    /** https, on the public internet, port 443 or from 1024 on. */
    readonly url: string;
    /** Event types to receive. Duplicates count once. */
    readonly events: readonly ('message.received' | 'message.updated' | 'call.missed' | 'order.created' | 'order.checked_out' | 'order.paid' | 'order.payment_failed' | 'order.status_changed' | 'order.refunded' | 'product.sync_changed' | 'conversation.merged' | 'webhook.test')[];
    /** Description written by the owner. */
    readonly description?: string;
  };
  /** Changes to a webhook endpoint. */
  UpdateWebhookEndpointInputBody: {
    /** https, on the public internet, port 443 or from 1024 on. */
    readonly url?: string;
    /** Event types to receive. Duplicates count once. */
    readonly events?: readonly ('message.received' | 'message.updated' | 'call.missed' | 'order.created' | 'order.checked_out' | 'order.paid' | 'order.payment_failed' | 'order.status_changed' | 'order.refunded' | 'product.sync_changed' | 'conversation.merged' | 'webhook.test')[] | null;
    /** Description written by the owner. */
    readonly description?: string;
    /** `active` turns a disabled endpoint back on; `disabled` turns it off. */
    readonly status?: 'active' | 'disabled';
  };
  /** The actor of an event. */
  HistoryActorBody: {
    /** Kind of the actor: `system` is the service itself or its operator. */
    readonly type: 'member' | 'partner_key' | 'api_key' | 'customer' | 'system';
    /** Id of the member or the key; absent when the actor has none. */
    readonly id?: string;
    /** The member's name, the key's last four characters, or another label. */
    readonly name: string;
  };
  /** An event of the store’s history, as it is stored. */
  HistoryEventBody: {
    /** Id in this service. */
    readonly id: string;
    /** The object of the event: its kind and its id. */
    readonly stream: string;
    /** Position in the history of the object, from 0. */
    readonly revision: number;
    /** Such as OrderPlaced; docs/reference/events.md has them all. */
    readonly type: string;
    /** When it happened. */
    readonly at: string;
    readonly actor: Schemas['HistoryActorBody'];
    /** The X-Request-Id of the request that caused it. All events that a request causes share it. */
    readonly correlationId: string;
    /** Id of the command or event that caused it; absent when unknown. */
    readonly causationId?: string;
    /** As docs/reference/events.md describes it; sealed values and hashes are not shown. */
    readonly data: Readonly<Record<string, unknown>>;
  };
  /** A page of a history. */
  HistoryBody: {
    /** The oldest first. */
    readonly events: readonly (Schemas['HistoryEventBody'])[];
    /** Cursor of the next page, to be sent unchanged; absent on the last one. */
    readonly next?: string;
  };
  /** A field that differs between two times. */
  HistoryChangeBody: {
    /** Such as items[0].quantity, of the shape in which the API shows it. */
    readonly path: string;
    /** Value at the earlier time; absent when there was none. */
    readonly was?: unknown;
    /** Value at the later time; absent when there is none. */
    readonly is?: unknown;
  };
  /** Differences of an object between two times. */
  HistoryChangesBody: {
    /** Kind of the object. */
    readonly kind: 'store' | 'order' | 'product' | 'promotion' | 'conversation' | 'member' | 'key' | 'delivery';
    /** Id in this service. */
    readonly id: string;
    /** In the order of the fields; empty when nothing differs. */
    readonly changes: readonly (Schemas['HistoryChangeBody'])[];
  };
  /** Options of a console link. */
  CreateConsoleLinkInputBody: {
    /** How long the session lasts that the link opens, in minutes; 60 when absent. */
    readonly minutes?: number;
  };
  /** A link into the console, which opens it once. */
  ConsoleLinkOutputBody: {
    /** Opens the console in a browser, once. Shown once: not when the same request is sent again. */
    readonly url?: string;
    /** Expiry of the link. */
    readonly expiresAt: string;
    /** Expiry of the session that the link opens. */
    readonly sessionExpiresAt: string;
  };
  /** A customer sent a message. `data`: message, conversation. */
  MessageReceivedEvent: {
    /** The same in every attempt and replay. Process each id once. */
    readonly id: string;
    /** Type of the event. */
    readonly type: 'message.received';
    /** When it happened. */
    readonly createdAt: string;
    /** The store that it happened in. */
    readonly workspaceId: string;
    /** The partner's own id of the store; absent for stores without one. */
    readonly partner?: { readonly storeExternalRef: string; };
    /** Objects of the event, in the form in which the API returns them. */
    readonly data: { readonly message: Schemas['MessageBody']; readonly conversation: Schemas['ConversationBody']; };
  };
  /** A message changed: the status of one to a customer; the file of a received one was copied or cannot be had; a reaction; it was taken back. `data`: message, conversation. */
  MessageUpdatedEvent: {
    /** The same in every attempt and replay. Process each id once. */
    readonly id: string;
    /** Type of the event. */
    readonly type: 'message.updated';
    /** When it happened. */
    readonly createdAt: string;
    /** The store that it happened in. */
    readonly workspaceId: string;
    /** The partner's own id of the store; absent for stores without one. */
    readonly partner?: { readonly storeExternalRef: string; };
    /** Objects of the event, in the form in which the API returns them. */
    readonly data: { readonly message: Schemas['MessageBody']; readonly conversation: Schemas['ConversationBody']; };
  };
  /** A call of a customer was missed. `data`: message, conversation. */
  CallMissedEvent: {
    /** The same in every attempt and replay. Process each id once. */
    readonly id: string;
    /** Type of the event. */
    readonly type: 'call.missed';
    /** When it happened. */
    readonly createdAt: string;
    /** The store that it happened in. */
    readonly workspaceId: string;
    /** The partner's own id of the store; absent for stores without one. */
    readonly partner?: { readonly storeExternalRef: string; };
    /** Objects of the event, in the form in which the API returns them. */
    readonly data: { readonly message: Schemas['MessageBody']; readonly conversation: Schemas['ConversationBody']; };
  };
  /** A cart became an order with prices. `data`: order, as it was then. */
  OrderCreatedEvent: {
    /** The same in every attempt and replay. Process each id once. */
    readonly id: string;
    /** Type of the event. */
    readonly type: 'order.created';
    /** When it happened. */
    readonly createdAt: string;
    /** The store that it happened in. */
    readonly workspaceId: string;
    /** The partner's own id of the store; absent for stores without one. */
    readonly partner?: { readonly storeExternalRef: string; };
    /** Objects of the event, in the form in which the API returns them. */
    readonly data: { readonly order: Schemas['StoreOrderBody']; };
  };
  /** The customer checked the order out. `data`: order, as it was then. */
  OrderCheckedOutEvent: {
    /** The same in every attempt and replay. Process each id once. */
    readonly id: string;
    /** Type of the event. */
    readonly type: 'order.checked_out';
    /** When it happened. */
    readonly createdAt: string;
    /** The store that it happened in. */
    readonly workspaceId: string;
    /** The partner's own id of the store; absent for stores without one. */
    readonly partner?: { readonly storeExternalRef: string; };
    /** Objects of the event, in the form in which the API returns them. */
    readonly data: { readonly order: Schemas['StoreOrderBody']; };
  };
  /** The payment of an order arrived. `data`: order, as it was then. */
  OrderPaidEvent: {
    /** The same in every attempt and replay. Process each id once. */
    readonly id: string;
    /** Type of the event. */
    readonly type: 'order.paid';
    /** When it happened. */
    readonly createdAt: string;
    /** The store that it happened in. */
    readonly workspaceId: string;
    /** The partner's own id of the store; absent for stores without one. */
    readonly partner?: { readonly storeExternalRef: string; };
    /** Objects of the event, in the form in which the API returns them. */
    readonly data: { readonly order: Schemas['StoreOrderBody']; };
  };
  /** A payment of an order failed. `data`: order, as it was then. */
  OrderPaymentFailedEvent: {
    /** The same in every attempt and replay. Process each id once. */
    readonly id: string;
    /** Type of the event. */
    readonly type: 'order.payment_failed';
    /** When it happened. */
    readonly createdAt: string;
    /** The store that it happened in. */
    readonly workspaceId: string;
    /** The partner's own id of the store; absent for stores without one. */
    readonly partner?: { readonly storeExternalRef: string; };
    /** Objects of the event, in the form in which the API returns them. */
    readonly data: { readonly order: Schemas['StoreOrderBody']; };
  };
  /** The store set the status of an order or cancelled it. `data`: order, as it was then. */
  OrderStatusChangedEvent: {
    /** The same in every attempt and replay. Process each id once. */
    readonly id: string;
    /** Type of the event. */
    readonly type: 'order.status_changed';
    /** When it happened. */
    readonly createdAt: string;
    /** The store that it happened in. */
    readonly workspaceId: string;
    /** The partner's own id of the store; absent for stores without one. */
    readonly partner?: { readonly storeExternalRef: string; };
    /** Objects of the event, in the form in which the API returns them. */
    readonly data: { readonly order: Schemas['StoreOrderBody']; };
  };
  /** The payment of a cancelled order went back to the customer. `data`: order, as it was then. */
  OrderRefundedEvent: {
    /** The same in every attempt and replay. Process each id once. */
    readonly id: string;
    /** Type of the event. */
    readonly type: 'order.refunded';
    /** When it happened. */
    readonly createdAt: string;
    /** The store that it happened in. */
    readonly workspaceId: string;
    /** The partner's own id of the store; absent for stores without one. */
    readonly partner?: { readonly storeExternalRef: string; };
    /** Objects of the event, in the form in which the API returns them. */
    readonly data: { readonly order: Schemas['StoreOrderBody']; };
  };
  /** The channel catalog's verdict on a product: `sync.status` became approved, rejected, failed or inactive, or its reason changed. `data`: product. */
  ProductSyncChangedEvent: {
    /** The same in every attempt and replay. Process each id once. */
    readonly id: string;
    /** Type of the event. */
    readonly type: 'product.sync_changed';
    /** When it happened. */
    readonly createdAt: string;
    /** The store that it happened in. */
    readonly workspaceId: string;
    /** The partner's own id of the store; absent for stores without one. */
    readonly partner?: { readonly storeExternalRef: string; };
    /** Objects of the event, in the form in which the API returns them. */
    readonly data: { readonly product: Schemas['ProductBody']; };
  };
  /** Two conversations turned out to be of one customer; one was closed. `data`: mergedConversationId (the closed one), conversation (the one that goes on; absent until the customer has one with this number). */
  ConversationMergedEvent: {
    /** The same in every attempt and replay. Process each id once. */
    readonly id: string;
    /** Type of the event. */
    readonly type: 'conversation.merged';
    /** When it happened. */
    readonly createdAt: string;
    /** The store that it happened in. */
    readonly workspaceId: string;
    /** The partner's own id of the store; absent for stores without one. */
    readonly partner?: { readonly storeExternalRef: string; };
    /** Objects of the event, in the form in which the API returns them. */
    readonly data: { readonly mergedConversationId: string; readonly conversation?: Schemas['ConversationBody']; };
  };
  /** A test that was asked for; sent whatever the endpoint subscribes to. `data`: endpointId. */
  WebhookTestEvent: {
    /** The same in every attempt and replay. Process each id once. */
    readonly id: string;
    /** Type of the event. */
    readonly type: 'webhook.test';
    /** Time of the request. */
    readonly createdAt: string;
    /** The store of the endpoint; absent for a partner's. */
    readonly workspaceId?: string;
    /** The partner's own id of the store; absent for stores without one. */
    readonly partner?: { readonly storeExternalRef: string; };
    /** Objects of the event. */
    readonly data: { readonly endpointId: string; };
  };
  /** One problem of a request. */
  FieldError: {
    /** Human-readable message. */
    readonly message: string;
    /** Place in the request, such as `body.products[3].name`, `query.limit` or `path.orderId`. */
    readonly location?: string;
    /** The rejected value, of any type; long text is cut, secrets are left out. */
    readonly value?: unknown;
  };
  /** Every error, by RFC 9457. */
  Problem: {
    /** Link to the error code's documentation. */
    readonly type: string;
    /** The HTTP status text. */
    readonly title: string;
    /** The HTTP status code. */
    readonly status: number;
    /** Stable machine-readable error code. */
    readonly code: string;
    /** Human-readable explanation of this error. */
    readonly detail?: string;
    /** One for each problem of the request. */
    readonly errors?: readonly (Schemas['FieldError'])[] | null;
    /** Quote it when reporting. */
    readonly requestId?: string;
    /** Beyond the specification, with `conversation_merged`: the conversation to write to. */
    readonly conversationId?: string;
  };
}

/** Payloads of webhooks, by event type. */
// biome-ignore format: as it is written.
export interface Events {
  'message.received': Schemas['MessageReceivedEvent'];
  'message.updated': Schemas['MessageUpdatedEvent'];
  'call.missed': Schemas['CallMissedEvent'];
  'order.created': Schemas['OrderCreatedEvent'];
  'order.checked_out': Schemas['OrderCheckedOutEvent'];
  'order.paid': Schemas['OrderPaidEvent'];
  'order.payment_failed': Schemas['OrderPaymentFailedEvent'];
  'order.status_changed': Schemas['OrderStatusChangedEvent'];
  'order.refunded': Schemas['OrderRefundedEvent'];
  'product.sync_changed': Schemas['ProductSyncChangedEvent'];
  'conversation.merged': Schemas['ConversationMergedEvent'];
  'webhook.test': Schemas['WebhookTestEvent'];
}

/** Request and response of each operation; pages also have their items. */
// biome-ignore format: as it is written.
export interface Operations {
  /** Exchanges a user token, signed by your server, for a session of that user. */
  createSDKSession: {
    args: {
      readonly body: Schemas['CreateSessionInputBody'];
    };
    answer: Schemas['SDKSessionBody'];
  };
  /** Issues a new token for the session. Its last token is accepted even after it has expired. */
  refreshSDKSession: {
    args: {};
    answer: Schemas['SDKSessionBody'];
  };
  /** Ends the session: its user signs out. */
  endSDKSession: {
    args: {};
    answer: undefined;
  };
  /** Reads the partner's profile: its status, its default plan and the plan's features. */
  getPartnerProfile: {
    args: {
      /** Beyond the specification: ETags of your cached responses. The response is 304 if its ETag is one of them. */
      readonly ifNoneMatch?: string;
    };
    answer: Schemas['PartnerProfileBody'];
  };
  /** Lists the partner's stores, newest first. */
  listPartnerApiStores: {
    args: {
      /** The `next` of the previous page, unchanged. */
      readonly cursor?: string;
      /** Maximum number of items on the page. */
      readonly limit?: number;
      /** Beyond the specification: ETags of your cached responses. The response is 304 if its ETag is one of them. */
      readonly ifNoneMatch?: string;
    };
    answer: Schemas['StoresBody'];
    item: Schemas['StoreBody'];
  };
  /** Creates a store on the partner's default plan, or returns the one that has the externalRef. */
  createPartnerStore: {
    args: {
      readonly body: Schemas['StoreInputBody'];
    };
    answer: Schemas['StoreBody'];
  };
  /** Reads one of the partner's stores. */
  getPartnerStore: {
    args: {
      /** The partner's own id of the store. */
      readonly externalRef: string;
      /** Beyond the specification: ETags of your cached responses. The response is 304 if its ETag is one of them. */
      readonly ifNoneMatch?: string;
    };
    answer: Schemas['StoreBody'];
  };
  /** Renames one of the partner's stores, closes it (suspended) or reopens one that the partner closed (active). */
  updatePartnerStore: {
    args: {
      /** The partner's own id of the store. */
      readonly externalRef: string;
      readonly body: Schemas['StoreChangeBody'];
    };
    answer: Schemas['StoreBody'];
  };
  /** Closes one of the partner's stores: it becomes read-only and keeps its data. A repeated request changes nothing. */
  closePartnerStore: {
    args: {
      /** The partner's own id of the store. */
      readonly externalRef: string;
    };
    answer: Schemas['StoreBody'];
  };
  /** Sets the role and the teams of a user who has signed in to the store. A store keeps at least one owner. */
  updatePartnerStoreMember: {
    args: {
      /** The partner's own id of the store. */
      readonly externalRef: string;
      /** The partner's id of the user, the `sub` of its user tokens. */
      readonly partnerUserId: string;
      readonly body: Schemas['UpdatePartnerMemberInputBody'];
    };
    answer: Schemas['PartnerMemberBody'];
  };
  /** Keeps a user out of the store until a later user token lists the store again. */
  disablePartnerStoreMember: {
    args: {
      /** The partner's own id of the store. */
      readonly externalRef: string;
      /** The partner's id of the user, the `sub` of its user tokens. */
      readonly partnerUserId: string;
    };
    answer: undefined;
  };
  /** Lists the people of the store with their roles and teams, disabled ones too, oldest first. */
  listMembers: {
    args: {
      /** The store's workspace id. */
      readonly workspaceId: string;
      /** Beyond the specification: ETags of your cached responses. The response is 304 if its ETag is one of them. */
      readonly ifNoneMatch?: string;
    };
    answer: Schemas['MembersBody'];
  };
  /** Lists the teams of the store by name. */
  listTeams: {
    args: {
      /** The store's workspace id. */
      readonly workspaceId: string;
      /** Beyond the specification: ETags of your cached responses. The response is 304 if its ETag is one of them. */
      readonly ifNoneMatch?: string;
    };
    answer: Schemas['TeamsBody'];
  };
  /** Reads one team: its members in ring order, its queue and its working hours. */
  getTeam: {
    args: {
      /** The store's workspace id. */
      readonly workspaceId: string;
      /** Id of the team. */
      readonly teamId: string;
      /** Beyond the specification: ETags of your cached responses. The response is 304 if its ETag is one of them. */
      readonly ifNoneMatch?: string;
    };
    answer: Schemas['TeamDetailBody'];
  };
  /** Categories of the store in display order. */
  listProductCategories: {
    args: {
      /** The store's workspace id. */
      readonly workspaceId: string;
      /** Beyond the specification: ETags of your cached responses. The response is 304 if its ETag is one of them. */
      readonly ifNoneMatch?: string;
    };
    answer: Schemas['CategoriesBody'];
  };
  /** Creates or renames categories and sets their order. */
  upsertProductCategories: {
    args: {
      /** The store's workspace id. */
      readonly workspaceId: string;
      readonly body: Schemas['CategoriesInputBody'];
    };
    answer: Schemas['CategoriesBody'];
  };
  /** Products of the store ordered by name, with the state of its channel catalog. */
  listProducts: {
    args: {
      /** The store's workspace id. */
      readonly workspaceId: string;
      /** Only products of the category with this external id. */
      readonly category?: string;
      /** Only products whose worst item has this status. */
      readonly status?: 'queued' | 'in_review' | 'approved' | 'rejected' | 'failed' | 'inactive';
      /** The `next` of the previous page, unchanged. */
      readonly cursor?: string;
      /** Maximum number of items on the page. */
      readonly limit?: number;
      /** Beyond the specification: ETags of your cached responses. The response is 304 if its ETag is one of them. */
      readonly ifNoneMatch?: string;
    };
    answer: Schemas['ProductsBody'];
    item: Schemas['ProductBody'];
  };
  /** Creates or changes one product; the same product again changes nothing. */
  upsertProduct: {
    args: {
      /** The store's workspace id. */
      readonly workspaceId: string;
      /** The partner's own id of the product; not `.` or `..`, which clients drop from a path. */
      readonly externalId: string;
      readonly body: Schemas['ProductFields'];
    };
    answer: Schemas['UpsertResultBody'];
  };
  /** Creates or changes up to 500 products, all or none. */
  upsertProducts: {
    args: {
      /** The store's workspace id. */
      readonly workspaceId: string;
      readonly body: Schemas['BatchBody'];
    };
    answer: Schemas['BatchResultBody'];
  };
  /** Removes a product; its items leave the channel catalog within a minute. */
  deleteProduct: {
    args: {
      /** The store's workspace id. */
      readonly workspaceId: string;
      /** The partner's own id of the product; not `.` or `..`, which clients drop from a path. */
      readonly externalId: string;
    };
    answer: undefined;
  };
  /** The store's delivery settings, or the defaults while none are saved. */
  getDeliverySettings: {
    args: {
      /** The store's workspace id. */
      readonly workspaceId: string;
      /** Beyond the specification: ETags of your cached responses. The response is 304 if its ETag is one of them. */
      readonly ifNoneMatch?: string;
    };
    answer: Schemas['DeliveryBody'];
  };
  /** Replaces the delivery settings. Delivery or pickup is on; delivery needs at least one active area. */
  saveDeliverySettings: {
    args: {
      /** The store's workspace id. */
      readonly workspaceId: string;
      readonly body: Schemas['DeliverySettingsBody'];
    };
    answer: Schemas['DeliveryBody'];
  };
  /** All of the store's number lists by name, without their numbers. */
  listNumberLists: {
    args: {
      /** The store's workspace id. */
      readonly workspaceId: string;
      /** Beyond the specification: ETags of your cached responses. The response is 304 if its ETag is one of them. */
      readonly ifNoneMatch?: string;
    };
    answer: Schemas['NumberListsBody'];
  };
  /** Creates a list of customer numbers. Repeated numbers count once; each invalid number is reported with its position. */
  createNumberList: {
    args: {
      /** The store's workspace id. */
      readonly workspaceId: string;
      readonly body: Schemas['NumberListFields'];
    };
    answer: Schemas['NumberListBody'];
  };
  /** One number list, with its numbers when they were uploaded. */
  getNumberList: {
    args: {
      /** The store's workspace id. */
      readonly workspaceId: string;
      /** Id of the number list. */
      readonly listId: string;
      /** Beyond the specification: ETags of your cached responses. The response is 304 if its ETag is one of them. */
      readonly ifNoneMatch?: string;
    };
    answer: Schemas['NumberListBody'];
  };
  /** Replaces the whole list, its numbers too. */
  updateNumberList: {
    args: {
      /** The store's workspace id. */
      readonly workspaceId: string;
      /** Id of the number list. */
      readonly listId: string;
      readonly body: Schemas['NumberListFields'];
    };
    answer: Schemas['NumberListBody'];
  };
  /** Deletes a list that no promotion uses. */
  deleteNumberList: {
    args: {
      /** The store's workspace id. */
      readonly workspaceId: string;
      /** Id of the number list. */
      readonly listId: string;
    };
    answer: undefined;
  };
  /** All of the store's promotions, newest first. */
  listPromotions: {
    args: {
      /** The store's workspace id. */
      readonly workspaceId: string;
      /** Beyond the specification: ETags of your cached responses. The response is 304 if its ETag is one of them. */
      readonly ifNoneMatch?: string;
    };
    answer: Schemas['PromotionsBody'];
  };
  /** Creates a flash sale, a discount for the numbers of a list, or a coupon. */
  createPromotion: {
    args: {
      /** The store's workspace id. */
      readonly workspaceId: string;
      readonly body: Schemas['PromotionFields'];
    };
    answer: Schemas['PromotionBody'];
  };
  /** One promotion. */
  getPromotion: {
    args: {
      /** The store's workspace id. */
      readonly workspaceId: string;
      /** Id of the promotion. */
      readonly promotionId: string;
      /** Beyond the specification: ETags of your cached responses. The response is 304 if its ETag is one of them. */
      readonly ifNoneMatch?: string;
    };
    answer: Schemas['PromotionBody'];
  };
  /** Replaces the whole promotion. Orders that are checked out keep their discount. */
  updatePromotion: {
    args: {
      /** The store's workspace id. */
      readonly workspaceId: string;
      /** Id of the promotion. */
      readonly promotionId: string;
      readonly body: Schemas['PromotionFields'];
    };
    answer: Schemas['PromotionBody'];
  };
  /** Deletes a promotion. Orders that used it keep their discount. */
  deletePromotion: {
    args: {
      /** The store's workspace id. */
      readonly workspaceId: string;
      /** Id of the promotion. */
      readonly promotionId: string;
    };
    answer: undefined;
  };
  /** Orders of the store, newest first. Members with restricted teams see the orders of their teams and orders without a team. */
  listOrders: {
    args: {
      /** The store's workspace id. */
      readonly workspaceId: string;
      /** Only orders in these statuses, separated by commas. */
      readonly status?: readonly ('new' | 'awaiting_payment' | 'paid' | 'preparing' | 'out_for_delivery' | 'delivered' | 'cancelled' | 'refunded')[];
      /** Only orders to be delivered, or only those to be picked up. */
      readonly fulfilment?: 'delivery' | 'pickup';
      /** An addition to the specification: true for orders that were checked out only, false for the others only. */
      readonly checkedOut?: boolean;
      /** Only orders of the customer with this phone number, with its country code. Orders under previous numbers of the customer are included. */
      readonly phone?: string;
      /** The order with this number. */
      readonly number?: number;
      /** Only orders made at this time or after. RFC 3339 with its offset, T and Z in capitals, to the millisecond at most, in a year from 0000 to 9999 in UTC; no leap second. */
      readonly from?: string;
      /** Only orders made before this time. RFC 3339 with its offset, T and Z in capitals, to the millisecond at most, in a year from 0000 to 9999 in UTC; no leap second. */
      readonly to?: string;
      /** The `next` of the previous page, unchanged. */
      readonly cursor?: string;
      /** Maximum number of items on the page. */
      readonly limit?: number;
      /** Beyond the specification: ETags of your cached responses. The response is 304 if its ETag is one of them. */
      readonly ifNoneMatch?: string;
    };
    answer: Schemas['StoreOrdersBody'];
    item: Schemas['StoreOrderBody'];
  };
  /** One order with its items and its history. */
  getOrder: {
    args: {
      /** The store's workspace id. */
      readonly workspaceId: string;
      /** Id of the order; not its number. */
      readonly orderId: string;
      /** Beyond the specification: ETags of your cached responses. The response is 304 if its ETag is one of them. */
      readonly ifNoneMatch?: string;
    };
    answer: Schemas['StoreOrderBody'];
  };
  /** Cancels an order that has not been delivered. */
  cancelOrder: {
    args: {
      /** The store's workspace id. */
      readonly workspaceId: string;
      /** Id of the order; not its number. */
      readonly orderId: string;
      readonly body?: Schemas['OrderCancelBody'];
    };
    answer: Schemas['StoreOrderBody'];
  };
  /** Moves an order on to one of its nextStatuses. */
  setOrderStatus: {
    args: {
      /** The store's workspace id. */
      readonly workspaceId: string;
      /** Id of the order; not its number. */
      readonly orderId: string;
      readonly body: Schemas['OrderStatusBody'];
    };
    answer: Schemas['StoreOrderBody'];
  };
  /** Reads the sales of the last days and what needs attention. */
  getStoreReport: {
    args: {
      /** The store's workspace id. */
      readonly workspaceId: string;
      /** Number of days, with the last one. */
      readonly days?: number;
      /** The last day, in the store's time zone. Default: today. From 2000-01-01 to 2099-12-31. */
      readonly to?: string;
      /** Beyond the specification: ETags of your cached responses. The response is 304 if its ETag is one of them. */
      readonly ifNoneMatch?: string;
    };
    answer: Schemas['StoreReportBody'];
  };
  /** Conversations of the caller's teams, pinned ones first, then by their last message, latest first. */
  listConversations: {
    args: {
      /** The store's workspace id. */
      readonly workspaceId: string;
      /** `active`: open and snoozed conversations; otherwise only this status. */
      readonly status?: 'active' | 'open' | 'snoozed' | 'closed';
      /** Only conversations of this team. */
      readonly teamId?: string;
      /** me, none, or the id of a member. */
      readonly assignee?: string;
      /** The `next` of the previous page, unchanged. */
      readonly cursor?: string;
      /** Maximum number of items on the page. */
      readonly limit?: number;
      /** Beyond the specification: ETags of your cached responses. The response is 304 if its ETag is one of them. */
      readonly ifNoneMatch?: string;
    };
    answer: Schemas['ConversationListOutputBody'];
    item: Schemas['ConversationBody'];
  };
  /** Opens the customer's conversation, or uses the existing one, and queues an approved template. */
  startConversation: {
    args: {
      /** The store's workspace id. */
      readonly workspaceId: string;
      readonly body: Schemas['StartInputBody'];
    };
    answer: Schemas['StartOutputBody'];
  };
  /** One conversation with its customer and the last message. */
  getConversation: {
    args: {
      /** The store's workspace id. */
      readonly workspaceId: string;
      /** Id of the conversation. */
      readonly conversationId: string;
      /** Beyond the specification: ETags of your cached responses. The response is 304 if its ETag is one of them. */
      readonly ifNoneMatch?: string;
    };
    answer: Schemas['ConversationBody'];
  };
  /** Messages of a conversation, newest first. */
  listMessages: {
    args: {
      /** The store's workspace id. */
      readonly workspaceId: string;
      /** Id of the conversation. */
      readonly conversationId: string;
      /** The `next` of the previous page, unchanged. */
      readonly cursor?: string;
      /** Maximum number of items on the page. */
      readonly limit?: number;
      /** Beyond the specification: ETags of your cached responses. The response is 304 if its ETag is one of them. */
      readonly ifNoneMatch?: string;
    };
    answer: Schemas['ThreadOutputBody'];
    item: Schemas['MessageBody'];
  };
  /** Queues a message to the customer. Outside the 24-hour window only an approved template can be sent. */
  sendMessage: {
    args: {
      /** The store's workspace id. */
      readonly workspaceId: string;
      /** Id of the conversation. */
      readonly conversationId: string;
      readonly body: Schemas['SendBody'];
    };
    answer: Schemas['MessageBody'];
  };
  /** Assigns, routes, closes, snoozes, opens, pins or marks a conversation as read. Absent fields stay as they are. */
  updateConversation: {
    args: {
      /** The store's workspace id. */
      readonly workspaceId: string;
      /** Id of the conversation. */
      readonly conversationId: string;
      readonly body: Schemas['UpdateConversationInputBody'];
    };
    answer: Schemas['ConversationBody'];
  };
  /** Uploads a file that messages and templates can carry, as multipart/form-data with one part `file`. */
  uploadFile: {
    args: {
      /** The store's workspace id. */
      readonly workspaceId: string;
      /** The file. */
      readonly file: Upload;
    };
    answer: Schemas['FileBody'];
  };
  /** The bytes of a file, uploaded or received; Range, If-Range, If-None-Match and HEAD are honoured. */
  getFile: {
    args: {
      /** The store's workspace id. */
      readonly workspaceId: string;
      /** Id of the file. */
      readonly fileId: string;
      /** One range, such as bytes=0-1023. For several ranges the whole file is returned. */
      readonly range?: string;
      /** ETag of the file that the range belongs to. If the file has another ETag, the whole file is returned. */
      readonly ifRange?: string;
      /** ETags that the client has cached. The response is 304 if the file has one of them. */
      readonly ifNoneMatch?: string;
    };
    answer: FileAnswer;
  };
  /** Deletes a file, uploaded or received; messages that carried it keep its id. Not for members limited to teams. */
  deleteFile: {
    args: {
      /** The store's workspace id. */
      readonly workspaceId: string;
      /** Id of the file. */
      readonly fileId: string;
    };
    answer: undefined;
  };
  /** Lists the recordings for calls of the store, and how many more its plan allows. */
  listRecordings: {
    args: {
      /** The store's workspace id. */
      readonly workspaceId: string;
      /** Beyond the specification: ETags of your cached responses. The response is 304 if its ETag is one of them. */
      readonly ifNoneMatch?: string;
    };
    answer: Schemas['RecordingsBody'];
  };
  /** Reads one recording: its state, its uses, and the error of its last file. */
  getRecording: {
    args: {
      /** The store's workspace id. */
      readonly workspaceId: string;
      /** Id of the recording. */
      readonly recordingId: string;
      /** Beyond the specification: ETags of your cached responses. The response is 304 if its ETag is one of them. */
      readonly ifNoneMatch?: string;
    };
    answer: Schemas['RecordingBody'];
  };
  /** Reads the payment settings: the account at the payment provider, and the wallets that customers may pay with. */
  getPaymentSettings: {
    args: {
      /** The store's workspace id. */
      readonly workspaceId: string;
      /** Beyond the specification: ETags of your cached responses. The response is 304 if its ETag is one of them. */
      readonly ifNoneMatch?: string;
    };
    answer: Schemas['PaymentSettingsBody'];
  };
  /** Saves the store's merchant id and key at the payment provider; the key is never shown again. */
  savePaymentSettings: {
    args: {
      /** The store's workspace id. */
      readonly workspaceId: string;
      readonly body: Schemas['PaymentSettingsInputBody'];
    };
    answer: Schemas['PaymentSettingsSavedBody'];
  };
  /** Sets the wallets that customers may pay with, in display order. An empty list turns payments off. */
  savePaymentWallets: {
    args: {
      /** The store's workspace id. */
      readonly workspaceId: string;
      readonly body: Schemas['PaymentWalletsInputBody'];
    };
    answer: Schemas['PaymentSettingsBody'];
  };
  /** Checks whether the payment provider accepts the saved key. Nobody is charged. */
  checkPaymentKey: {
    args: {
      /** The store's workspace id. */
      readonly workspaceId: string;
    };
    answer: Schemas['PaymentKeyCheckBody'];
  };
  /** Removes the payment settings and the chosen wallets. The store then accepts no payments. */
  deletePaymentSettings: {
    args: {
      /** The store's workspace id. */
      readonly workspaceId: string;
    };
    answer: undefined;
  };
  /** The store's message templates, by name, then language. */
  listTemplates: {
    args: {
      /** The store's workspace id. */
      readonly workspaceId: string;
      /** The `next` of the previous page, unchanged. */
      readonly cursor?: string;
      /** Maximum number of items on the page. */
      readonly limit?: number;
      /** Beyond the specification: ETags of your cached responses. The response is 304 if its ETag is one of them. */
      readonly ifNoneMatch?: string;
    };
    answer: Schemas['ListOutputBody3'];
    item: Schemas['TemplateBody'];
  };
  /** Creates a message template and submits it to the provider for review. */
  createTemplate: {
    args: {
      /** The store's workspace id. */
      readonly workspaceId: string;
      readonly body: Schemas['CreateInputBody2'];
    };
    answer: Schemas['TemplateBody'];
  };
  /** One message template. */
  getTemplate: {
    args: {
      /** The store's workspace id. */
      readonly workspaceId: string;
      /** Id of the message template. */
      readonly templateId: string;
      /** Beyond the specification: ETags of your cached responses. The response is 304 if its ETag is one of them. */
      readonly ifNoneMatch?: string;
    };
    answer: Schemas['TemplateBody'];
  };
  /** Edits a message template and submits it again. An approved one stays as it is until the provider has approved the edit. */
  editTemplate: {
    args: {
      /** The store's workspace id. */
      readonly workspaceId: string;
      /** Id of the message template. */
      readonly templateId: string;
      readonly body: Schemas['EditInputBody'];
    };
    answer: Schemas['TemplateBody'];
  };
  /** Deletes a message template. Its status is `deleting` until the provider has confirmed, then it no longer exists. */
  deleteTemplate: {
    args: {
      /** The store's workspace id. */
      readonly workspaceId: string;
      /** Id of the message template. */
      readonly templateId: string;
    };
    answer: undefined;
  };
  /** Renders a message template with parameters, exactly as sending it would. Nothing is sent. */
  previewTemplate: {
    args: {
      /** The store's workspace id. */
      readonly workspaceId: string;
      /** Id of the message template. */
      readonly templateId: string;
      readonly body?: Schemas['PreviewInputBody'];
    };
    answer: Schemas['PreviewOutputBody'];
  };
  /** Starts a comparison of the store's message templates with the provider's. listTemplates shows when it is done. */
  syncTemplates: {
    args: {
      /** The store's workspace id. */
      readonly workspaceId: string;
    };
    answer: undefined;
  };
  /** Lists the webhook endpoints that receive events of the partner's stores, newest first. */
  listPartnerWebhookEndpoints: {
    args: {
      /** Beyond the specification: ETags of your cached responses. The response is 304 if its ETag is one of them. */
      readonly ifNoneMatch?: string;
    };
    answer: Schemas['WebhookEndpointsOutputBody'];
  };
  /** Registers an https URL for events of the partner's stores; returns its signing secret once. At most 20. */
  createPartnerWebhookEndpoint: {
    args: {
      readonly body: Schemas['CreatePartnerEndpointInputBody'];
    };
    answer: Schemas['WebhookSecretOutputBody'];
  };
  /** Reads one webhook endpoint, with the state of its deliveries. */
  getPartnerWebhookEndpoint: {
    args: {
      /** Id of the webhook endpoint. */
      readonly endpointId: string;
      /** Beyond the specification: ETags of your cached responses. The response is 304 if its ETag is one of them. */
      readonly ifNoneMatch?: string;
    };
    answer: Schemas['WebhookEndpointBody'];
  };
  /** Changes the URL, the event types, the description or the status of an endpoint. */
  updatePartnerWebhookEndpoint: {
    args: {
      /** Id of the webhook endpoint. */
      readonly endpointId: string;
      readonly body: Schemas['UpdatePartnerEndpointInputBody'];
    };
    answer: Schemas['WebhookEndpointBody'];
  };
  /** Deletes a webhook endpoint and its delivery log. Pending events are not sent. */
  deletePartnerWebhookEndpoint: {
    args: {
      /** Id of the webhook endpoint. */
      readonly endpointId: string;
    };
    answer: undefined;
  };
  /** Every delivery attempt of the last 30 days to an endpoint, latest first. */
  listPartnerWebhookDeliveries: {
    args: {
      /** Id of the webhook endpoint. */
      readonly endpointId: string;
      /** Only attempts of this event. */
      readonly eventId?: string;
      /** Only attempts that succeeded, or only those that failed. */
      readonly status?: 'succeeded' | 'failed';
      /** The `next` of the previous page, unchanged. */
      readonly cursor?: string;
      /** Maximum number of items on the page. */
      readonly limit?: number;
      /** Beyond the specification: ETags of your cached responses. The response is 304 if its ETag is one of them. */
      readonly ifNoneMatch?: string;
    };
    answer: Schemas['WebhookDeliveriesOutputBody'];
    item: Schemas['WebhookDeliveryBody'];
  };
  /** Sends an event of the delivery log again, with the same id, on the usual schedule. */
  replayPartnerWebhookEndpointEvent: {
    args: {
      /** Id of the webhook endpoint. */
      readonly endpointId: string;
      /** Id of the event, as in the delivery log and in the delivered body. */
      readonly eventId: string;
    };
    answer: undefined;
  };
  /** Resends the events that an endpoint has missed since a time, such as while it was disabled: in order and with the same ids. */
  replayPartnerWebhookEndpoint: {
    args: {
      /** Id of the webhook endpoint. */
      readonly endpointId: string;
      readonly body: Schemas['WebhookReplayInputBody'];
    };
    answer: undefined;
  };
  /** Replaces the signing secret and returns the new one once. The old one signs too for keepPreviousHours; 0 ends all old ones. */
  rotatePartnerWebhookEndpointSecret: {
    args: {
      /** Id of the webhook endpoint. */
      readonly endpointId: string;
      /** 24 when absent. */
      readonly keepPreviousHours?: number;
    };
    answer: Schemas['WebhookSecretOutputBody'];
  };
  /** Sends a webhook.test event, also to a disabled endpoint, once; the delivery log shows the result. */
  sendPartnerWebhookTest: {
    args: {
      /** Id of the webhook endpoint. */
      readonly endpointId: string;
    };
    answer: Schemas['WebhookTestOutputBody'];
  };
  /** The event types that an endpoint can subscribe to, and which of them are already sent. */
  listPartnerWebhookEventTypes: {
    args: {
      /** Beyond the specification: ETags of your cached responses. The response is 304 if its ETag is one of them. */
      readonly ifNoneMatch?: string;
    };
    answer: Schemas['WebhookEventTypesOutputBody'];
  };
  /** Lists the webhook endpoints that receive events of the store, newest first. */
  listWebhookEndpoints: {
    args: {
      /** The store's workspace id. */
      readonly workspaceId: string;
      /** Beyond the specification: ETags of your cached responses. The response is 304 if its ETag is one of them. */
      readonly ifNoneMatch?: string;
    };
    answer: Schemas['WebhookEndpointsOutputBody'];
  };
  /** Registers an https URL for events of the store; returns its signing secret once. At most 20. */
  createWebhookEndpoint: {
    args: {
      /** The store's workspace id. */
      readonly workspaceId: string;
      readonly body: Schemas['CreateWebhookEndpointInputBody'];
    };
    answer: Schemas['WebhookSecretOutputBody'];
  };
  /** Reads one webhook endpoint, with the state of its deliveries. */
  getWebhookEndpoint: {
    args: {
      /** The store's workspace id. */
      readonly workspaceId: string;
      /** Id of the webhook endpoint. */
      readonly endpointId: string;
      /** Beyond the specification: ETags of your cached responses. The response is 304 if its ETag is one of them. */
      readonly ifNoneMatch?: string;
    };
    answer: Schemas['WebhookEndpointBody'];
  };
  /** Changes the URL, the event types, the description or the status of an endpoint. */
  updateWebhookEndpoint: {
    args: {
      /** The store's workspace id. */
      readonly workspaceId: string;
      /** Id of the webhook endpoint. */
      readonly endpointId: string;
      readonly body: Schemas['UpdateWebhookEndpointInputBody'];
    };
    answer: Schemas['WebhookEndpointBody'];
  };
  /** Deletes a webhook endpoint and its delivery log. Pending events are not sent. */
  deleteWebhookEndpoint: {
    args: {
      /** The store's workspace id. */
      readonly workspaceId: string;
      /** Id of the webhook endpoint. */
      readonly endpointId: string;
    };
    answer: undefined;
  };
  /** Every delivery attempt of the last 30 days to an endpoint, latest first. */
  listWebhookDeliveries: {
    args: {
      /** The store's workspace id. */
      readonly workspaceId: string;
      /** Id of the webhook endpoint. */
      readonly endpointId: string;
      /** Only attempts of this event. */
      readonly eventId?: string;
      /** Only attempts that succeeded, or only those that failed. */
      readonly status?: 'succeeded' | 'failed';
      /** The `next` of the previous page, unchanged. */
      readonly cursor?: string;
      /** Maximum number of items on the page. */
      readonly limit?: number;
      /** Beyond the specification: ETags of your cached responses. The response is 304 if its ETag is one of them. */
      readonly ifNoneMatch?: string;
    };
    answer: Schemas['WebhookDeliveriesOutputBody'];
    item: Schemas['WebhookDeliveryBody'];
  };
  /** Sends an event of the delivery log again, with the same id, on the usual schedule. */
  replayWebhookEndpointEvent: {
    args: {
      /** The store's workspace id. */
      readonly workspaceId: string;
      /** Id of the webhook endpoint. */
      readonly endpointId: string;
      /** Id of the event, as in the delivery log and in the delivered body. */
      readonly eventId: string;
    };
    answer: undefined;
  };
  /** Resends the events that an endpoint has missed since a time, such as while it was disabled: in order and with the same ids. */
  replayWebhookEndpoint: {
    args: {
      /** The store's workspace id. */
      readonly workspaceId: string;
      /** Id of the webhook endpoint. */
      readonly endpointId: string;
      readonly body: Schemas['WebhookReplayInputBody'];
    };
    answer: undefined;
  };
  /** Replaces the signing secret and returns the new one once. The old one signs too for keepPreviousHours; 0 ends all old ones. */
  rotateWebhookEndpointSecret: {
    args: {
      /** The store's workspace id. */
      readonly workspaceId: string;
      /** Id of the webhook endpoint. */
      readonly endpointId: string;
      /** 24 when absent. */
      readonly keepPreviousHours?: number;
    };
    answer: Schemas['WebhookSecretOutputBody'];
  };
  /** Sends a webhook.test event, also to a disabled endpoint, once; the delivery log shows the result. */
  sendWebhookTest: {
    args: {
      /** The store's workspace id. */
      readonly workspaceId: string;
      /** Id of the webhook endpoint. */
      readonly endpointId: string;
    };
    answer: Schemas['WebhookTestOutputBody'];
  };
  /** The event types that an endpoint can subscribe to, and which of them are already sent. */
  listWebhookEventTypes: {
    args: {
      /** The store's workspace id. */
      readonly workspaceId: string;
      /** Beyond the specification: ETags of your cached responses. The response is 304 if its ETag is one of them. */
      readonly ifNoneMatch?: string;
    };
    answer: Schemas['WebhookEventTypesOutputBody'];
  };
  /** Lists the events of the store, oldest first. A page may be short or empty and still have a `next`. */
  listHistory: {
    args: {
      /** The store's workspace id. */
      readonly workspaceId: string;
      /** Only entries at or after this time. RFC 3339 with its offset, T and Z in capitals, to the millisecond at most, in a year from 0000 to 9999 in UTC; no leap second. */
      readonly from?: string;
      /** Only entries before this time. RFC 3339 with its offset, T and Z in capitals, to the millisecond at most, in a year from 0000 to 9999 in UTC; no leap second. */
      readonly to?: string;
      /** Only these types of events, separated by commas. */
      readonly type?: readonly (string)[];
      /** Only events of this actor: a kind such as member or api_key, an id, or both as member:ID. */
      readonly actor?: string;
      /** Only events that this request caused, given by the X-Request-Id of its answer. */
      readonly correlation?: string;
      /** The `next` of the previous page, unchanged. */
      readonly cursor?: string;
      /** Maximum number of items on the page. */
      readonly limit?: number;
      /** Beyond the specification: ETags of your cached responses. The response is 304 if its ETag is one of them. */
      readonly ifNoneMatch?: string;
    };
    answer: Schemas['HistoryBody'];
    item: Schemas['HistoryEventBody'];
  };
  /** Lists the events of an order, oldest first. */
  listOrderHistory: {
    args: {
      /** The store's workspace id. */
      readonly workspaceId: string;
      /** Id of the order; not its number. */
      readonly orderId: string;
      /** Only entries at or after this time. RFC 3339 with its offset, T and Z in capitals, to the millisecond at most, in a year from 0000 to 9999 in UTC; no leap second. */
      readonly from?: string;
      /** Only entries before this time. RFC 3339 with its offset, T and Z in capitals, to the millisecond at most, in a year from 0000 to 9999 in UTC; no leap second. */
      readonly to?: string;
      /** Only these types of events, separated by commas. */
      readonly type?: readonly (string)[];
      /** Only events of this actor: a kind such as member or api_key, an id, or both as member:ID. */
      readonly actor?: string;
      /** Only events that this request caused, given by the X-Request-Id of its answer. */
      readonly correlation?: string;
      /** The `next` of the previous page, unchanged. */
      readonly cursor?: string;
      /** Maximum number of items on the page. */
      readonly limit?: number;
      /** Beyond the specification: ETags of your cached responses. The response is 304 if its ETag is one of them. */
      readonly ifNoneMatch?: string;
    };
    answer: Schemas['HistoryBody'];
    item: Schemas['HistoryEventBody'];
  };
  /** Compares an order at two times. Default: from its creation until now. */
  compareOrderHistory: {
    args: {
      /** The store's workspace id. */
      readonly workspaceId: string;
      /** Id of the order; not its number. */
      readonly orderId: string;
      /** The earlier time. Default: when the object was created. RFC 3339 with its offset, T and Z in capitals, to the millisecond at most, in a year from 0000 to 9999 in UTC; no leap second. */
      readonly from?: string;
      /** The later time. Default: now. RFC 3339 with its offset, T and Z in capitals, to the millisecond at most, in a year from 0000 to 9999 in UTC; no leap second. */
      readonly to?: string;
      /** Beyond the specification: ETags of your cached responses. The response is 304 if its ETag is one of them. */
      readonly ifNoneMatch?: string;
    };
    answer: Schemas['HistoryChangesBody'];
  };
  /** Lists the events of a product, oldest first. */
  listProductHistory: {
    args: {
      /** The store's workspace id. */
      readonly workspaceId: string;
      /** The partner's own id of the product; not `.` or `..`, which clients drop from a path. */
      readonly externalId: string;
      /** Only entries at or after this time. RFC 3339 with its offset, T and Z in capitals, to the millisecond at most, in a year from 0000 to 9999 in UTC; no leap second. */
      readonly from?: string;
      /** Only entries before this time. RFC 3339 with its offset, T and Z in capitals, to the millisecond at most, in a year from 0000 to 9999 in UTC; no leap second. */
      readonly to?: string;
      /** Only these types of events, separated by commas. */
      readonly type?: readonly (string)[];
      /** Only events of this actor: a kind such as member or api_key, an id, or both as member:ID. */
      readonly actor?: string;
      /** Only events that this request caused, given by the X-Request-Id of its answer. */
      readonly correlation?: string;
      /** The `next` of the previous page, unchanged. */
      readonly cursor?: string;
      /** Maximum number of items on the page. */
      readonly limit?: number;
      /** Beyond the specification: ETags of your cached responses. The response is 304 if its ETag is one of them. */
      readonly ifNoneMatch?: string;
    };
    answer: Schemas['HistoryBody'];
    item: Schemas['HistoryEventBody'];
  };
  /** Compares a product at two times. Default: from its creation until now. */
  compareProductHistory: {
    args: {
      /** The store's workspace id. */
      readonly workspaceId: string;
      /** The partner's own id of the product; not `.` or `..`, which clients drop from a path. */
      readonly externalId: string;
      /** The earlier time. Default: when the object was created. RFC 3339 with its offset, T and Z in capitals, to the millisecond at most, in a year from 0000 to 9999 in UTC; no leap second. */
      readonly from?: string;
      /** The later time. Default: now. RFC 3339 with its offset, T and Z in capitals, to the millisecond at most, in a year from 0000 to 9999 in UTC; no leap second. */
      readonly to?: string;
      /** Beyond the specification: ETags of your cached responses. The response is 304 if its ETag is one of them. */
      readonly ifNoneMatch?: string;
    };
    answer: Schemas['HistoryChangesBody'];
  };
  /** Lists the events of a promotion, oldest first. */
  listPromotionHistory: {
    args: {
      /** The store's workspace id. */
      readonly workspaceId: string;
      /** Id of the promotion. */
      readonly promotionId: string;
      /** Only entries at or after this time. RFC 3339 with its offset, T and Z in capitals, to the millisecond at most, in a year from 0000 to 9999 in UTC; no leap second. */
      readonly from?: string;
      /** Only entries before this time. RFC 3339 with its offset, T and Z in capitals, to the millisecond at most, in a year from 0000 to 9999 in UTC; no leap second. */
      readonly to?: string;
      /** Only these types of events, separated by commas. */
      readonly type?: readonly (string)[];
      /** Only events of this actor: a kind such as member or api_key, an id, or both as member:ID. */
      readonly actor?: string;
      /** Only events that this request caused, given by the X-Request-Id of its answer. */
      readonly correlation?: string;
      /** The `next` of the previous page, unchanged. */
      readonly cursor?: string;
      /** Maximum number of items on the page. */
      readonly limit?: number;
      /** Beyond the specification: ETags of your cached responses. The response is 304 if its ETag is one of them. */
      readonly ifNoneMatch?: string;
    };
    answer: Schemas['HistoryBody'];
    item: Schemas['HistoryEventBody'];
  };
  /** Compares a promotion at two times. Default: from its creation until now. */
  comparePromotionHistory: {
    args: {
      /** The store's workspace id. */
      readonly workspaceId: string;
      /** Id of the promotion. */
      readonly promotionId: string;
      /** The earlier time. Default: when the object was created. RFC 3339 with its offset, T and Z in capitals, to the millisecond at most, in a year from 0000 to 9999 in UTC; no leap second. */
      readonly from?: string;
      /** The later time. Default: now. RFC 3339 with its offset, T and Z in capitals, to the millisecond at most, in a year from 0000 to 9999 in UTC; no leap second. */
      readonly to?: string;
      /** Beyond the specification: ETags of your cached responses. The response is 304 if its ETag is one of them. */
      readonly ifNoneMatch?: string;
    };
    answer: Schemas['HistoryChangesBody'];
  };
  /** Lists the events of a conversation, oldest first. */
  listConversationHistory: {
    args: {
      /** The store's workspace id. */
      readonly workspaceId: string;
      /** Id of the conversation. */
      readonly conversationId: string;
      /** Only entries at or after this time. RFC 3339 with its offset, T and Z in capitals, to the millisecond at most, in a year from 0000 to 9999 in UTC; no leap second. */
      readonly from?: string;
      /** Only entries before this time. RFC 3339 with its offset, T and Z in capitals, to the millisecond at most, in a year from 0000 to 9999 in UTC; no leap second. */
      readonly to?: string;
      /** Only these types of events, separated by commas. */
      readonly type?: readonly (string)[];
      /** Only events of this actor: a kind such as member or api_key, an id, or both as member:ID. */
      readonly actor?: string;
      /** Only events that this request caused, given by the X-Request-Id of its answer. */
      readonly correlation?: string;
      /** The `next` of the previous page, unchanged. */
      readonly cursor?: string;
      /** Maximum number of items on the page. */
      readonly limit?: number;
      /** Beyond the specification: ETags of your cached responses. The response is 304 if its ETag is one of them. */
      readonly ifNoneMatch?: string;
    };
    answer: Schemas['HistoryBody'];
    item: Schemas['HistoryEventBody'];
  };
  /** Compares a conversation at two times. Default: from its creation until now. */
  compareConversationHistory: {
    args: {
      /** The store's workspace id. */
      readonly workspaceId: string;
      /** Id of the conversation. */
      readonly conversationId: string;
      /** The earlier time. Default: when the object was created. RFC 3339 with its offset, T and Z in capitals, to the millisecond at most, in a year from 0000 to 9999 in UTC; no leap second. */
      readonly from?: string;
      /** The later time. Default: now. RFC 3339 with its offset, T and Z in capitals, to the millisecond at most, in a year from 0000 to 9999 in UTC; no leap second. */
      readonly to?: string;
      /** Beyond the specification: ETags of your cached responses. The response is 304 if its ETag is one of them. */
      readonly ifNoneMatch?: string;
    };
    answer: Schemas['HistoryChangesBody'];
  };
  /** Lists the events of a member, oldest first. */
  listMemberHistory: {
    args: {
      /** The store's workspace id. */
      readonly workspaceId: string;
      /** Id of the member. */
      readonly memberId: string;
      /** Only entries at or after this time. RFC 3339 with its offset, T and Z in capitals, to the millisecond at most, in a year from 0000 to 9999 in UTC; no leap second. */
      readonly from?: string;
      /** Only entries before this time. RFC 3339 with its offset, T and Z in capitals, to the millisecond at most, in a year from 0000 to 9999 in UTC; no leap second. */
      readonly to?: string;
      /** Only these types of events, separated by commas. */
      readonly type?: readonly (string)[];
      /** Only events of this actor: a kind such as member or api_key, an id, or both as member:ID. */
      readonly actor?: string;
      /** Only events that this request caused, given by the X-Request-Id of its answer. */
      readonly correlation?: string;
      /** The `next` of the previous page, unchanged. */
      readonly cursor?: string;
      /** Maximum number of items on the page. */
      readonly limit?: number;
      /** Beyond the specification: ETags of your cached responses. The response is 304 if its ETag is one of them. */
      readonly ifNoneMatch?: string;
    };
    answer: Schemas['HistoryBody'];
    item: Schemas['HistoryEventBody'];
  };
  /** Compares a member at two times. Default: from its creation until now. */
  compareMemberHistory: {
    args: {
      /** The store's workspace id. */
      readonly workspaceId: string;
      /** Id of the member. */
      readonly memberId: string;
      /** The earlier time. Default: when the object was created. RFC 3339 with its offset, T and Z in capitals, to the millisecond at most, in a year from 0000 to 9999 in UTC; no leap second. */
      readonly from?: string;
      /** The later time. Default: now. RFC 3339 with its offset, T and Z in capitals, to the millisecond at most, in a year from 0000 to 9999 in UTC; no leap second. */
      readonly to?: string;
      /** Beyond the specification: ETags of your cached responses. The response is 304 if its ETag is one of them. */
      readonly ifNoneMatch?: string;
    };
    answer: Schemas['HistoryChangesBody'];
  };
  /** Lists the events of a key of the store's own, oldest first. */
  listKeyHistory: {
    args: {
      /** The store's workspace id. */
      readonly workspaceId: string;
      /** Id of the key; not the key itself. */
      readonly keyId: string;
      /** Only entries at or after this time. RFC 3339 with its offset, T and Z in capitals, to the millisecond at most, in a year from 0000 to 9999 in UTC; no leap second. */
      readonly from?: string;
      /** Only entries before this time. RFC 3339 with its offset, T and Z in capitals, to the millisecond at most, in a year from 0000 to 9999 in UTC; no leap second. */
      readonly to?: string;
      /** Only these types of events, separated by commas. */
      readonly type?: readonly (string)[];
      /** Only events of this actor: a kind such as member or api_key, an id, or both as member:ID. */
      readonly actor?: string;
      /** Only events that this request caused, given by the X-Request-Id of its answer. */
      readonly correlation?: string;
      /** The `next` of the previous page, unchanged. */
      readonly cursor?: string;
      /** Maximum number of items on the page. */
      readonly limit?: number;
      /** Beyond the specification: ETags of your cached responses. The response is 304 if its ETag is one of them. */
      readonly ifNoneMatch?: string;
    };
    answer: Schemas['HistoryBody'];
    item: Schemas['HistoryEventBody'];
  };
  /** Compares a key of the store's own at two times. Default: from its creation until now. */
  compareKeyHistory: {
    args: {
      /** The store's workspace id. */
      readonly workspaceId: string;
      /** Id of the key; not the key itself. */
      readonly keyId: string;
      /** The earlier time. Default: when the object was created. RFC 3339 with its offset, T and Z in capitals, to the millisecond at most, in a year from 0000 to 9999 in UTC; no leap second. */
      readonly from?: string;
      /** The later time. Default: now. RFC 3339 with its offset, T and Z in capitals, to the millisecond at most, in a year from 0000 to 9999 in UTC; no leap second. */
      readonly to?: string;
      /** Beyond the specification: ETags of your cached responses. The response is 304 if its ETag is one of them. */
      readonly ifNoneMatch?: string;
    };
    answer: Schemas['HistoryChangesBody'];
  };
  /** Lists the events of the store's delivery settings, oldest first. */
  listDeliveryHistory: {
    args: {
      /** The store's workspace id. */
      readonly workspaceId: string;
      /** Only entries at or after this time. RFC 3339 with its offset, T and Z in capitals, to the millisecond at most, in a year from 0000 to 9999 in UTC; no leap second. */
      readonly from?: string;
      /** Only entries before this time. RFC 3339 with its offset, T and Z in capitals, to the millisecond at most, in a year from 0000 to 9999 in UTC; no leap second. */
      readonly to?: string;
      /** Only these types of events, separated by commas. */
      readonly type?: readonly (string)[];
      /** Only events of this actor: a kind such as member or api_key, an id, or both as member:ID. */
      readonly actor?: string;
      /** Only events that this request caused, given by the X-Request-Id of its answer. */
      readonly correlation?: string;
      /** The `next` of the previous page, unchanged. */
      readonly cursor?: string;
      /** Maximum number of items on the page. */
      readonly limit?: number;
      /** Beyond the specification: ETags of your cached responses. The response is 304 if its ETag is one of them. */
      readonly ifNoneMatch?: string;
    };
    answer: Schemas['HistoryBody'];
    item: Schemas['HistoryEventBody'];
  };
  /** Compares the store's delivery settings at two times. Default: from its creation until now. */
  compareDeliveryHistory: {
    args: {
      /** The store's workspace id. */
      readonly workspaceId: string;
      /** The earlier time. Default: when the object was created. RFC 3339 with its offset, T and Z in capitals, to the millisecond at most, in a year from 0000 to 9999 in UTC; no leap second. */
      readonly from?: string;
      /** The later time. Default: now. RFC 3339 with its offset, T and Z in capitals, to the millisecond at most, in a year from 0000 to 9999 in UTC; no leap second. */
      readonly to?: string;
      /** Beyond the specification: ETags of your cached responses. The response is 304 if its ETag is one of them. */
      readonly ifNoneMatch?: string;
    };
    answer: Schemas['HistoryChangesBody'];
  };
  /** Creates a link into the console for the store's people, limited to this store. It works once, within ten minutes. */
  createConsoleLink: {
    args: {
      /** The store's workspace id. */
      readonly workspaceId: string;
      readonly body?: Schemas['CreateConsoleLinkInputBody'];
    };
    answer: Schemas['ConsoleLinkOutputBody'];
  };
  /** Creates a link with which one member signs in to the console, with its own role and teams. It works once, within ten minutes. */
  createMemberLink: {
    args: {
      /** The store's workspace id. */
      readonly workspaceId: string;
      /** Id of the member. */
      readonly memberId: string;
      readonly body?: Schemas['CreateConsoleLinkInputBody'];
    };
    answer: Schemas['ConsoleLinkOutputBody'];
  };
}

/** Codes of problems. */
// biome-ignore format: as it is written.
export type ProblemCode =
  | 'malformed_body'
  | 'malformed_request'
  | 'not_found'
  | 'method_not_allowed'
  | 'request_timeout'
  | 'precondition_failed'
  | 'payload_too_large'
  | 'file_too_large'
  | 'uri_too_long'
  | 'unsupported_media_type'
  | 'file_type_not_supported'
  | 'range_not_satisfiable'
  | 'expectation_failed'
  | 'range_reversed'
  | 'before_first_event'
  | 'history_too_long'
  | 'validation_failed'
  | 'template_parameters_invalid'
  | 'invalid_cursor'
  | 'header_fields_too_large'
  | 'transfer_coding_not_supported'
  | 'idempotency_key_reused'
  | 'unauthenticated'
  | 'session_expired'
  | 'session_ended'
  | 'user_token_invalid'
  | 'user_token_replayed'
  | 'key_mode_mismatch'
  | 'console_link_unknown'
  | 'console_link_used'
  | 'console_link_expired'
  | 'console_signed_out'
  | 'csrf_token_missing'
  | 'foreign_request'
  | 'permission_denied'
  | 'origin_not_allowed'
  | 'email_not_verified'
  | 'member_disabled'
  | 'feature_not_available'
  | 'plan_limit_reached'
  | 'test_key_refused'
  | 'store_closed'
  | 'command_refused'
  | 'concurrent_change'
  | 'retailer_id_taken'
  | 'name_taken'
  | 'coupon_code_taken'
  | 'promotion_in_use'
  | 'number_list_limit_reached'
  | 'promotion_limit_reached'
  | 'order_status_not_allowed'
  | 'webhook_endpoint_limit_reached'
  | 'webhook_endpoint_disabled'
  | 'store_not_closable'
  | 'store_not_reopenable'
  | 'no_free_seat'
  | 'member_limit_reached'
  | 'member_links_limit_reached'
  | 'last_owner'
  | 'team_full'
  | 'team_needs_member'
  | 'window_closed'
  | 'template_not_approved'
  | 'template_limit_reached'
  | 'template_name_taken'
  | 'template_not_editable'
  | 'template_not_sendable'
  | 'no_channel_number'
  | 'conversation_merged'
  | 'idempotency_in_flight'
  | 'rate_limited'
  | 'internal_error'
  | 'unavailable'
  | 'storage_full';

/** How each operation is called. */
// biome-ignore format: as it is written.
export const OPERATIONS = {
  createSDKSession: {"method":"POST","path":"/api/v1/sdk/sessions","body":"json","keyed":true,"open":true},
  refreshSDKSession: {"method":"POST","path":"/api/v1/sdk/sessions/refresh","repeatable":true},
  endSDKSession: {"method":"DELETE","path":"/api/v1/sdk/sessions/current","repeatable":true},
  getPartnerProfile: {"method":"GET","path":"/api/v1/partner","headers":{"ifNoneMatch":"If-None-Match"},"repeatable":true},
  listPartnerApiStores: {"method":"GET","path":"/api/v1/partner/stores","query":["cursor","limit"],"headers":{"ifNoneMatch":"If-None-Match"},"list":"stores","repeatable":true},
  createPartnerStore: {"method":"POST","path":"/api/v1/partner/stores","body":"json","keyed":true},
  getPartnerStore: {"method":"GET","path":"/api/v1/partner/stores/{externalRef}","headers":{"ifNoneMatch":"If-None-Match"},"repeatable":true},
  updatePartnerStore: {"method":"PATCH","path":"/api/v1/partner/stores/{externalRef}","body":"json"},
  closePartnerStore: {"method":"POST","path":"/api/v1/partner/stores/{externalRef}/close"},
  updatePartnerStoreMember: {"method":"PUT","path":"/api/v1/partner/stores/{externalRef}/members/{partnerUserId}","body":"json","repeatable":true},
  disablePartnerStoreMember: {"method":"DELETE","path":"/api/v1/partner/stores/{externalRef}/members/{partnerUserId}","repeatable":true},
  listMembers: {"method":"GET","path":"/api/v1/workspaces/{workspaceId}/members","headers":{"ifNoneMatch":"If-None-Match"},"repeatable":true},
  listTeams: {"method":"GET","path":"/api/v1/workspaces/{workspaceId}/teams","headers":{"ifNoneMatch":"If-None-Match"},"repeatable":true},
  getTeam: {"method":"GET","path":"/api/v1/workspaces/{workspaceId}/teams/{teamId}","headers":{"ifNoneMatch":"If-None-Match"},"repeatable":true},
  listProductCategories: {"method":"GET","path":"/api/v1/workspaces/{workspaceId}/commerce/categories","headers":{"ifNoneMatch":"If-None-Match"},"repeatable":true},
  upsertProductCategories: {"method":"PUT","path":"/api/v1/workspaces/{workspaceId}/commerce/categories","body":"json","keyed":true,"repeatable":true},
  listProducts: {"method":"GET","path":"/api/v1/workspaces/{workspaceId}/commerce/products","query":["category","status","cursor","limit"],"headers":{"ifNoneMatch":"If-None-Match"},"list":"products","repeatable":true},
  upsertProduct: {"method":"PUT","path":"/api/v1/workspaces/{workspaceId}/commerce/products/{externalId}","body":"json","keyed":true,"repeatable":true},
  upsertProducts: {"method":"POST","path":"/api/v1/workspaces/{workspaceId}/commerce/products/batch","body":"json","keyed":true},
  deleteProduct: {"method":"DELETE","path":"/api/v1/workspaces/{workspaceId}/commerce/products/{externalId}","repeatable":true},
  getDeliverySettings: {"method":"GET","path":"/api/v1/workspaces/{workspaceId}/commerce/delivery","headers":{"ifNoneMatch":"If-None-Match"},"repeatable":true},
  saveDeliverySettings: {"method":"PUT","path":"/api/v1/workspaces/{workspaceId}/commerce/delivery","body":"json","keyed":true,"repeatable":true},
  listNumberLists: {"method":"GET","path":"/api/v1/workspaces/{workspaceId}/commerce/number-lists","headers":{"ifNoneMatch":"If-None-Match"},"repeatable":true},
  createNumberList: {"method":"POST","path":"/api/v1/workspaces/{workspaceId}/commerce/number-lists","body":"json","keyed":true},
  getNumberList: {"method":"GET","path":"/api/v1/workspaces/{workspaceId}/commerce/number-lists/{listId}","headers":{"ifNoneMatch":"If-None-Match"},"repeatable":true},
  updateNumberList: {"method":"PUT","path":"/api/v1/workspaces/{workspaceId}/commerce/number-lists/{listId}","body":"json","repeatable":true},
  deleteNumberList: {"method":"DELETE","path":"/api/v1/workspaces/{workspaceId}/commerce/number-lists/{listId}","repeatable":true},
  listPromotions: {"method":"GET","path":"/api/v1/workspaces/{workspaceId}/commerce/promotions","headers":{"ifNoneMatch":"If-None-Match"},"repeatable":true},
  createPromotion: {"method":"POST","path":"/api/v1/workspaces/{workspaceId}/commerce/promotions","body":"json","keyed":true},
  getPromotion: {"method":"GET","path":"/api/v1/workspaces/{workspaceId}/commerce/promotions/{promotionId}","headers":{"ifNoneMatch":"If-None-Match"},"repeatable":true},
  updatePromotion: {"method":"PUT","path":"/api/v1/workspaces/{workspaceId}/commerce/promotions/{promotionId}","body":"json","repeatable":true},
  deletePromotion: {"method":"DELETE","path":"/api/v1/workspaces/{workspaceId}/commerce/promotions/{promotionId}","repeatable":true},
  listOrders: {"method":"GET","path":"/api/v1/workspaces/{workspaceId}/commerce/orders","query":["status","fulfilment","checkedOut","phone","number","from","to","cursor","limit"],"headers":{"ifNoneMatch":"If-None-Match"},"list":"orders","repeatable":true},
  getOrder: {"method":"GET","path":"/api/v1/workspaces/{workspaceId}/commerce/orders/{orderId}","headers":{"ifNoneMatch":"If-None-Match"},"repeatable":true},
  cancelOrder: {"method":"POST","path":"/api/v1/workspaces/{workspaceId}/commerce/orders/{orderId}/cancel","body":"json","keyed":true},
  setOrderStatus: {"method":"POST","path":"/api/v1/workspaces/{workspaceId}/commerce/orders/{orderId}/status","body":"json","keyed":true},
  getStoreReport: {"method":"GET","path":"/api/v1/workspaces/{workspaceId}/commerce/report","query":["days","to"],"headers":{"ifNoneMatch":"If-None-Match"},"repeatable":true},
  listConversations: {"method":"GET","path":"/api/v1/workspaces/{workspaceId}/conversations","query":["status","teamId","assignee","cursor","limit"],"headers":{"ifNoneMatch":"If-None-Match"},"list":"conversations","repeatable":true},
  startConversation: {"method":"POST","path":"/api/v1/workspaces/{workspaceId}/conversations","body":"json","keyed":true},
  getConversation: {"method":"GET","path":"/api/v1/workspaces/{workspaceId}/conversations/{conversationId}","headers":{"ifNoneMatch":"If-None-Match"},"repeatable":true},
  listMessages: {"method":"GET","path":"/api/v1/workspaces/{workspaceId}/conversations/{conversationId}/messages","query":["cursor","limit"],"headers":{"ifNoneMatch":"If-None-Match"},"list":"messages","repeatable":true},
  sendMessage: {"method":"POST","path":"/api/v1/workspaces/{workspaceId}/conversations/{conversationId}/messages","body":"json","keyed":true},
  updateConversation: {"method":"PATCH","path":"/api/v1/workspaces/{workspaceId}/conversations/{conversationId}","body":"json"},
  uploadFile: {"method":"POST","path":"/api/v1/workspaces/{workspaceId}/files","body":"file","keyed":true},
  getFile: {"method":"GET","path":"/api/v1/workspaces/{workspaceId}/files/{fileId}","headers":{"range":"Range","ifRange":"If-Range","ifNoneMatch":"If-None-Match"},"answer":"file","repeatable":true},
  deleteFile: {"method":"DELETE","path":"/api/v1/workspaces/{workspaceId}/files/{fileId}","repeatable":true},
  listRecordings: {"method":"GET","path":"/api/v1/workspaces/{workspaceId}/recordings","headers":{"ifNoneMatch":"If-None-Match"},"repeatable":true},
  getRecording: {"method":"GET","path":"/api/v1/workspaces/{workspaceId}/recordings/{recordingId}","headers":{"ifNoneMatch":"If-None-Match"},"repeatable":true},
  getPaymentSettings: {"method":"GET","path":"/api/v1/workspaces/{workspaceId}/commerce/payments","headers":{"ifNoneMatch":"If-None-Match"},"repeatable":true},
  savePaymentSettings: {"method":"PUT","path":"/api/v1/workspaces/{workspaceId}/commerce/payments","body":"json","repeatable":true},
  savePaymentWallets: {"method":"PUT","path":"/api/v1/workspaces/{workspaceId}/commerce/payments/wallets","body":"json","repeatable":true},
  checkPaymentKey: {"method":"POST","path":"/api/v1/workspaces/{workspaceId}/commerce/payments/check","repeatable":true},
  deletePaymentSettings: {"method":"DELETE","path":"/api/v1/workspaces/{workspaceId}/commerce/payments","repeatable":true},
  listTemplates: {"method":"GET","path":"/api/v1/workspaces/{workspaceId}/templates","query":["cursor","limit"],"headers":{"ifNoneMatch":"If-None-Match"},"list":"templates","repeatable":true},
  createTemplate: {"method":"POST","path":"/api/v1/workspaces/{workspaceId}/templates","body":"json","keyed":true},
  getTemplate: {"method":"GET","path":"/api/v1/workspaces/{workspaceId}/templates/{templateId}","headers":{"ifNoneMatch":"If-None-Match"},"repeatable":true},
  editTemplate: {"method":"PATCH","path":"/api/v1/workspaces/{workspaceId}/templates/{templateId}","body":"json"},
  deleteTemplate: {"method":"DELETE","path":"/api/v1/workspaces/{workspaceId}/templates/{templateId}","repeatable":true},
  previewTemplate: {"method":"POST","path":"/api/v1/workspaces/{workspaceId}/templates/{templateId}/preview","body":"json","repeatable":true},
  syncTemplates: {"method":"POST","path":"/api/v1/workspaces/{workspaceId}/templates/sync"},
  listPartnerWebhookEndpoints: {"method":"GET","path":"/api/v1/partner/webhook-endpoints","headers":{"ifNoneMatch":"If-None-Match"},"repeatable":true},
  createPartnerWebhookEndpoint: {"method":"POST","path":"/api/v1/partner/webhook-endpoints","body":"json","keyed":true},
  getPartnerWebhookEndpoint: {"method":"GET","path":"/api/v1/partner/webhook-endpoints/{endpointId}","headers":{"ifNoneMatch":"If-None-Match"},"repeatable":true},
  updatePartnerWebhookEndpoint: {"method":"PATCH","path":"/api/v1/partner/webhook-endpoints/{endpointId}","body":"json"},
  deletePartnerWebhookEndpoint: {"method":"DELETE","path":"/api/v1/partner/webhook-endpoints/{endpointId}","repeatable":true},
  listPartnerWebhookDeliveries: {"method":"GET","path":"/api/v1/partner/webhook-endpoints/{endpointId}/deliveries","query":["eventId","status","cursor","limit"],"headers":{"ifNoneMatch":"If-None-Match"},"list":"deliveries","repeatable":true},
  replayPartnerWebhookEndpointEvent: {"method":"POST","path":"/api/v1/partner/webhook-endpoints/{endpointId}/events/{eventId}/replay","keyed":true},
  replayPartnerWebhookEndpoint: {"method":"POST","path":"/api/v1/partner/webhook-endpoints/{endpointId}/replay","body":"json","keyed":true},
  rotatePartnerWebhookEndpointSecret: {"method":"POST","path":"/api/v1/partner/webhook-endpoints/{endpointId}/rotate-secret","query":["keepPreviousHours"],"keyed":true},
  sendPartnerWebhookTest: {"method":"POST","path":"/api/v1/partner/webhook-endpoints/{endpointId}/test","keyed":true},
  listPartnerWebhookEventTypes: {"method":"GET","path":"/api/v1/partner/webhook-event-types","headers":{"ifNoneMatch":"If-None-Match"},"repeatable":true},
  listWebhookEndpoints: {"method":"GET","path":"/api/v1/workspaces/{workspaceId}/webhook-endpoints","headers":{"ifNoneMatch":"If-None-Match"},"repeatable":true},
  createWebhookEndpoint: {"method":"POST","path":"/api/v1/workspaces/{workspaceId}/webhook-endpoints","body":"json","keyed":true},
  getWebhookEndpoint: {"method":"GET","path":"/api/v1/workspaces/{workspaceId}/webhook-endpoints/{endpointId}","headers":{"ifNoneMatch":"If-None-Match"},"repeatable":true},
  updateWebhookEndpoint: {"method":"PATCH","path":"/api/v1/workspaces/{workspaceId}/webhook-endpoints/{endpointId}","body":"json"},
  deleteWebhookEndpoint: {"method":"DELETE","path":"/api/v1/workspaces/{workspaceId}/webhook-endpoints/{endpointId}","repeatable":true},
  listWebhookDeliveries: {"method":"GET","path":"/api/v1/workspaces/{workspaceId}/webhook-endpoints/{endpointId}/deliveries","query":["eventId","status","cursor","limit"],"headers":{"ifNoneMatch":"If-None-Match"},"list":"deliveries","repeatable":true},
  replayWebhookEndpointEvent: {"method":"POST","path":"/api/v1/workspaces/{workspaceId}/webhook-endpoints/{endpointId}/events/{eventId}/replay","keyed":true},
  replayWebhookEndpoint: {"method":"POST","path":"/api/v1/workspaces/{workspaceId}/webhook-endpoints/{endpointId}/replay","body":"json","keyed":true},
  rotateWebhookEndpointSecret: {"method":"POST","path":"/api/v1/workspaces/{workspaceId}/webhook-endpoints/{endpointId}/rotate-secret","query":["keepPreviousHours"],"keyed":true},
  sendWebhookTest: {"method":"POST","path":"/api/v1/workspaces/{workspaceId}/webhook-endpoints/{endpointId}/test","keyed":true},
  listWebhookEventTypes: {"method":"GET","path":"/api/v1/workspaces/{workspaceId}/webhook-event-types","headers":{"ifNoneMatch":"If-None-Match"},"repeatable":true},
  listHistory: {"method":"GET","path":"/api/v1/workspaces/{workspaceId}/history","query":["from","to","type","actor","correlation","cursor","limit"],"headers":{"ifNoneMatch":"If-None-Match"},"list":"events","repeatable":true},
  listOrderHistory: {"method":"GET","path":"/api/v1/workspaces/{workspaceId}/history/orders/{orderId}","query":["from","to","type","actor","correlation","cursor","limit"],"headers":{"ifNoneMatch":"If-None-Match"},"list":"events","repeatable":true},
  compareOrderHistory: {"method":"GET","path":"/api/v1/workspaces/{workspaceId}/history/orders/{orderId}/changes","query":["from","to"],"headers":{"ifNoneMatch":"If-None-Match"},"repeatable":true},
  listProductHistory: {"method":"GET","path":"/api/v1/workspaces/{workspaceId}/history/products/{externalId}","query":["from","to","type","actor","correlation","cursor","limit"],"headers":{"ifNoneMatch":"If-None-Match"},"list":"events","repeatable":true},
  compareProductHistory: {"method":"GET","path":"/api/v1/workspaces/{workspaceId}/history/products/{externalId}/changes","query":["from","to"],"headers":{"ifNoneMatch":"If-None-Match"},"repeatable":true},
  listPromotionHistory: {"method":"GET","path":"/api/v1/workspaces/{workspaceId}/history/promotions/{promotionId}","query":["from","to","type","actor","correlation","cursor","limit"],"headers":{"ifNoneMatch":"If-None-Match"},"list":"events","repeatable":true},
  comparePromotionHistory: {"method":"GET","path":"/api/v1/workspaces/{workspaceId}/history/promotions/{promotionId}/changes","query":["from","to"],"headers":{"ifNoneMatch":"If-None-Match"},"repeatable":true},
  listConversationHistory: {"method":"GET","path":"/api/v1/workspaces/{workspaceId}/history/conversations/{conversationId}","query":["from","to","type","actor","correlation","cursor","limit"],"headers":{"ifNoneMatch":"If-None-Match"},"list":"events","repeatable":true},
  compareConversationHistory: {"method":"GET","path":"/api/v1/workspaces/{workspaceId}/history/conversations/{conversationId}/changes","query":["from","to"],"headers":{"ifNoneMatch":"If-None-Match"},"repeatable":true},
  listMemberHistory: {"method":"GET","path":"/api/v1/workspaces/{workspaceId}/history/members/{memberId}","query":["from","to","type","actor","correlation","cursor","limit"],"headers":{"ifNoneMatch":"If-None-Match"},"list":"events","repeatable":true},
  compareMemberHistory: {"method":"GET","path":"/api/v1/workspaces/{workspaceId}/history/members/{memberId}/changes","query":["from","to"],"headers":{"ifNoneMatch":"If-None-Match"},"repeatable":true},
  listKeyHistory: {"method":"GET","path":"/api/v1/workspaces/{workspaceId}/history/keys/{keyId}","query":["from","to","type","actor","correlation","cursor","limit"],"headers":{"ifNoneMatch":"If-None-Match"},"list":"events","repeatable":true},
  compareKeyHistory: {"method":"GET","path":"/api/v1/workspaces/{workspaceId}/history/keys/{keyId}/changes","query":["from","to"],"headers":{"ifNoneMatch":"If-None-Match"},"repeatable":true},
  listDeliveryHistory: {"method":"GET","path":"/api/v1/workspaces/{workspaceId}/history/delivery","query":["from","to","type","actor","correlation","cursor","limit"],"headers":{"ifNoneMatch":"If-None-Match"},"list":"events","repeatable":true},
  compareDeliveryHistory: {"method":"GET","path":"/api/v1/workspaces/{workspaceId}/history/delivery/changes","query":["from","to"],"headers":{"ifNoneMatch":"If-None-Match"},"repeatable":true},
  createConsoleLink: {"method":"POST","path":"/api/v1/workspaces/{workspaceId}/console-links","body":"json","keyed":true},
  createMemberLink: {"method":"POST","path":"/api/v1/workspaces/{workspaceId}/members/{memberId}/console-links","body":"json","keyed":true},
} as const;
