import { hash } from 'node:crypto'
import type { HttpConfig } from '@wp/contracts'
import { z } from 'zod'
import { canonicalJson } from '../../ingest/canonical-json.ts'
import type { ResolvedIntegration } from '../source-reader.ts'

const Validators = z.object({ at: z.string(), etag: z.string().optional(), modified: z.string().optional() })
/** What a server said of a document (RFC 9110, section 8.8), and at which address. */
export type Validators = z.infer<typeof Validators>

/** A page of a crawl: the first, or what leads to it. */
const PagePosition = z.union([
  z.object({ first: z.literal(true) }),
  z.object({ link: z.string() }),
  z.object({ cursor: z.string() }),
  z.object({ page: z.number().int() }),
])
export type PagePosition = z.infer<typeof PagePosition>

const CrawlCursor = z.object({
  /** What was read, as a digest: of anything else this says nothing. */
  of: z.string(),
  /** Of the one document that was read to its end. */
  document: Validators.optional(),
  /** The greatest value there was when a crawl came to its end. */
  since: z.string().optional(),
  /** A crawl that has not come to its end: where it goes on, and what it has found so far. */
  under_way: z
    .object({ place: PagePosition, pages: z.number().int(), greatest: z.string().optional(), at: z.number() })
    .optional(),
})
/** What a crawl leaves for the next one: the cursor of a page. */
export type CrawlCursor = z.infer<typeof CrawlCursor>

/** Later than this, the pages of a crawl that was cut off are no longer the ones it was reading. */
const maxResumeAgeMs = 3_600_000

/** What the last crawl left, where it read the same. */
export function parseCrawlCursor(text: string | undefined, of: string, now: number): CrawlCursor {
  const read = CrawlCursor.safeParse(parseJson(text ?? ''))
  if (!read.success || read.data.of !== of) return { of }
  const { under_way: underWay, ...rest } = read.data
  return underWay !== undefined && Math.abs(now - underWay.at) < maxResumeAgeMs ? read.data : rest
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

/** A digest of everything that decides what is answered, but secrets: others of the same account read the same. */
export function requestDigest(config: HttpConfig, connection: ResolvedIntegration | undefined): string {
  const { url, format, headers, paging, since, rows_path: rowsPath, charset } = config
  const asked = { url, format, headers, paging: paging ?? null, since: since ?? null, rowsPath, charset }
  const through = connection === undefined ? null : (connection.config.headers ?? {})
  return hash('sha256', canonicalJson(JSON.parse(JSON.stringify({ ...asked, through }))), 'base64url')
}
