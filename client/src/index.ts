/** The client of Suuq. It needs fetch and Web Crypto, which Node, Deno, Bun and browsers have, and nothing else. */
export { type Answer, type Answered, type Arguments, createClient, type OperationId, type Suuq } from './client.js';
export type { FileAnswer, Upload } from './files.js';
export type { Events, Operations, Schemas } from './generated.js';
export { type FieldError, isProblem, type ProblemCode, SuuqConnectionError, SuuqProblem } from './problems.js';
export type { RetryPolicy } from './retries.js';
export { openSession, type Session, type SessionOptions } from './sessions.js';
export type { CallOptions, Credential, TransportOptions } from './transport.js';
export { createUserToken, type PartnerUser, type Role, type StoreUser, type UserTokenOptions } from './userTokens.js';
export { type VerifyOptions, verifyWebhook, type WebhookEvent, type WebhookFault, WebhookRefused } from './webhooks.js';
