// The baseline: posts requests with the same size and headers over persistent HTTPS connections with undici.
import { Pool } from 'undici'
import { serveCalls } from '../harness/helper-process.ts'

export type BaselineRequest = Record<'url' | 'body', string> & Record<'count' | 'connections', number>

/** The headers of a typical delivery. The signatures are not valid but have the right length. */
const sampleHeaders: Record<string, string> = {
  'content-type': 'application/json',
  'user-agent': 'WorkspacePlatform-Webhooks/1.0',
  'x-webhook-event': 'RECOMMENDATION_CREATED',
  'x-webhook-request-id': 'dlv_01h455vb4pex5vsknk084sn02q',
  'x-webhook-event-id': 'evt_01h455vb4pex5vsknk084sn02q',
  'x-webhook-attempt': '1',
  'x-webhook-signature': '0'.repeat(64),
  'webhook-id': 'dlv_01h455vb4pex5vsknk084sn02q',
  'webhook-timestamp': '1767225600',
  'webhook-signature': `v1,${'0'.repeat(44)}`,
  'accept-encoding': 'identity',
}

serveCalls({
  async post({ url, body, count, connections }: BaselineRequest): Promise<void> {
    const { origin, pathname: path } = new URL(url)
    const pool = new Pool(origin, { connections, connect: { ca: process.env.CA ?? '' } })
    const bytes = Buffer.from(body)
    let remaining = count
    const postInTurn = async () => {
      while (remaining > 0) {
        remaining -= 1
        const response = await pool.request({ path, method: 'POST', headers: sampleHeaders, body: bytes })
        await response.body.dump()
      }
    }
    await Promise.all(Array.from({ length: connections }, postInTurn))
    await pool.close()
  },
})
