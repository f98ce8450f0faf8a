export { type CallOptions, type Client, type ClientOptions, createClient, paginate } from './client.ts'
export type { Credential } from './credentials.ts'
export { ApiError } from './errors.ts'
export { type VerifyOptions, verifyWebhook, type WebhookDelivery, WebhookVerificationError } from './verify-webhook.ts'
