/** Records of one bulk request. */
const batchSize = 1_000

/**
 * Creates the index `alone` of one shard, and writes NDJSON records with `id`, `title` and `text`.
 */
export async function createSearchIndex(url: string, lines: Iterable<string>): Promise<void> {
  const text = { type: 'text', analyzer: 'english' }
  const mappings = { properties: { id: { type: 'keyword' }, title: text, text } }
  await send(url, 'PUT', '/alone', { settings: { number_of_shards: 1, number_of_replicas: 0 }, mappings })
  let batch: string[] = []
  const write = async () => {
    await send(url, 'POST', '/alone/_bulk', batch.map((line) => `{"index":{}}\n${line}`).join(''))
    batch = []
  }
  for (const line of lines) if (batch.push(line) === batchSize) await write()
  if (batch.length > 0) await write()
  await mergeSegments(url, 'alone')
}

/** Merges the segments of an index, so that indexes that were written differently compare. */
export async function mergeSegments(url: string, index: string): Promise<void> {
  await send(url, 'POST', `/${index}/_forcemerge?max_num_segments=1`)
  await send(url, 'POST', `/${index}/_refresh`)
}

/** Returns the body of a search for any word, the last perhaps unfinished, with marks in titles and snippets. */
export const searchBody = (text: string): string =>
  JSON.stringify({
    size: 10,
    track_total_hits: true,
    _source: ['id', 'title'],
    query: {
      multi_match: {
        query: text,
        fields: ['title^2', 'text'],
        type: /\w$/.test(text) ? 'bool_prefix' : 'most_fields',
      },
    },
    highlight: { fields: { title: { number_of_fragments: 0 }, text: { number_of_fragments: 1, fragment_size: 200 } } },
  })

async function send(url: string, method: string, path: string, content?: string | object): Promise<void> {
  const body = typeof content === 'object' ? JSON.stringify(content) : content
  const headers = { 'content-type': typeof content === 'string' ? 'application/x-ndjson' : 'application/json' }
  const response = await fetch(`${url}${path}`, { method, headers, ...(body === undefined ? {} : { body }) })
  if (!response.ok) throw new Error(`${method} ${path}: ${response.status} ${await response.text()}`)
}
