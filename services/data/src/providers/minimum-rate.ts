import { crawlFailure } from './crawl-failure.ts'

const minBytesPerSecond = 1_024
const periodMs = 60_000

/** Ends a crawl whose server sends its responses too slowly, as one that drips a byte now and then does. */
export interface RateGuard {
  /**
   * Yields the chunks of a response. Counts the time the crawl waits for them, not the time it takes to store them.
   * @param address for the error message
   * @throws JobFailure `transient` after a minute of waiting in which fewer than 1 KiB/s arrived
   */
  watch(body: AsyncIterable<Buffer>, address: string): AsyncGenerator<Buffer>
}

/** Creates the guard of one crawl. Waiting adds up over its responses, so that many slow ones count as one. */
export function createRateGuard(now: () => number): RateGuard {
  let [waitedMs, bytes] = [0, 0]

  function count(address: string, elapsedMs: number, chunk: Buffer): void {
    waitedMs += elapsedMs
    bytes += chunk.length
    if (waitedMs < periodMs) return
    if (bytes * 1_000 < minBytesPerSecond * waitedMs)
      throw crawlFailure(
        'transient',
        `${address}: the server sent ${bytes} bytes in ${Math.round(waitedMs / 1_000)} s, less than 1 KiB/s`,
      )
    waitedMs = 0
    bytes = 0
  }

  return {
    async *watch(body, address) {
      let askedAt = now()
      for await (const chunk of body) {
        count(address, now() - askedAt, chunk)
        yield chunk
        askedAt = now()
      }
    },
  }
}
