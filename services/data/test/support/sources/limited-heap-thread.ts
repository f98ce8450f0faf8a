import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { parentPort } from 'node:worker_threads'
import { HttpConfig, S3Config } from '@wp/contracts'
import { JobFailure } from '@wp/jobs'
import { createHttpReader } from '../../../src/providers/http/http-reader.ts'
import { createS3Reader } from '../../../src/providers/s3/s3-reader.ts'
import type { CrawlResult, Page } from '../../../src/providers/source-reader.ts'
import type { HeapCrawl, HeapCrawlResult } from './limited-heap.ts'
import { crawlRequest, localOutbound } from './run-crawl.ts'

setFlagsFromString('--expose-gc')
const collectGarbage = runInNewContext('gc') as () => void // what the flag exposes

/** Buffers are not told from garbage below this size, because a collection takes long when the heap is almost full. */
const unmeasuredBytes = 16 * 1024 * 1024

const outbound = localOutbound()
const retryPolicy = { maxAttempts: 1, initialBackoffMs: 1 }
const [httpReader, s3Reader] = [createHttpReader(retryPolicy), createS3Reader(retryPolicy)]

parentPort?.on('message', async (crawl: HeapCrawl) => parentPort?.postMessage(await run(crawl)))

function start({ provider, config, integration }: HeapCrawl): AsyncGenerator<Page, CrawlResult> {
  return provider === 'http'
    ? httpReader.crawl(crawlRequest({ config: HttpConfig.parse(config), integration, outbound }))
    : s3Reader.crawl(crawlRequest({ config: S3Config.parse(config), integration, outbound }))
}

async function run(crawl: HeapCrawl): Promise<HeapCrawlResult> {
  const result: HeapCrawlResult = { failure: undefined, rows: 0, reasons: [], bufferBytes: 0 }
  const measure = () => {
    const { arrayBuffers } = process.memoryUsage()
    // A collection takes much longer than a measurement, and could not raise the largest amount.
    if (arrayBuffers <= result.bufferBytes) return
    if (arrayBuffers > unmeasuredBytes) {
      // Twice: the first collection frees buffers in the background, and the second waits for that.
      collectGarbage()
      collectGarbage()
    }
    result.bufferBytes = Math.max(result.bufferBytes, process.memoryUsage().arrayBuffers)
  }
  const timer = setInterval(measure, 5)
  try {
    for await (const { rows } of start(crawl)) {
      result.rows += rows.length
      for (const row of rows) if ('reason' in row && result.reasons.length < 3) result.reasons.push(row.reason)
    }
  } catch (error) {
    if (!(error instanceof JobFailure)) throw error
    const { code, message, retryable } = error.error
    result.failure = { code, message, retryable }
  } finally {
    clearInterval(timer)
  }
  return result
}
