import { createServer, type IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'

/** A Checkout Session as the server keeps it. */
interface Session extends Record<string, unknown> {
  id: string
  payment_status: 'unpaid' | 'paid'
}

interface ReceivedCall {
  method: string
  path: string
  authorization: string | undefined
  idempotencyKey: string | undefined
  form: Record<string, string>
}

export interface StripeServer {
  url: string
  calls: ReceivedCall[]
  sessions: Map<string, Session>
  /** Answers every call with this status. */
  failWith(status: number | undefined): void
  stop(): Promise<void>
}

/** Starts a server on loopback with the part of the API of Stripe that billing uses. */
export async function startStripeServer(): Promise<StripeServer> {
  const calls: ReceivedCall[] = []
  const sessions = new Map<string, Session>()
  const byKey = new Map<string, Session>()
  let failure: number | undefined

  function createSession(form: Record<string, string>, key: string): Session {
    const known = byKey.get(key)
    if (known !== undefined) return known
    const id = `cs_test_${sessions.size + 1}`
    const session: Session = {
      id,
      object: 'checkout.session',
      url: `https://checkout.stripe.example/${id}`,
      expires_at: 1_800_000_000,
      client_reference_id: form.client_reference_id,
      payment_status: 'unpaid',
      amount_total: Number(form['line_items[0][price_data][unit_amount]']),
      currency: form['line_items[0][price_data][currency]'],
    }
    sessions.set(id, session)
    byKey.set(key, session)
    return session
  }

  const server = createServer(async (request, response) => {
    const call = await readCall(request)
    calls.push(call)
    const found =
      call.method === 'POST'
        ? createSession(call.form, call.idempotencyKey ?? '')
        : sessions.get(call.path.split('/').at(-1) ?? '')
    response.writeHead(failure ?? (found === undefined ? 404 : 200), { 'content-type': 'application/json' })
    response.end(JSON.stringify(found ?? { error: { code: 'resource_missing' } }))
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo // a TCP server has such an address
  return {
    url: `http://127.0.0.1:${port}`,
    calls,
    sessions,
    failWith: (status) => {
      failure = status
    },
    stop: () =>
      new Promise((resolve) => {
        server.closeAllConnections()
        server.close(() => resolve())
      }),
  }
}

async function readCall(request: IncomingMessage): Promise<ReceivedCall> {
  const chunks: Buffer[] = []
  for await (const chunk of request) chunks.push(chunk)
  const key = request.headers['idempotency-key']
  return {
    method: request.method ?? '',
    path: request.url ?? '',
    authorization: request.headers.authorization,
    idempotencyKey: typeof key === 'string' ? key : undefined,
    form: Object.fromEntries(new URLSearchParams(Buffer.concat(chunks).toString())),
  }
}
