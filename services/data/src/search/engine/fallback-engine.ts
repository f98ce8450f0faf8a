import { Problem } from '@wp/contracts'
import type { Log, Metrics } from '@wp/runtime'
import { isViewCursor } from '../query/hits/hit-cursor.ts'
import type { SearchEngine } from '../query/search-engine.ts'
import type { Warning } from '../rank/warning.ts'

interface FallbackOptions {
  primary: SearchEngine
  fallback: SearchEngine
  log: Log
  metrics: Metrics
  /** Milliseconds, monotonic. */
  now?: () => number
}

/** After so many failures in a row, the primary engine is not asked for a time; then by one search. */
const [maxFailures, pauseMs] = [3, 5_000]

/** Creates an engine that answers from another one, with a warning, while the primary one fails. */
export function createFallbackEngine(options: FallbackOptions): SearchEngine {
  const { primary, fallback, log, metrics, now = () => performance.now() } = options
  let failures = 0
  let pausedUntil = 0

  function isPaused(): boolean {
    if (failures < maxFailures) return false
    if (now() < pausedUntil) return true
    // This search is the probe; others wait for its result.
    pausedUntil = now() + pauseMs
    return false
  }

  function recordFailure(error: unknown): void {
    failures++
    pausedUntil = now() + pauseMs
    metrics.count('data_search_fallbacks_total')
    if (failures <= maxFailures)
      log.warn({ event: 'search_engine.unavailable', err: error, failures }, 'search engine failed; database searched')
  }

  function recordSuccess(): void {
    if (failures > 0) log.info?.({ event: 'search_engine.recovered', failures }, 'search engine available')
    failures = 0
  }

  return {
    async search(session, request) {
      if (!isPaused()) {
        try {
          const result = await primary.search(session, request)
          recordSuccess()
          return result
        } catch (error) {
          session.signal.throwIfAborted()
          if (error instanceof Problem) throw error
          recordFailure(error)
        }
      } else metrics.count('data_search_fallbacks_total')
      const { meta, ...result } = await fallback.search(session, request)
      const { after } = request
      const warning = unavailableWarning(after?.engine === 'opensearch' && !isViewCursor(after))
      return { ...result, meta: { ...meta, warnings: [warning, ...meta.warnings] } }
    },
  }
}

const unavailableWarning = (isOtherRanking: boolean): Warning => ({
  code: 'search_engine_unavailable',
  message: isOtherRanking
    ? 'The search engine is unavailable; the database was searched, which ranks differently: the order of the hits changes after the first page'
    : 'The search engine is unavailable; the database was searched',
})
