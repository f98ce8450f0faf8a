// The yardstick: POSTs of the very same size, headers included, over HTTPS by undici, kept-alive, and nothing else.
import { Pool } from 'undici'
import { answer } from './helper-process.ts'

export interface BaselineRequest {
  url: string
  headers: Record<string, string>
  body: string
  count: number
  connections: number
}

answer({
  /** @returns seconds */
  async post({ url, headers, body, count, connections }: BaselineRequest): Promise<number> {
    const { origin, pathname } = new URL(url)
    const pool = new Pool(origin, { connections, connect: { ca: process.env.CA ?? '' } })
    const bytes = Buffer.from(body)
    const began = performance.now()
    let left = count
    await Promise.all(
      Array.from({ length: connections }, async () => {
        while (left > 0) {
          left -= 1
          const { body: answered } = await pool.request({
            path: pathname,
            method: 'POST',
            headers,
            body: bytes,
          })
          await answered.dump()
        }
      }),
    )
    const seconds = (performance.now() - began) / 1000
    await pool.close()
    return seconds
  },
})
