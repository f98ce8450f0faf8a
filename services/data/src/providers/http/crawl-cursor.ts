import { hash } from 'node:crypto'
import type { HttpConfig } from '@wp/contracts'
import { canonicalJson } from '@wp/runtime'
import { z } from 'zod'
import { parseJson } from '../../parsers/json/parse-json.ts'
import type { ResolvedIntegration } from '../source-reader.ts'

const Validators = z.object({ at: z.string(), etag: z.string().optional(), modified: z.string().optional() })
/** The validators a server sent for a document (RFC 9110, section 8.8), and the redacted address they belong to. */
export type Validators = z.infer<typeof Validators>

/** A page of a crawl: the first one, or the link, cursor or number that leads to it. */
const PagePosition = z.union([
  z.object({ first: z.literal(true) }),
  z.object({ link: z.string() }),
  z.object({ cursor: z.string() }),
  z.object({ page: z.number().int() }),
])
export type PagePosition = z.infer<typeof PagePosition>

// The member names are stored with sources.
const CrawlCursor = z.object({
  /** Digest of the requests; the cursor is valid for no others. */
  of: z.string(),
  /** Validators of a single document that was read completely. */
  document: Validators.optional(),
  /** Greatest value of the `since` field after a complete crawl. */
  since: z.string().optional(),
  /** Number of pages with rows of the last complete crawl from the beginning. */
  pages: z.number().int().optional(),
  /** A crawl that was interrupted: the page where it resumes, the pages read and the greatest value so far. */
  under_way: z
    .object({ place: PagePosition, pages: z.number().int(), greatest: z.string().optional(), at: z.number() })
    .optional(),
})
/** State that a crawl leaves for the next one, stored as the `cursor` of a page. */
export type CrawlCursor = z.infer<typeof CrawlCursor>

/** After this time an interrupted crawl starts again, as the content of its pages may have moved. */
const maxResumeAgeMs = 3_600_000

/** Parses the cursor of the last crawl. Returns an empty one if it is malformed or belongs to other requests. */
export function parseCrawlCursor(text: string | undefined, of: string, now: number): CrawlCursor {
  const parsed = CrawlCursor.safeParse(parseJson(text ?? '')?.value)
  if (!parsed.success || parsed.data.of !== of) return { of }
  const { under_way: interrupted, ...rest } = parsed.data
  return interrupted !== undefined && Math.abs(now - interrupted.at) < maxResumeAgeMs ? parsed.data : rest
}

/**
 * Returns a digest of everything that determines the response, except secrets: other credentials of the same account
 * read the same content. Member names are part of it, so renaming one would invalidate every stored cursor.
 */
export function requestDigest(config: HttpConfig, integration: ResolvedIntegration | undefined): string {
  const { url, headers, paging, since, rows_path: rowsPath, charset } = config
  // The format is pinned while a source is read; a user who changes it discards the cursor.
  const request = { url, format: 'auto', headers, paging: paging ?? null, since: since ?? null, rowsPath, charset }
  const through = integration === undefined ? null : (integration.config.headers ?? {})
  return hash('sha256', canonicalJson(JSON.parse(JSON.stringify({ ...request, through }))), 'base64url')
}
