import type { S3Config } from '@wp/contracts'
import type { Row } from '../../rows/row.ts'
import { failed } from '../failure.ts'
import type { Patience } from '../http/unavailable.ts'
import type { Crawl, CrawlEnd, Page, SourceReader } from '../provider.ts'
import { globMatcher } from './glob.ts'
import type { ListedObject } from './listing.ts'
import { type Limits, readObject, versionOf } from './read-object.ts'
import { settingsOf } from './settings.ts'
import { createStore, isAddressable } from './store.ts'

const patience: Patience = { tries: 5, firstWaitMs: 250, longestWaitMs: 30_000 }
/** What one upload in one piece can be. */
const limits: Limits = { maxObjectBytes: 5 * 1024 ** 3 }

/** So many parts of a list without an object, one after the other, may be what was deleted lately; more are none. */
const mostEmpty = 100

/** Buckets of Amazon S3, and of all stores that speak its language. */
export const s3Reader: SourceReader<S3Config> = createS3Reader()

/**
 * Reads the objects of a bucket one by one, each a part of the source with its ETag and size as version. Whatever the
 * mode, only those are read that are new or have changed; a full crawl tells of the others that they are there.
 */
export function createS3Reader(options: Partial<Patience & Limits> = {}): SourceReader<S3Config> {
  return { provider: 's3', crawl: (crawl) => run(crawl, { ...patience, ...limits, ...options }) }
}

async function* run(crawl: Crawl<S3Config>, options: Patience & Limits): AsyncGenerator<Page, CrawlEnd> {
  const { config } = crawl
  requireCharset(config.charset)
  const store = createStore(settingsOf(crawl.connection), crawl, options)
  const isWanted = config.pattern === undefined ? () => true : globMatcher(config.pattern)
  let isAnyNew = false
  let empty = 0
  for (let token: string | undefined, isFirst = true; token !== undefined || isFirst; isFirst = false) {
    const listing = await store.list({ prefix: config.prefix, token })
    empty = listing.objects.length === 0 ? empty + 1 : 0
    if (listing.token !== undefined && (listing.token === token || empty > mostEmpty))
      throw failed('config', 'The list of the bucket comes to no end')
    const objects = listing.objects.filter((object) => isWanted(object.key) && !isFolder(object))
    token = listing.token
    const [named, nameless] = partition(objects, ({ key }) => isAddressable(key))
    if (nameless.length > 0) yield { rows: nameless.map(({ key }) => namelessRow(key)) }
    const known = named.length === 0 ? new Map() : await crawl.versionsOf(named.map(({ key }) => key))
    const [unchanged, others] = partition(named, (object) => known.get(object.key) === versionOf(object, config))
    if (unchanged.length > 0) yield { rows: [], unchanged: unchanged.map(({ key }) => key) }
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

const namelessRow = (key: string): Row => ({
  line: 1,
  reason: `the object ${JSON.stringify(key)} has a key that no web address can name`,
})

function partition<T>(all: readonly T[], isFirst: (each: T) => boolean): [T[], T[]] {
  return [all.filter(isFirst), all.filter((each) => !isFirst(each))]
}

/** Some stores keep an empty object for a folder. */
const isFolder = ({ key, size }: ListedObject) => key.endsWith('/') && size === 0

function requireCharset(charset: string | undefined): void {
  try {
    if (charset !== undefined) new TextDecoder(charset)
  } catch (cause) {
    throw failed('config', `The charset ${charset} is not supported`, cause)
  }
}
