import { once } from 'node:events'
import { Worker } from 'node:worker_threads'
import type { ResolvedIntegration } from '../../../src/providers/source-reader.ts'

export interface HeapCrawl {
  provider: 'http' | 's3'
  config: Record<string, unknown>
  integration?: ResolvedIntegration
}

export interface HeapCrawlResult {
  /** Undefined if the crawl succeeded. */
  failure: { code: string; message: string; retryable: boolean } | undefined
  rows: number
  /** Reasons of the first invalid rows. */
  reasons: string[]
  /** Largest amount of memory in reachable buffers, in bytes. */
  bufferBytes: number
}

/** Crawls sources in a thread with a small heap. */
export interface LimitedHeap {
  /** Rejects if the thread runs out of memory. */
  crawl(crawl: HeapCrawl): Promise<HeapCrawlResult>
  stop(): Promise<unknown>
}

/** A small part of the heap of the deployed process. The code of the readers takes about 40 MiB of it. */
const heapMib = 96

export function startLimitedHeap(): LimitedHeap {
  const worker = new Worker(new URL('limited-heap-thread.ts', import.meta.url), {
    execArgv: [],
    resourceLimits: { maxOldGenerationSizeMb: heapMib, maxYoungGenerationSizeMb: 8 },
  })
  let isRunning = true
  worker.once('exit', () => {
    isRunning = false
  })
  return {
    async crawl(crawl) {
      if (!isRunning) throw new Error('the thread has ended, because it ran out of memory')
      worker.postMessage(crawl)
      const [result] = await once(worker, 'message')
      return result
    },
    stop: () => worker.terminate(),
  }
}
