/* Written by `npm run client` from the OpenAPI document. */
// biome-ignore format: as it is written.
export interface Schemas {
  BatchBody: { readonly products: readonly (Schemas['ProductUpsertBody'])[]; };
  BatchResultBody: { readonly results: readonly (Schemas['UpsertResultBody'])[]; };
  CatalogBody: { readonly status: 'pending' | 'no_number' | 'active' | 'failed'; readonly metaCatalogId?: string; readonly errorCode?: string; readonly errorMessage?: string; };
  CategoriesBody: { readonly categories: readonly (Schemas['CategoryBody'])[]; };
  CategoriesInputBody: { readonly categories: readonly (Schemas['CategoryInputBody'])[]; };
  CategoryBody: { readonly externalId: string; readonly name: string; readonly position: number; };
  CategoryInputBody: { readonly externalId: string; readonly name: string; };
  CategoryRefBody: { readonly externalId: string; readonly name: string; };
  ConsoleLinkOutputBody: { readonly url?: string; readonly expiresAt: string; readonly sessionExpiresAt: string; };
  ContactBody: { readonly id: string; readonly phone: string; readonly name: string; readonly language: 'en' | 'so' | 'ar'; readonly tags: readonly (string)[]; readonly externalRef?: string; readonly channelName?: string; };
  ConversationBody: { readonly id: string; readonly numberId: string; readonly contact: Schemas['ContactBody']; readonly routingState: 'awaiting_menu' | 'routed'; readonly status: 'open' | 'closed' | 'snoozed'; readonly unreadCount: number; readonly lastMessageAt: string; readonly pinned: boolean; readonly createdAt: string; readonly updatedAt: string; readonly assigneeMemberId?: string; readonly closedAt?: string; readonly snoozedUntil?: string; readonly teamId?: string; readonly routingDeadline?: string; readonly windowExpiresAt?: string; readonly lastMessage?: { readonly direction: 'inbound' | 'outbound' | 'internal'; readonly type: 'text' | 'image' | 'video' | 'audio' | 'document' | 'sticker' | 'location' | 'template' | 'reaction' | 'interactive' | 'contacts' | 'unsupported' | 'note' | 'call' | 'order'; readonly text: string; readonly status: 'received' | 'pending' | 'sent' | 'delivered' | 'read' | 'failed' | 'saved'; readonly deleted: boolean; }; readonly mergedInto?: string; };
  ConversationListOutputBody: { readonly conversations: readonly (Schemas['ConversationBody'])[]; readonly next?: string; };
  CreateConsoleLinkInputBody: { readonly minutes?: number; };
  CreateInputBody2: { readonly name: string; readonly language: string; readonly category: 'marketing' | 'utility' | 'authentication'; readonly definition: Schemas['TemplateDefinitionBody']; };
  CreateWebhookEndpointInputBody: { readonly url: string; readonly events: readonly ('message.received' | 'message.updated' | 'call.missed' | 'order.created' | 'order.checked_out' | 'order.paid' | 'order.payment_failed' | 'order.status_changed' | 'order.refunded' | 'product.sync_changed' | 'conversation.merged' | 'webhook.test')[]; readonly description?: string; };
  DeliveryAreaBody: { readonly name: string; readonly feeCents: number; readonly active: boolean; readonly id?: string; };
  DeliveryBody: { readonly deliveryEnabled: boolean; readonly pickupEnabled: boolean; readonly pickupAddress: string; readonly requestLocation: boolean; readonly notifyStatuses: readonly ('awaiting_payment' | 'paid' | 'preparing' | 'out_for_delivery' | 'delivered' | 'cancelled' | 'refunded')[]; readonly areas: readonly (Schemas['DeliveryAreaBody'])[]; readonly freeDeliveryAboveCents?: number; readonly cashOnDelivery?: boolean; readonly cartValidDays?: number; readonly unpaidHours?: number; readonly saved: boolean; };
  DeliverySettingsBody: { readonly deliveryEnabled: boolean; readonly pickupEnabled: boolean; readonly pickupAddress: string; readonly requestLocation: boolean; readonly notifyStatuses: readonly ('awaiting_payment' | 'paid' | 'preparing' | 'out_for_delivery' | 'delivered' | 'cancelled' | 'refunded')[]; readonly areas: readonly (Schemas['DeliveryAreaBody'])[]; readonly freeDeliveryAboveCents?: number; readonly cashOnDelivery?: boolean; readonly cartValidDays?: number; readonly unpaidHours?: number; };
  EditInputBody: { readonly definition: Schemas['TemplateDefinitionBody']; readonly category?: 'marketing' | 'utility'; };
  FileBody: { readonly id: string; readonly name: string; readonly mimeType: string; readonly size: number; readonly kind: 'image' | 'video' | 'audio' | 'document' | 'sticker'; readonly sha256: string; readonly createdAt: string; };
  HistoryActorBody: { readonly type: 'member' | 'partner_key' | 'api_key' | 'customer' | 'system'; readonly id?: string; readonly name: string; };
  HistoryBody: { readonly events: readonly (Schemas['HistoryEventBody'])[]; readonly next?: string; };
  HistoryChangeBody: { readonly path: string; readonly was?: unknown; readonly is?: unknown; };
  HistoryChangesBody: { readonly kind: 'store' | 'order' | 'product' | 'promotion' | 'conversation' | 'member' | 'key' | 'delivery'; readonly id: string; readonly changes: readonly (Schemas['HistoryChangeBody'])[]; };
  HistoryEventBody: { readonly id: string; readonly stream: string; readonly revision: number; readonly type: string; readonly at: string; readonly actor: Schemas['HistoryActorBody']; readonly correlationId: string; readonly causationId?: string; readonly data: Readonly<Record<string, unknown>>; };
  ListOutputBody3: { readonly templates: readonly (Schemas['TemplateBody'])[]; readonly next?: string; readonly syncedAt?: string; readonly syncError?: string; };
  MemberBody: { readonly id: string; readonly userId: string; readonly email: string; readonly name: string; readonly role: string; readonly status: 'invited' | 'active' | 'disabled'; readonly createdAt: string; readonly teams: readonly ({ readonly id: string; readonly role: 'member' | 'lead'; })[]; readonly joinedAt?: string; readonly lastActiveAt?: string; };
  MembersBody: { readonly members: readonly (Schemas['MemberBody'])[]; };
  MessageBody: { readonly id: string; readonly conversationId: string; readonly direction: 'inbound' | 'outbound' | 'internal'; readonly type: 'text' | 'image' | 'video' | 'audio' | 'document' | 'sticker' | 'location' | 'template' | 'reaction' | 'interactive' | 'contacts' | 'unsupported' | 'note' | 'call' | 'order'; readonly text: string; readonly status: 'received' | 'pending' | 'sent' | 'delivered' | 'read' | 'failed' | 'saved'; readonly reactions: readonly ({ readonly by: 'contact' | 'member'; readonly emoji: string; readonly memberId?: string; })[]; readonly deleted: boolean; readonly createdAt: string; readonly clientMsgId?: string; readonly sentAt?: string; readonly deliveredAt?: string; readonly readAt?: string; readonly failedAt?: string; readonly errorCode?: string; readonly errorMessage?: string; readonly forwarded?: boolean; readonly replyToMessageId?: string; readonly sentByMemberId?: string; readonly locationRequest?: boolean; readonly call?: { readonly callId: string; readonly missed: boolean; readonly reason?: string; }; readonly details?: { readonly edited?: boolean; readonly editsMessageId?: string; readonly cut?: readonly (string)[]; readonly channel?: Readonly<Record<string, unknown>>; readonly notice?: string; }; readonly choice?: { readonly title: string; readonly id?: string; readonly description?: string; }; readonly flow?: { readonly cta: string; }; readonly flowReply?: { readonly fields: readonly ({ readonly name: string; readonly value: unknown; })[]; readonly name?: string; }; readonly location?: { readonly latitude: number; readonly longitude: number; readonly name?: string; readonly address?: string; }; readonly media?: { readonly status: 'pending' | 'ready' | 'failed'; readonly fileId?: string; readonly filename?: string; readonly mimeType?: string; readonly caption?: string; readonly voice?: boolean; }; readonly menu?: { readonly body: string; readonly options: readonly ({ readonly id: string; readonly title: string; })[]; readonly headerImage?: string; readonly listButton?: string; }; readonly order?: { readonly items: readonly ({ readonly productRetailerId: string; readonly quantity: number; readonly currency?: string; readonly itemPrice?: string; })[]; readonly catalogId?: string; readonly text?: string; }; readonly products?: { readonly kind: 'product' | 'product_list' | 'carousel' | 'catalog_message'; readonly sections: readonly ({ readonly retailerIds: readonly (string)[]; readonly title?: string; })[]; readonly header?: string; }; readonly template?: Schemas['TemplateRefBody']; };
  NumberListBody: { readonly id: string; readonly name: string; readonly kind: 'uploaded' | 'past_orders'; readonly minOrders?: number; readonly size: number; readonly usedBy: number; readonly phones?: readonly (string)[]; readonly createdAt: string; readonly updatedAt: string; };
  NumberListFields: { readonly name: string; readonly kind: 'uploaded' | 'past_orders'; readonly minOrders?: number; readonly phones?: readonly (string)[] | null; };
  NumberListsBody: { readonly lists: readonly (Schemas['NumberListBody'])[]; };
  OrderCancelBody: { readonly reason?: string; };
  OrderStatusBody: { readonly status: 'preparing' | 'out_for_delivery' | 'delivered' | 'cancelled'; readonly note?: string; };
  OrderStatusCountBody: { readonly status: 'new' | 'awaiting_payment' | 'paid' | 'preparing' | 'out_for_delivery' | 'delivered' | 'cancelled' | 'refunded'; readonly orders: number; };
  PaymentKeyCheckBody: { readonly ok: boolean; readonly reason?: 'refused' | 'unreachable'; };
  PaymentSettingsBody: { readonly available: boolean; readonly saved: boolean; readonly merchantId?: string; readonly last4?: string; readonly options: readonly (Schemas['PaymentWalletOptionBody'])[]; readonly wallets: readonly (Schemas['PaymentWallet'])[]; readonly updatedAt?: string; };
  PaymentSettingsInputBody: { readonly merchantId: string; readonly apiKey: string; };
  PaymentSettingsSavedBody: { readonly saved: boolean; readonly last4: string; };
  PaymentWallet: 'evc_plus' | 'zaad' | 'sahal' | 'waafi' | 'edahab' | 'jeeb';
  PaymentWalletOptionBody: { readonly id: Schemas['PaymentWallet']; readonly name: string; };
  PaymentWalletsInputBody: { readonly wallets: readonly (Schemas['PaymentWallet'])[]; };
  PreviewInputBody: { readonly components?: readonly (Schemas['TemplateComponentBody'])[]; };
  PreviewOutputBody: { readonly templateId: string; readonly body: string; readonly buttons: readonly ({ readonly type: 'quick_reply' | 'url' | 'phone_number' | 'copy_code' | 'otp' | 'voice_call_request'; readonly text?: string; readonly url?: string; readonly phoneNumber?: string; readonly code?: string; readonly payload?: string; })[]; readonly text: string; readonly header?: { readonly format: 'text' | 'image' | 'video' | 'document' | 'location'; readonly text?: string; readonly media?: { readonly link?: string; readonly fileId?: string; readonly filename?: string; }; readonly location?: { readonly latitude: number; readonly longitude: number; readonly name?: string; readonly address?: string; }; }; readonly footer?: string; };
  ProductBody: { readonly externalId: string; readonly name: string; readonly description: string; readonly imageUrls: readonly (string)[]; readonly priceCents: number; readonly salePriceCents?: number; readonly saleStartsAt?: string; readonly saleEndsAt?: string; readonly currency: 'USD'; readonly availability: 'in_stock' | 'out_of_stock'; readonly stock?: number; readonly active: boolean; readonly category?: Schemas['CategoryRefBody']; readonly sync: Schemas['SyncBody']; readonly variants: readonly (Schemas['VariantViewBody'])[]; readonly updatedAt: string; };
  ProductFields: { readonly name: string; readonly description?: string; readonly imageUrls: readonly (string)[]; readonly priceCents: number; readonly salePriceCents?: number; readonly saleStartsAt?: string; readonly saleEndsAt?: string; readonly currency?: 'USD'; readonly availability?: 'in_stock' | 'out_of_stock'; readonly stock?: number; readonly active?: boolean; readonly categoryExternalId?: string; readonly variants?: readonly (Schemas['VariantBody'])[] | null; };
  ProductUpsertBody: { readonly externalId: string; readonly name: string; readonly description?: string; readonly imageUrls: readonly (string)[]; readonly priceCents: number; readonly salePriceCents?: number; readonly saleStartsAt?: string; readonly saleEndsAt?: string; readonly currency?: 'USD'; readonly availability?: 'in_stock' | 'out_of_stock'; readonly stock?: number; readonly active?: boolean; readonly categoryExternalId?: string; readonly variants?: readonly (Schemas['VariantBody'])[] | null; };
  ProductsBody: { readonly catalog: Schemas['CatalogBody']; readonly products: readonly (Schemas['ProductBody'])[]; readonly next?: string; };
  PromotionBody: { readonly id: string; readonly name: string; readonly kind: 'flash_sale' | 'number_list' | 'coupon'; readonly scope: 'all' | 'products' | 'categories'; readonly productExternalIds: readonly (string)[]; readonly categoryExternalIds: readonly (string)[]; readonly percentOff?: number; readonly amountOffCents?: number; readonly code?: string; readonly numberListId?: string; readonly minSubtotalCents?: number; readonly maxPerCustomer?: number; readonly maxRedemptions?: number; readonly combinable?: boolean; readonly startsAt?: string; readonly endsAt?: string; readonly active: boolean; readonly open: boolean; readonly redemptions: number; readonly createdAt: string; readonly updatedAt: string; };
  PromotionCostBody: { readonly promotionId: string; readonly name: string; readonly uses: number; readonly discountCents: number; };
  PromotionFields: { readonly name: string; readonly kind: 'flash_sale' | 'number_list' | 'coupon'; readonly scope?: 'all' | 'products' | 'categories'; readonly productExternalIds?: readonly (string)[] | null; readonly categoryExternalIds?: readonly (string)[] | null; readonly percentOff?: number; readonly amountOffCents?: number; readonly code?: string; readonly numberListId?: string; readonly minSubtotalCents?: number; readonly maxPerCustomer?: number; readonly maxRedemptions?: number; readonly combinable?: boolean; readonly startsAt?: string; readonly endsAt?: string; readonly active?: boolean; };
  PromotionsBody: { readonly promotions: readonly (Schemas['PromotionBody'])[]; };
  RecordingBody: { readonly id: string; readonly name: string; readonly kind: 'greeting' | 'option' | 'fallback_closed' | 'fallback_prayer' | 'fallback_missed' | 'hold' | 'custom'; readonly source: 'recorded' | 'uploaded' | 'default'; readonly status: 'processing' | 'ready' | 'failed'; readonly playable: boolean; readonly isDefault: boolean; readonly createdBy: string; readonly createdAt: string; readonly updatedAt: string; readonly uses: readonly ({ readonly kind: 'team_queue'; readonly teamId: string; readonly field: 'hold' | 'closed' | 'missed'; })[]; readonly language?: 'en' | 'so' | 'ar'; readonly durationMs?: number; readonly size?: number; readonly failureCode?: 'too_short' | 'too_long' | 'unreadable' | 'processing_error'; readonly failureReason?: string; };
  RecordingsBody: { readonly recordings: readonly (Schemas['RecordingBody'])[]; readonly count: number; readonly limit: number; readonly unlimited: boolean; };
  SalesDayBody: { readonly date: string; readonly placed: number; readonly checkedOut: number; readonly sold: number; readonly revenueCents: number; readonly deliveryFeeCents: number; readonly discountCents: number; readonly returned: number; readonly returnedCents: number; readonly paymentFailures: number; };
  SendBody: { readonly clientMsgId: string; readonly type: 'text' | 'image' | 'video' | 'audio' | 'document' | 'sticker' | 'template'; readonly text?: string; readonly media?: { readonly fileId: string; readonly filename?: string; }; readonly replyToMessageId?: string; readonly template?: Schemas['TemplateSendBody']; };
  SoldProductBody: { readonly productExternalId: string; readonly name: string; readonly quantity: number; readonly revenueCents: number; };
  StartInputBody: { readonly phone: string; readonly message: Schemas['SendBody']; readonly teamId?: string; };
  StartOutputBody: { readonly conversation: Schemas['ConversationBody']; readonly message: Schemas['MessageBody']; };
  StoreAttentionBody: { readonly waitingChats: number; readonly waitingSince?: string; readonly rejectedItems: number; readonly failingEndpoints: number; };
  StoreOrderBody: { readonly id: string; readonly number: number; readonly status: 'new' | 'awaiting_payment' | 'paid' | 'preparing' | 'out_for_delivery' | 'delivered' | 'cancelled' | 'refunded'; readonly nextStatuses: readonly ('new' | 'awaiting_payment' | 'paid' | 'preparing' | 'out_for_delivery' | 'delivered' | 'cancelled' | 'refunded')[]; readonly fulfilment?: 'delivery' | 'pickup'; readonly currency: 'USD'; readonly subtotalCents: number; readonly discountCents: number; readonly deliveryFeeCents: number; readonly totalCents: number; readonly itemCount: number; readonly customerPhone: string; readonly customerName?: string; readonly contactPhone?: string; readonly address?: string; readonly deliveryArea?: string; readonly couponCode?: string; readonly cancelReason?: string; readonly discountReason?: string; readonly note?: string; readonly customerNote?: string; readonly checkedOutAt?: string; readonly conversationId?: string; readonly teamId?: string; readonly location?: { readonly latitude: number; readonly longitude: number; }; readonly items?: readonly (Schemas['StoreOrderItemBody'])[]; readonly events?: readonly (Schemas['StoreOrderEventBody'])[]; readonly createdAt: string; readonly updatedAt: string; };
  StoreOrderEventBody: { readonly at: string; readonly kind: 'created' | 'summary_sent' | 'status_changed' | 'checkout' | 'location' | 'customer_notified' | 'customer_not_notified' | 'payment_failed'; readonly actorType: 'member' | 'partner_key' | 'api_key' | 'customer' | 'system'; readonly actorId?: string; readonly fromStatus?: 'new' | 'awaiting_payment' | 'paid' | 'preparing' | 'out_for_delivery' | 'delivered' | 'cancelled' | 'refunded'; readonly toStatus?: 'new' | 'awaiting_payment' | 'paid' | 'preparing' | 'out_for_delivery' | 'delivered' | 'cancelled' | 'refunded'; readonly note?: string; };
  StoreOrderItemBody: { readonly name: string; readonly productExternalId: string; readonly retailerId: string; readonly quantity: number; readonly unitPriceCents: number; readonly color?: string; readonly size?: string; };
  StoreOrdersBody: { readonly orders: readonly (Schemas['StoreOrderBody'])[]; readonly next?: string; };
  StoreReportBody: { readonly from: string; readonly to: string; readonly timezone: string; readonly currency: 'USD'; readonly days: readonly (Schemas['SalesDayBody'])[]; readonly ordersByStatus: readonly (Schemas['OrderStatusCountBody'])[]; readonly topProducts: readonly (Schemas['SoldProductBody'])[]; readonly promotions: readonly (Schemas['PromotionCostBody'])[]; readonly attention: Schemas['StoreAttentionBody']; };
  SyncBody: { readonly status: 'queued' | 'in_review' | 'approved' | 'rejected' | 'failed' | 'inactive'; readonly lastSyncedAt?: string; readonly reason?: string; };
  TeamDetailBody: { readonly id: string; readonly name: string; readonly color: 'chart-1' | 'chart-2' | 'chart-3' | 'chart-4' | 'chart-5'; readonly isDefault: boolean; readonly members: readonly ({ readonly memberId: string; readonly lead?: boolean; })[]; readonly queue: { readonly strategy: 'all' | 'priority'; readonly ringTimeoutSeconds: number; readonly maxWaitSeconds: number; readonly secondsPerPerson: number; readonly announcePositionSeconds?: number; readonly holdRecordingId?: string; readonly closedRecordingId?: string; readonly missedRecordingId?: string; }; readonly workingHours: readonly ({ readonly day: 'sat' | 'sun' | 'mon' | 'tue' | 'wed' | 'thu' | 'fri'; readonly opens: string; readonly closes: string; })[] | null; readonly createdAt: string; readonly updatedAt: string; };
  TeamsBody: { readonly teams: readonly (Schemas['TeamDetailBody'])[]; };
  TemplateBody: { readonly id: string; readonly name: string; readonly language: string; readonly category: 'marketing' | 'utility' | 'authentication'; readonly definition: Schemas['TemplateDefinitionBody']; readonly parameterFormat: 'positional' | 'named'; readonly status: 'submitting' | 'submit_failed' | 'pending' | 'approved' | 'rejected' | 'paused' | 'disabled' | 'in_appeal' | 'pending_deletion' | 'limit_exceeded' | 'archived' | 'deleting'; readonly editPending: boolean; readonly createdAt: string; readonly updatedAt: string; readonly quality?: string; readonly rejectedReason?: string; readonly errorCode?: string; readonly errorMessage?: string; readonly syncedAt?: string; };
  TemplateComponentBody: { readonly type: 'header' | 'body' | 'button'; readonly subType?: 'quick_reply' | 'url' | 'copy_code'; readonly index?: number; readonly parameters?: readonly (Schemas['TemplateParameterBody'])[]; };
  TemplateDefinitionBody: { readonly body: { readonly text?: string; readonly examples?: readonly ({ readonly value: string; readonly name?: string; })[]; readonly addSecurityRecommendation?: boolean; }; readonly header?: { readonly format: 'text' | 'image' | 'video' | 'document' | 'location'; readonly text?: string; readonly examples?: readonly ({ readonly value: string; readonly name?: string; })[]; readonly sampleFileId?: string; }; readonly footer?: { readonly text?: string; readonly codeExpirationMinutes?: number; }; readonly buttons?: readonly ({ readonly type: 'quick_reply' | 'url' | 'phone_number' | 'copy_code' | 'otp' | 'voice_call_request'; readonly text?: string; readonly url?: string; readonly phoneNumber?: string; readonly example?: string; })[]; readonly unsupported?: readonly (string)[]; };
  TemplateParameterBody: { readonly type: 'text' | 'currency' | 'date_time' | 'image' | 'video' | 'document' | 'location' | 'payload' | 'coupon_code'; readonly parameterName?: string; readonly text?: string; readonly currency?: { readonly amount1000: number; readonly code: string; readonly fallbackValue: string; }; readonly dateTime?: { readonly fallbackValue: string; }; readonly media?: { readonly link?: string; readonly fileId?: string; readonly filename?: string; }; readonly location?: { readonly latitude: number; readonly longitude: number; readonly name?: string; readonly address?: string; }; readonly payload?: string; readonly couponCode?: string; };
  TemplateRefBody: { readonly templateId?: string; readonly name: string; readonly language: string; };
  TemplateSendBody: { readonly templateId: string; readonly components?: readonly (Schemas['TemplateComponentBody'])[]; };
  ThreadOutputBody: { readonly messages: readonly (Schemas['MessageBody'])[]; readonly next?: string; };
  UpdateConversationInputBody: { readonly status?: 'open' | 'snoozed' | 'closed'; readonly snoozedUntil?: string; readonly assigneeMemberId?: string | null; readonly teamId?: string | null; readonly pinned?: boolean; readonly read?: true; };
  UpdateWebhookEndpointInputBody: { readonly url?: string; readonly events?: readonly ('message.received' | 'message.updated' | 'call.missed' | 'order.created' | 'order.checked_out' | 'order.paid' | 'order.payment_failed' | 'order.status_changed' | 'order.refunded' | 'product.sync_changed' | 'conversation.merged' | 'webhook.test')[] | null; readonly description?: string; readonly status?: 'active' | 'disabled'; };
  UpsertResultBody: { readonly externalId: string; readonly result: 'created' | 'updated' | 'unchanged'; };
  VariantBody: { readonly externalId: string; readonly size?: string; readonly color?: string; readonly priceCents?: number; readonly salePriceCents?: number; readonly availability?: 'in_stock' | 'out_of_stock'; readonly stock?: number; };
  VariantViewBody: { readonly externalId: string; readonly size?: string; readonly color?: string; readonly priceCents?: number; readonly salePriceCents?: number; readonly availability?: 'in_stock' | 'out_of_stock'; readonly stock?: number; readonly sync: Schemas['SyncBody']; };
  WebhookDeliveriesOutputBody: { readonly deliveries: readonly (Schemas['WebhookDeliveryBody'])[]; readonly next?: string; };
  WebhookDeliveryBody: { readonly id: string; readonly eventId: string; readonly eventType: string; readonly attempt: number; readonly attemptedAt: string; readonly latencyMs: number; readonly status: 'succeeded' | 'failed'; readonly trigger: 'event' | 'replay' | 'test'; readonly responseCode?: number; readonly error?: string; readonly nextRetryAt?: string; readonly workspaceId?: string; readonly storeExternalRef?: string; };
  WebhookEndpointBody: { readonly id: string; readonly url: string; readonly description: string; readonly events: readonly (string)[]; readonly status: 'active' | 'disabled'; readonly secretMasked: string; readonly createdAt: string; readonly updatedAt: string; readonly createdBy: string; readonly disabledAt?: string; readonly disabledReason?: 'failing' | 'manual'; readonly failingSince?: string; readonly lastSuccessAt?: string; readonly previousSecretExpiresAt?: string; };
  WebhookEndpointsOutputBody: { readonly endpoints: readonly (Schemas['WebhookEndpointBody'])[]; };
  WebhookEventTypeBody: { readonly type: string; readonly description: string; readonly emitted: boolean; };
  WebhookEventTypesOutputBody: { readonly eventTypes: readonly (Schemas['WebhookEventTypeBody'])[]; };
  WebhookReplayInputBody: { readonly since: string; readonly until?: string; };
  WebhookSecretOutputBody: { readonly endpoint: Schemas['WebhookEndpointBody']; readonly secret?: string; };
  WebhookTestOutputBody: { readonly eventId: string; };
}

/** Queries and answers of operations that read a store, by their path. */
// biome-ignore format: as it is written.
export interface Reads {
  /** compareConversationHistory */
  '/workspaces/{workspaceId}/history/conversations/{conversationId}/changes': { query: { readonly from?: string; readonly to?: string; }; answer: Schemas['HistoryChangesBody'] };
  /** compareDeliveryHistory */
  '/workspaces/{workspaceId}/history/delivery/changes': { query: { readonly from?: string; readonly to?: string; }; answer: Schemas['HistoryChangesBody'] };
  /** compareKeyHistory */
  '/workspaces/{workspaceId}/history/keys/{keyId}/changes': { query: { readonly from?: string; readonly to?: string; }; answer: Schemas['HistoryChangesBody'] };
  /** compareMemberHistory */
  '/workspaces/{workspaceId}/history/members/{memberId}/changes': { query: { readonly from?: string; readonly to?: string; }; answer: Schemas['HistoryChangesBody'] };
  /** compareOrderHistory */
  '/workspaces/{workspaceId}/history/orders/{orderId}/changes': { query: { readonly from?: string; readonly to?: string; }; answer: Schemas['HistoryChangesBody'] };
  /** compareProductHistory */
  '/workspaces/{workspaceId}/history/products/{externalId}/changes': { query: { readonly from?: string; readonly to?: string; }; answer: Schemas['HistoryChangesBody'] };
  /** comparePromotionHistory */
  '/workspaces/{workspaceId}/history/promotions/{promotionId}/changes': { query: { readonly from?: string; readonly to?: string; }; answer: Schemas['HistoryChangesBody'] };
  /** getConversation */
  '/workspaces/{workspaceId}/conversations/{conversationId}': { query: {  }; answer: Schemas['ConversationBody'] };
  /** getDeliverySettings */
  '/workspaces/{workspaceId}/commerce/delivery': { query: {  }; answer: Schemas['DeliveryBody'] };
  /** getNumberList */
  '/workspaces/{workspaceId}/commerce/number-lists/{listId}': { query: {  }; answer: Schemas['NumberListBody'] };
  /** getOrder */
  '/workspaces/{workspaceId}/commerce/orders/{orderId}': { query: {  }; answer: Schemas['StoreOrderBody'] };
  /** getPaymentSettings */
  '/workspaces/{workspaceId}/commerce/payments': { query: {  }; answer: Schemas['PaymentSettingsBody'] };
  /** getPromotion */
  '/workspaces/{workspaceId}/commerce/promotions/{promotionId}': { query: {  }; answer: Schemas['PromotionBody'] };
  /** getRecording */
  '/workspaces/{workspaceId}/recordings/{recordingId}': { query: {  }; answer: Schemas['RecordingBody'] };
  /** getStoreReport */
  '/workspaces/{workspaceId}/commerce/report': { query: { readonly days?: number; readonly to?: string; }; answer: Schemas['StoreReportBody'] };
  /** getTeam */
  '/workspaces/{workspaceId}/teams/{teamId}': { query: {  }; answer: Schemas['TeamDetailBody'] };
  /** getTemplate */
  '/workspaces/{workspaceId}/templates/{templateId}': { query: {  }; answer: Schemas['TemplateBody'] };
  /** getWebhookEndpoint */
  '/workspaces/{workspaceId}/webhook-endpoints/{endpointId}': { query: {  }; answer: Schemas['WebhookEndpointBody'] };
  /** listConversationHistory */
  '/workspaces/{workspaceId}/history/conversations/{conversationId}': { query: { readonly from?: string; readonly to?: string; readonly type?: readonly (string)[]; readonly actor?: string; readonly correlation?: string; readonly cursor?: string; readonly limit?: number; }; answer: Schemas['HistoryBody'] };
  /** listConversations */
  '/workspaces/{workspaceId}/conversations': { query: { readonly status?: 'active' | 'open' | 'snoozed' | 'closed'; readonly teamId?: string; readonly assignee?: string; readonly cursor?: string; readonly limit?: number; }; answer: Schemas['ConversationListOutputBody'] };
  /** listDeliveryHistory */
  '/workspaces/{workspaceId}/history/delivery': { query: { readonly from?: string; readonly to?: string; readonly type?: readonly (string)[]; readonly actor?: string; readonly correlation?: string; readonly cursor?: string; readonly limit?: number; }; answer: Schemas['HistoryBody'] };
  /** listHistory */
  '/workspaces/{workspaceId}/history': { query: { readonly from?: string; readonly to?: string; readonly type?: readonly (string)[]; readonly actor?: string; readonly correlation?: string; readonly cursor?: string; readonly limit?: number; }; answer: Schemas['HistoryBody'] };
  /** listKeyHistory */
  '/workspaces/{workspaceId}/history/keys/{keyId}': { query: { readonly from?: string; readonly to?: string; readonly type?: readonly (string)[]; readonly actor?: string; readonly correlation?: string; readonly cursor?: string; readonly limit?: number; }; answer: Schemas['HistoryBody'] };
  /** listMemberHistory */
  '/workspaces/{workspaceId}/history/members/{memberId}': { query: { readonly from?: string; readonly to?: string; readonly type?: readonly (string)[]; readonly actor?: string; readonly correlation?: string; readonly cursor?: string; readonly limit?: number; }; answer: Schemas['HistoryBody'] };
  /** listMembers */
  '/workspaces/{workspaceId}/members': { query: {  }; answer: Schemas['MembersBody'] };
  /** listMessages */
  '/workspaces/{workspaceId}/conversations/{conversationId}/messages': { query: { readonly cursor?: string; readonly limit?: number; }; answer: Schemas['ThreadOutputBody'] };
  /** listNumberLists */
  '/workspaces/{workspaceId}/commerce/number-lists': { query: {  }; answer: Schemas['NumberListsBody'] };
  /** listOrderHistory */
  '/workspaces/{workspaceId}/history/orders/{orderId}': { query: { readonly from?: string; readonly to?: string; readonly type?: readonly (string)[]; readonly actor?: string; readonly correlation?: string; readonly cursor?: string; readonly limit?: number; }; answer: Schemas['HistoryBody'] };
  /** listOrders */
  '/workspaces/{workspaceId}/commerce/orders': { query: { readonly status?: readonly ('new' | 'awaiting_payment' | 'paid' | 'preparing' | 'out_for_delivery' | 'delivered' | 'cancelled' | 'refunded')[]; readonly fulfilment?: 'delivery' | 'pickup'; readonly checkedOut?: boolean; readonly phone?: string; readonly number?: number; readonly from?: string; readonly to?: string; readonly cursor?: string; readonly limit?: number; }; answer: Schemas['StoreOrdersBody'] };
  /** listProductCategories */
  '/workspaces/{workspaceId}/commerce/categories': { query: {  }; answer: Schemas['CategoriesBody'] };
  /** listProductHistory */
  '/workspaces/{workspaceId}/history/products/{externalId}': { query: { readonly from?: string; readonly to?: string; readonly type?: readonly (string)[]; readonly actor?: string; readonly correlation?: string; readonly cursor?: string; readonly limit?: number; }; answer: Schemas['HistoryBody'] };
  /** listProducts */
  '/workspaces/{workspaceId}/commerce/products': { query: { readonly category?: string; readonly status?: 'queued' | 'in_review' | 'approved' | 'rejected' | 'failed' | 'inactive'; readonly cursor?: string; readonly limit?: number; }; answer: Schemas['ProductsBody'] };
  /** listPromotionHistory */
  '/workspaces/{workspaceId}/history/promotions/{promotionId}': { query: { readonly from?: string; readonly to?: string; readonly type?: readonly (string)[]; readonly actor?: string; readonly correlation?: string; readonly cursor?: string; readonly limit?: number; }; answer: Schemas['HistoryBody'] };
  /** listPromotions */
  '/workspaces/{workspaceId}/commerce/promotions': { query: {  }; answer: Schemas['PromotionsBody'] };
  /** listRecordings */
  '/workspaces/{workspaceId}/recordings': { query: {  }; answer: Schemas['RecordingsBody'] };
  /** listTeams */
  '/workspaces/{workspaceId}/teams': { query: {  }; answer: Schemas['TeamsBody'] };
  /** listTemplates */
  '/workspaces/{workspaceId}/templates': { query: { readonly cursor?: string; readonly limit?: number; }; answer: Schemas['ListOutputBody3'] };
  /** listWebhookDeliveries */
  '/workspaces/{workspaceId}/webhook-endpoints/{endpointId}/deliveries': { query: { readonly eventId?: string; readonly status?: 'succeeded' | 'failed'; readonly cursor?: string; readonly limit?: number; }; answer: Schemas['WebhookDeliveriesOutputBody'] };
  /** listWebhookEndpoints */
  '/workspaces/{workspaceId}/webhook-endpoints': { query: {  }; answer: Schemas['WebhookEndpointsOutputBody'] };
  /** listWebhookEventTypes */
  '/workspaces/{workspaceId}/webhook-event-types': { query: {  }; answer: Schemas['WebhookEventTypesOutputBody'] };
}

/** Bodies and answers of operations that change a store from the console, by their method and path. */
// biome-ignore format: as it is written.
export interface Changes {
  /** cancelOrder */
  'POST /workspaces/{workspaceId}/commerce/orders/{orderId}/cancel': { query: {  }; body: Schemas['OrderCancelBody']; answer: Schemas['StoreOrderBody'] };
  /** checkPaymentKey */
  'POST /workspaces/{workspaceId}/commerce/payments/check': { query: {  }; body: undefined; answer: Schemas['PaymentKeyCheckBody'] };
  /** createMemberLink */
  'POST /workspaces/{workspaceId}/members/{memberId}/console-links': { query: {  }; body: Schemas['CreateConsoleLinkInputBody']; answer: Schemas['ConsoleLinkOutputBody'] };
  /** createNumberList */
  'POST /workspaces/{workspaceId}/commerce/number-lists': { query: {  }; body: Schemas['NumberListFields']; answer: Schemas['NumberListBody'] };
  /** createPromotion */
  'POST /workspaces/{workspaceId}/commerce/promotions': { query: {  }; body: Schemas['PromotionFields']; answer: Schemas['PromotionBody'] };
  /** createTemplate */
  'POST /workspaces/{workspaceId}/templates': { query: {  }; body: Schemas['CreateInputBody2']; answer: Schemas['TemplateBody'] };
  /** createWebhookEndpoint */
  'POST /workspaces/{workspaceId}/webhook-endpoints': { query: {  }; body: Schemas['CreateWebhookEndpointInputBody']; answer: Schemas['WebhookSecretOutputBody'] };
  /** deleteFile */
  'DELETE /workspaces/{workspaceId}/files/{fileId}': { query: {  }; body: undefined; answer: undefined };
  /** deleteNumberList */
  'DELETE /workspaces/{workspaceId}/commerce/number-lists/{listId}': { query: {  }; body: undefined; answer: undefined };
  /** deletePaymentSettings */
  'DELETE /workspaces/{workspaceId}/commerce/payments': { query: {  }; body: undefined; answer: undefined };
  /** deleteProduct */
  'DELETE /workspaces/{workspaceId}/commerce/products/{externalId}': { query: {  }; body: undefined; answer: undefined };
  /** deletePromotion */
  'DELETE /workspaces/{workspaceId}/commerce/promotions/{promotionId}': { query: {  }; body: undefined; answer: undefined };
  /** deleteTemplate */
  'DELETE /workspaces/{workspaceId}/templates/{templateId}': { query: {  }; body: undefined; answer: undefined };
  /** deleteWebhookEndpoint */
  'DELETE /workspaces/{workspaceId}/webhook-endpoints/{endpointId}': { query: {  }; body: undefined; answer: undefined };
  /** editTemplate */
  'PATCH /workspaces/{workspaceId}/templates/{templateId}': { query: {  }; body: Schemas['EditInputBody']; answer: Schemas['TemplateBody'] };
  /** previewTemplate */
  'POST /workspaces/{workspaceId}/templates/{templateId}/preview': { query: {  }; body: Schemas['PreviewInputBody']; answer: Schemas['PreviewOutputBody'] };
  /** replayWebhookEndpoint */
  'POST /workspaces/{workspaceId}/webhook-endpoints/{endpointId}/replay': { query: {  }; body: Schemas['WebhookReplayInputBody']; answer: undefined };
  /** replayWebhookEndpointEvent */
  'POST /workspaces/{workspaceId}/webhook-endpoints/{endpointId}/events/{eventId}/replay': { query: {  }; body: undefined; answer: undefined };
  /** rotateWebhookEndpointSecret */
  'POST /workspaces/{workspaceId}/webhook-endpoints/{endpointId}/rotate-secret': { query: { readonly keepPreviousHours?: number; }; body: undefined; answer: Schemas['WebhookSecretOutputBody'] };
  /** saveDeliverySettings */
  'PUT /workspaces/{workspaceId}/commerce/delivery': { query: {  }; body: Schemas['DeliverySettingsBody']; answer: Schemas['DeliveryBody'] };
  /** savePaymentSettings */
  'PUT /workspaces/{workspaceId}/commerce/payments': { query: {  }; body: Schemas['PaymentSettingsInputBody']; answer: Schemas['PaymentSettingsSavedBody'] };
  /** savePaymentWallets */
  'PUT /workspaces/{workspaceId}/commerce/payments/wallets': { query: {  }; body: Schemas['PaymentWalletsInputBody']; answer: Schemas['PaymentSettingsBody'] };
  /** sendMessage */
  'POST /workspaces/{workspaceId}/conversations/{conversationId}/messages': { query: {  }; body: Schemas['SendBody']; answer: Schemas['MessageBody'] };
  /** sendWebhookTest */
  'POST /workspaces/{workspaceId}/webhook-endpoints/{endpointId}/test': { query: {  }; body: undefined; answer: Schemas['WebhookTestOutputBody'] };
  /** setOrderStatus */
  'POST /workspaces/{workspaceId}/commerce/orders/{orderId}/status': { query: {  }; body: Schemas['OrderStatusBody']; answer: Schemas['StoreOrderBody'] };
  /** startConversation */
  'POST /workspaces/{workspaceId}/conversations': { query: {  }; body: Schemas['StartInputBody']; answer: Schemas['StartOutputBody'] };
  /** syncTemplates */
  'POST /workspaces/{workspaceId}/templates/sync': { query: {  }; body: undefined; answer: undefined };
  /** updateConversation */
  'PATCH /workspaces/{workspaceId}/conversations/{conversationId}': { query: {  }; body: Schemas['UpdateConversationInputBody']; answer: Schemas['ConversationBody'] };
  /** updateNumberList */
  'PUT /workspaces/{workspaceId}/commerce/number-lists/{listId}': { query: {  }; body: Schemas['NumberListFields']; answer: Schemas['NumberListBody'] };
  /** updatePromotion */
  'PUT /workspaces/{workspaceId}/commerce/promotions/{promotionId}': { query: {  }; body: Schemas['PromotionFields']; answer: Schemas['PromotionBody'] };
  /** updateWebhookEndpoint */
  'PATCH /workspaces/{workspaceId}/webhook-endpoints/{endpointId}': { query: {  }; body: Schemas['UpdateWebhookEndpointInputBody']; answer: Schemas['WebhookEndpointBody'] };
  /** uploadFile */
  'POST /workspaces/{workspaceId}/files': { query: {  }; body: FormData; answer: Schemas['FileBody'] };
  /** upsertProduct */
  'PUT /workspaces/{workspaceId}/commerce/products/{externalId}': { query: {  }; body: Schemas['ProductFields']; answer: Schemas['UpsertResultBody'] };
  /** upsertProductCategories */
  'PUT /workspaces/{workspaceId}/commerce/categories': { query: {  }; body: Schemas['CategoriesInputBody']; answer: Schemas['CategoriesBody'] };
  /** upsertProducts */
  'POST /workspaces/{workspaceId}/commerce/products/batch': { query: {  }; body: Schemas['BatchBody']; answer: Schemas['BatchResultBody'] };
}
