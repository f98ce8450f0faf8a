import { typescriptSnippet } from '../../developer/shared/snippets.ts'
import type { Snippet } from '../../ui/values/code-block.tsx'

/** Returns programs that create a subscription to all events, whose secret the platform generates. */
export const createWebhookSnippets = (baseUrl: string): Snippet[] => [
  {
    language: 'curl',
    code: `curl -sS ${baseUrl}/v1/webhooks/webhooks \\
  -H "x-api-key: $WP_API_KEY" \\
  -H "content-type: application/json" \\
  -d '{"endpoint":"https://example.com/webhooks","events":["*"],"generate_secret":true}'`,
  },
  typescriptSnippet(
    baseUrl,
    `const { webhook_id, secret } = await client.webhooks.createSubscription({
  body: { endpoint: 'https://example.com/webhooks', events: ['*'], generate_secret: true },
})`,
  ),
]

/** Returns a command that sends a test, for a list without deliveries. */
export const sendTestSnippet = (baseUrl: string, webhookId = '$WEBHOOK_ID'): string =>
  `curl -sS -X POST "${baseUrl}/v1/webhooks/webhooks/${webhookId}/test" -H "x-api-key: $WP_API_KEY"`

/** Returns a command that polls the deliveries of a subscription. */
export const pollSnippet = (baseUrl: string, webhookId: string): string =>
  `curl -sS "${baseUrl}/v1/webhooks/webhooks/${webhookId}/poll" -H "x-api-key: $WP_API_KEY"`

/** Returns a verification of the signature for Node.js, as docs/receiving-webhooks.md explains it. */
export const verifySnippets = (): Snippet[] => [
  {
    language: 'TypeScript',
    code: `import { createHmac, timingSafeEqual } from 'node:crypto'

/** body: the raw bytes; headers: with names in lower case. */
export function isAuthentic(body: Buffer, headers: Record<string, string | undefined>, secret: string) {
  const expected = Buffer.from(createHmac('sha256', secret).update(body).digest('hex'))
  return ['x-webhook-signature', 'x-webhook-signature-previous'].some((name) => {
    const given = Buffer.from(headers[name] ?? '')
    return given.length === expected.length && timingSafeEqual(given, expected)
  })
}`,
  },
  {
    language: 'Python',
    code: `import hashlib, hmac

def is_authentic(body: bytes, headers: dict, secret: str) -> bool:
    expected = hmac.new(secret.encode(), body, hashlib.sha256).hexdigest()
    names = ("x-webhook-signature", "x-webhook-signature-previous")
    return any(hmac.compare_digest(headers.get(name, ""), expected) for name in names)`,
  },
]
