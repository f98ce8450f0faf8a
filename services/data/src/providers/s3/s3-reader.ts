import type { S3Config } from '@wp/contracts'
import type { Row } from '../../parsers/row.ts'
import { crawlFailure } from '../crawl-failure.ts'
import type { RetryPolicy } from '../retry.ts'
import type { CrawlRequest, CrawlResult, Page, SourceReader } from '../source-reader.ts'
import { createBucketClient, isAddressable } from './bucket-client.ts'
import { createGlobMatcher } from './glob.ts'
import type { ListedObject } from './parse-listing.ts'
import { type ObjectLimits, objectVersion, readObject } from './read-object.ts'
import { parseS3Settings } from './settings.ts'

const defaultRetryPolicy: RetryPolicy = { maxAttempts: 5, initialBackoffMs: 250, maxBackoffMs: 30_000 }
/** What one upload in one piece can be. */
const defaultLimits: ObjectLimits = { maxObjectBytes: 5 * 1024 ** 3 }

/** So many parts of a list without an object, one after the other, may be what was deleted lately; more are none. */
const maxEmptyListings = 100

/** Buckets of Amazon S3, and of all stores that speak its language. */
export const s3Reader: SourceReader<S3Config> = createS3Reader()

/**
 * Reads the objects of a bucket one by one, each a part of the source with its ETag and size as version. Whatever the
 * mode, only those are read that are new or have changed; a full crawl tells of the others that they are there.
 */
export function createS3Reader(options: Partial<RetryPolicy & ObjectLimits> = {}): SourceReader<S3Config> {
  return {
    provider: 's3',
    crawl: (crawl) => crawlBucket(crawl, { ...defaultRetryPolicy, ...defaultLimits, ...options }),
  }
}

async function* crawlBucket(
  crawl: CrawlRequest<S3Config>,
  options: RetryPolicy & ObjectLimits,
): AsyncGenerator<Page, CrawlResult> {
  const { config } = crawl
  assertCharset(config.charset)
  const store = createBucketClient(parseS3Settings(crawl.integration), crawl, options)
  const isWanted = config.pattern === undefined ? () => true : createGlobMatcher(config.pattern)
  let isAnyNew = false
  let empty = 0
  for (let token: string | undefined, isFirst = true; token !== undefined || isFirst; isFirst = false) {
    const listing = await store.list({ prefix: config.prefix, token })
    empty = listing.objects.length === 0 ? empty + 1 : 0
    if (listing.token !== undefined && (listing.token === token || empty > maxEmptyListings))
      throw crawlFailure('config', 'The list of the bucket comes to no end')
    const objects = listing.objects.filter((object) => isWanted(object.key) && !isFolderMarker(object))
    token = listing.token
    const [named, nameless] = partition(objects, ({ key }) => isAddressable(key))
    if (nameless.length > 0) yield { rows: nameless.map(({ key }) => unaddressableRow(key)) }
    const known = named.length === 0 ? new Map() : await crawl.findPartVersions(named.map(({ key }) => key))
    const [unchanged, others] = partition(named, (object) => known.get(object.key) === objectVersion(object, config))
    if (unchanged.length > 0) yield { rows: [], unchangedParts: unchanged.map(({ key }) => key) }
    isAnyNew ||= nameless.length + others.length > 0
    // How much there is is known only where the list has one page.
    const all = isFirst && token === undefined ? others.reduce((sum, { size }) => sum + size, 0) : 0
    let done = 0
    for (const object of others) {
      crawl.signal.throwIfAborted()
      const progress = all === 0 ? {} : { progress: done / all }
      for await (const page of readObject(store, object, config, options)) yield { ...page, ...progress }
      done += object.size
    }
  }
  return isAnyNew || crawl.mode === 'full' ? 'complete' : 'unchanged'
}

const unaddressableRow = (key: string): Row => ({
  line: 1,
  reason: `the object ${JSON.stringify(key)} has a key that no web address can name`,
})

function partition<T>(all: readonly T[], isFirst: (each: T) => boolean): [T[], T[]] {
  return [all.filter(isFirst), all.filter((each) => !isFirst(each))]
}

/** Some stores keep an empty object for a folder. */
const isFolderMarker = ({ key, size }: ListedObject) => key.endsWith('/') && size === 0

function assertCharset(charset: string | undefined): void {
  try {
    if (charset !== undefined) new TextDecoder(charset)
  } catch (cause) {
    throw crawlFailure('config', `The charset ${charset} is not supported`, cause)
  }
}
