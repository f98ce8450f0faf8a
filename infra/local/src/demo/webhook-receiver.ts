import { createServer } from 'node:https'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import { verifyWebhook, type WebhookDelivery, WebhookVerificationError } from '@wp/client'
import type { CertificateAuthority } from '@wp/testkit'
import { DemoError } from '../demo-error.ts'

/** A delivery with a valid signature. */
export interface VerifiedDelivery {
  delivery: WebhookDelivery
  /** Lowercase hexadecimal HMAC-SHA-256 of the body. */
  signature: string
  attempt: string
  /** The trace of the request that caused the event. */
  traceparent: string | undefined
  body: string
  receivedAt: number
}

export interface WebhookReceiver {
  /** The URL to subscribe. */
  url: string
  /**
   * Resolves with the first delivery that matches, including earlier ones. @throws DemoError if none arrives in time
   */
  waitFor(wanted: (delivery: WebhookDelivery) => boolean, what: string, timeoutMs: number): Promise<VerifiedDelivery>
  close(): void
}

export interface WebhookReceiverOptions {
  /** Known when the subscription to the URL of the receiver exists. */
  secret: Promise<string>
  /** The host name in the URL and in the certificate. */
  host: string
  /** The address to listen on. Default: all addresses of this machine. */
  listenOn?: string
  port: number
  authority: CertificateAuthority
}

/**
 * Starts an HTTPS endpoint of the kind that users of webhooks write: it verifies the raw body before parsing it,
 * responds at once, and ignores duplicates.
 */
export async function startWebhookReceiver(options: WebhookReceiverOptions): Promise<WebhookReceiver> {
  const { secret, host, listenOn, port, authority } = options
  const seen = new Map<string, VerifiedDelivery>()
  const watchers = new Set<() => void>()
  const { certificate: cert, key } = authority.issue({ names: [host] })
  const server = createServer({ cert, key }, async (request, response) => {
    try {
      const body = await text(request)
      const delivery = verifyWebhook({ body, headers: request.headers, secret: await secret })
      const { 'x-webhook-signature': signature, 'x-webhook-attempt': attempt, traceparent } = request.headers
      const verified = {
        delivery,
        signature: String(signature),
        attempt: String(attempt),
        traceparent: traceparent?.toString(),
        body,
        receivedAt: Date.now(),
      }
      if (!seen.has(delivery.request_id)) seen.set(delivery.request_id, verified)
      for (const look of watchers) look()
      response.writeHead(204).end()
    } catch (error) {
      response.writeHead(error instanceof WebhookVerificationError ? 400 : 500).end(String(error))
    }
  })
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject)
    server.listen({ port, host: listenOn }, resolve)
  })
  const address = server.address() as AddressInfo // a server that listens on TCP has such an address

  return {
    url: `https://${host.includes(':') ? `[${host}]` : host}:${address.port}/webhooks`,
    waitFor: (wanted, what, timeoutMs) =>
      new Promise((resolve, reject) => {
        const look = () => {
          const found = [...seen.values()].find(({ delivery }) => wanted(delivery))
          if (found === undefined) return
          end()
          resolve(found)
        }
        const timer = setTimeout(() => {
          end()
          reject(new DemoError(`${what} was not delivered within ${timeoutMs / 1000} s`))
        }, timeoutMs)
        const end = () => {
          clearTimeout(timer)
          watchers.delete(look)
        }
        watchers.add(look)
        look()
      }),
    close() {
      server.close()
      server.closeAllConnections()
    },
  }
}
