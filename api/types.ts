/** The shapes of requests and answers as types, for programs that depend on this package: `import type { StoreOrderBody } from 'suuq/api'`. */
import type { Static } from 'typebox';
import type * as catalog from './operations/catalog/schemas.js';
import type * as consoleLinks from './operations/consoleLinks/schemas.js';
import type * as delivery from './operations/delivery/schemas.js';
import type * as files from './operations/files/schemas.js';
import type * as history from './operations/history/schemas.js';
import type * as inbox from './operations/inbox/schemas.js';
import type * as sending from './operations/inbox/sendingSchemas.js';
import type * as members from './operations/members/schemas.js';
import type * as numberLists from './operations/numberLists/schemas.js';
import type * as orders from './operations/orders/schemas.js';
import type * as partnerMembers from './operations/partners/partnerMemberSchemas.js';
import type * as partners from './operations/partners/schemas.js';
import type * as payments from './operations/payments/schemas.js';
import type * as promotions from './operations/promotions/schemas.js';
import type * as recordings from './operations/recordings/schemas.js';
import type * as reports from './operations/reports/schemas.js';
import type * as sessions from './operations/sessions/schemas.js';
import type * as templates from './operations/templates/schemas.js';
import type * as webhooks from './operations/webhooks/schemas.js';

export type { WebhookEvent } from './operations/webhooks/eventSchemas.js';

export type CategoriesInputBody = Static<typeof catalog.CategoriesInputBody>;
export type CategoriesBody = Static<typeof catalog.CategoriesBody>;
export type ProductFields = Static<typeof catalog.ProductFields>;
export type BatchBody = Static<typeof catalog.BatchBody>;
export type UpsertResultBody = Static<typeof catalog.UpsertResultBody>;
export type BatchResultBody = Static<typeof catalog.BatchResultBody>;
export type ProductBody = Static<typeof catalog.ProductBody>;
export type ProductsBody = Static<typeof catalog.ProductsBody>;

export type CreateConsoleLinkInputBody = Static<typeof consoleLinks.CreateConsoleLinkInputBody>;
export type ConsoleLinkOutputBody = Static<typeof consoleLinks.ConsoleLinkOutputBody>;

export type DeliveryAreaInput = Static<typeof delivery.DeliveryAreaInput>;
export type DeliverySettingsBody = Static<typeof delivery.DeliverySettingsBody>;
export type DeliveryBody = Static<typeof delivery.DeliveryBody>;

export type FileBody = Static<typeof files.FileBody>;

export type HistoryActorBody = Static<typeof history.HistoryActorBody>;
export type HistoryEventBody = Static<typeof history.HistoryEventBody>;
export type HistoryBody = Static<typeof history.HistoryBody>;
export type HistoryChangeBody = Static<typeof history.HistoryChangeBody>;
export type HistoryChangesBody = Static<typeof history.HistoryChangesBody>;

export type ContactBody = Static<typeof inbox.ContactBody>;
export type ConversationBody = Static<typeof inbox.ConversationBody>;
export type UpdateConversationInputBody = Static<typeof inbox.UpdateConversationInputBody>;
export type ConversationListOutputBody = Static<typeof inbox.ConversationListOutputBody>;
export type TemplateRefBody = Static<typeof inbox.TemplateRefBody>;
export type MessageBody = Static<typeof inbox.MessageBody>;
export type ThreadOutputBody = Static<typeof inbox.ThreadOutputBody>;

export type TemplateSendBody = Static<typeof sending.TemplateSendBody>;
export type SendBody = Static<typeof sending.SendBody>;
export type StartInputBody = Static<typeof sending.StartInputBody>;
export type StartOutputBody = Static<typeof sending.StartOutputBody>;

export type MemberBody = Static<typeof members.MemberBody>;
export type MembersBody = Static<typeof members.MembersBody>;
export type TeamDetailBody = Static<typeof members.TeamDetailBody>;
export type TeamsBody = Static<typeof members.TeamsBody>;

export type NumberListFields = Static<typeof numberLists.NumberListFields>;
export type NumberListBody = Static<typeof numberLists.NumberListBody>;
export type NumberListsBody = Static<typeof numberLists.NumberListsBody>;

export type StoreOrderItemBody = Static<typeof orders.StoreOrderItemBody>;
export type StoreOrderEventBody = Static<typeof orders.StoreOrderEventBody>;
export type StoreOrderBody = Static<typeof orders.StoreOrderBody>;
export type StoreOrdersBody = Static<typeof orders.StoreOrdersBody>;
export type StoreReportBody = Static<typeof reports.StoreReportBody>;
export type SalesDayBody = Static<typeof reports.SalesDayBody>;
export type SoldProductBody = Static<typeof reports.SoldProductBody>;
export type PromotionCostBody = Static<typeof reports.PromotionCostBody>;
export type OrderStatusCountBody = Static<typeof reports.OrderStatusCountBody>;
export type StoreAttentionBody = Static<typeof reports.StoreAttentionBody>;
export type OrderCancelBody = Static<typeof orders.OrderCancelBody>;
export type OrderStatusBody = Static<typeof orders.OrderStatusBody>;

export type PartnerMemberBody = Static<typeof partnerMembers.PartnerMemberBody>;
export type UpdatePartnerMemberInputBody = Static<typeof partnerMembers.UpdatePartnerMemberInputBody>;

export type PartnerProfileBody = Static<typeof partners.PartnerProfileBody>;
export type StoreBody = Static<typeof partners.StoreBody>;
export type StoreInputBody = Static<typeof partners.StoreInputBody>;
export type StoreChangeBody = Static<typeof partners.StoreChangeBody>;
export type StoresBody = Static<typeof partners.StoresBody>;

export type PaymentWallet = Static<typeof payments.PaymentWallet>;
export type PaymentWalletOptionBody = Static<typeof payments.PaymentWalletOptionBody>;
export type PaymentSettingsBody = Static<typeof payments.PaymentSettingsBody>;
export type PaymentSettingsInputBody = Static<typeof payments.PaymentSettingsInputBody>;
export type PaymentSettingsSavedBody = Static<typeof payments.PaymentSettingsSavedBody>;
export type PaymentWalletsInputBody = Static<typeof payments.PaymentWalletsInputBody>;
export type PaymentKeyCheckBody = Static<typeof payments.PaymentKeyCheckBody>;

export type PromotionFields = Static<typeof promotions.PromotionFields>;
export type PromotionBody = Static<typeof promotions.PromotionBody>;
export type PromotionsBody = Static<typeof promotions.PromotionsBody>;

export type RecordingBody = Static<typeof recordings.RecordingBody>;
export type RecordingsBody = Static<typeof recordings.RecordingsBody>;

export type CreateSessionInputBody = Static<typeof sessions.CreateSessionInputBody>;
export type SDKSessionBody = Static<typeof sessions.SDKSessionBody>;

export type TemplateDefinitionBody = Static<typeof templates.TemplateDefinitionBody>;
export type CreateInputBody2 = Static<typeof templates.CreateInputBody2>;
export type EditInputBody = Static<typeof templates.EditInputBody>;
export type TemplateBody = Static<typeof templates.TemplateBody>;
export type ListOutputBody3 = Static<typeof templates.ListOutputBody3>;
export type PreviewInputBody = Static<typeof templates.PreviewInputBody>;
export type PreviewOutputBody = Static<typeof templates.PreviewOutputBody>;

export type WebhookEndpointBody = Static<typeof webhooks.WebhookEndpointBody>;
export type WebhookTestOutputBody = Static<typeof webhooks.WebhookTestOutputBody>;
export type WebhookReplayInputBody = Static<typeof webhooks.WebhookReplayInputBody>;
export type WebhookSecretOutputBody = Static<typeof webhooks.WebhookSecretOutputBody>;
export type WebhookEndpointsOutputBody = Static<typeof webhooks.WebhookEndpointsOutputBody>;
export type WebhookDeliveryBody = Static<typeof webhooks.WebhookDeliveryBody>;
export type WebhookDeliveriesOutputBody = Static<typeof webhooks.WebhookDeliveriesOutputBody>;
export type WebhookEventTypesOutputBody = Static<typeof webhooks.WebhookEventTypesOutputBody>;
