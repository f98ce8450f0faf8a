// The baseline: posts requests with the same size and headers over persistent HTTPS connections with undici.
import { Pool } from 'undici'
import { serveCalls } from '../harness/helper-process.ts'

export interface BaselineRequest {
  url: string
  headers: Record<string, string>
  body: string
  count: number
  connections: number
}

serveCalls({
  /** @returns the elapsed seconds */
  async post({ url, headers, body, count, connections }: BaselineRequest): Promise<number> {
    const { origin, pathname } = new URL(url)
    const pool = new Pool(origin, { connections, connect: { ca: process.env.CA ?? '' } })
    const bytes = Buffer.from(body)
    const startedAt = performance.now()
    let remaining = count
    await Promise.all(
      Array.from({ length: connections }, async () => {
        while (remaining > 0) {
          remaining -= 1
          const response = await pool.request({
            path: pathname,
            method: 'POST',
            headers,
            body: bytes,
          })
          await response.body.dump()
        }
      }),
    )
    const seconds = (performance.now() - startedAt) / 1000
    await pool.close()
    return seconds
  },
})
