import type { S3Config } from '@wp/contracts'
import type { Row } from '../../parsers/row.ts'
import { knownFormatOf } from '../../schema/source-format.ts'
import { crawlFailure } from '../crawl-failure.ts'
import type { RetryPolicy } from '../retry.ts'
import type { CrawlRequest, CrawlResult, DocumentHead, HeadRequest, Page, SourceReader } from '../source-reader.ts'
import { type BucketClient, createBucketClient } from './bucket-client.ts'
import { createGlobMatcher } from './glob.ts'
import { mediaTypeOf } from './open-object.ts'
import type { ListedObject } from './parse-listing.ts'
import { type ObjectLimits, objectVersion, readObject } from './read-object.ts'
import { isAddressable } from './send-request.ts'
import { parseS3Settings } from './settings.ts'

const defaultRetryPolicy: RetryPolicy = { maxAttempts: 5, initialBackoffMs: 250, maxBackoffMs: 30_000 }
/** Largest object of a single-part upload to S3. */
const defaultLimits: ObjectLimits = { maxObjectBytes: 5 * 1024 ** 3 }

/** Consecutive listing pages without an object. Deleted versions can fill a few; more are a faulty store. */
const maxEmptyListings = 100

/** Reads buckets of Amazon S3 and of stores with the same API. */
export const s3Reader: SourceReader<S3Config> = createS3Reader()

/**
 * Reads the objects of a bucket one by one. Each is a part of the source, with ETag and size as its version. In both
 * modes only new and changed objects are read; a full crawl reports the others as unchanged.
 */
export function createS3Reader(options: Partial<RetryPolicy & ObjectLimits> = {}): SourceReader<S3Config> {
  return {
    provider: 's3',
    address: ({ integration }) => parseS3Settings(integration).bucketUrl,
    crawl: (request) => crawlBucket(request, { ...defaultRetryPolicy, ...defaultLimits, ...options }),
    openHead: (request) => openHead(request, { ...defaultRetryPolicy, ...options }),
  }
}

async function openHead(request: HeadRequest<S3Config>, retryPolicy: RetryPolicy): Promise<DocumentHead> {
  const { config, integration } = request
  assertCharset(config.charset)
  const client = createBucketClient(parseS3Settings(integration), request, retryPolicy)
  for await (const { objects } of listObjects(client, config)) {
    const first = objects.find(({ key, size }) => size > 0 && isAddressable(key))
    if (first === undefined) continue
    const { key } = first
    return { chunks: client.read(first), contentType: mediaTypeOf(key), charset: config.charset, fileName: key }
  }
  throw crawlFailure('config', 'The bucket has no object that the source reads')
}

async function* crawlBucket(
  request: CrawlRequest<S3Config>,
  options: RetryPolicy & ObjectLimits,
): AsyncGenerator<Page, CrawlResult> {
  const { config, integration } = request
  assertCharset(config.charset)
  const client = createBucketClient(parseS3Settings(integration), request, options)
  let hasNew = false
  let known = knownFormatOf(config)
  for await (const { objects, isOnlyPage } of listObjects(client, config)) {
    const [addressable, unaddressable] = partition(objects, ({ key }) => isAddressable(key))
    if (unaddressable.length > 0) yield { rows: unaddressable.map(({ key }) => unaddressableRow(key)) }
    const keys = addressable.map(({ key }) => key)
    const versions = keys.length === 0 ? new Map() : await request.findPartVersions(keys)
    const isUnchanged = (object: ListedObject) => versions.get(object.key) === objectVersion(object, config)
    const [unchanged, changed] = partition(addressable, isUnchanged)
    if (unchanged.length > 0) yield { rows: [], unchangedParts: unchanged.map(({ key }) => key) }
    const readBefore = keys.length === 0 ? new Set<string>() : await request.findKnownParts(keys)
    hasNew ||= unaddressable.length + changed.length > 0
    // The total size is known only if the listing has a single page.
    const totalSize = isOnlyPage ? changed.reduce((sum, { size }) => sum + size, 0) : 0
    let readSize = 0
    for (const object of changed) {
      request.signal.throwIfAborted()
      const progress = totalSize === 0 ? {} : { progress: readSize / totalSize }
      // New objects may have other fields than those known.
      const knownFields = readBefore.has(object.key) ? request.knownFields : []
      known = yield* readObject(client, object, request, { known, knownFields, progress, now: request.now }, options)
      readSize += object.size
    }
  }
  return hasNew || request.mode === 'full' ? 'complete' : 'unchanged'
}

/** Yields the objects that match the config, one page of the listing at a time. */
async function* listObjects(
  client: BucketClient,
  { prefix, pattern }: S3Config,
): AsyncGenerator<{ objects: ListedObject[]; isOnlyPage: boolean }> {
  const isMatch = pattern === undefined ? () => true : createGlobMatcher(pattern)
  let emptyListings = 0
  let token: string | undefined
  for (let isFirst = true; isFirst || token !== undefined; isFirst = false) {
    const listing = await client.list({ prefix, token })
    emptyListings = listing.objects.length === 0 ? emptyListings + 1 : 0
    if (listing.token !== undefined && (listing.token === token || emptyListings > maxEmptyListings))
      throw crawlFailure('config', 'The listing of the bucket does not end')
    token = listing.token
    const objects = listing.objects.filter((object) => isMatch(object.key) && !isFolderMarker(object))
    yield { objects, isOnlyPage: isFirst && token === undefined }
  }
}

const unaddressableRow = (key: string): Row => ({
  line: 1,
  reason: `the object ${JSON.stringify(key)} has a key that cannot be used in a URL`,
})

function partition<T>(items: readonly T[], isFirst: (item: T) => boolean): [T[], T[]] {
  return [items.filter(isFirst), items.filter((item) => !isFirst(item))]
}

/** Some stores represent a folder as an empty object. */
const isFolderMarker = ({ key, size }: ListedObject) => key.endsWith('/') && size === 0

function assertCharset(charset: string | undefined): void {
  try {
    if (charset !== undefined) new TextDecoder(charset)
  } catch (cause) {
    throw crawlFailure('config', `The charset ${charset} is not supported`, cause)
  }
}
