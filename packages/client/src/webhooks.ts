// The entry for receivers of webhooks: needs node:crypto, which Bun, Deno and other servers have, too.
export { type VerifyOptions, verifyWebhook, type WebhookDelivery, WebhookVerificationError } from './verify-webhook.ts'
