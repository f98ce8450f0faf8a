import type { ConfigOf } from '@wp/contracts'
import { post } from './post.ts'
import { batchKey, type Sink, type SinkContext } from './sink.ts'

/** Creates the sink of POST requests, with an `Idempotency-Key` that names the batch. */
export const createHttpSink = (
  { url, body }: ConfigOf<'http'>,
  headers: Readonly<Record<string, string>>,
  context: SinkContext,
): Sink => ({
  maxRecordBytes: 1_048_576,
  maxRecords: 1_000,
  maxBytes: 4_194_304,
  write: (batch) => {
    const texts = batch.records.map(({ text }) => text)
    return post(context, {
      url,
      headers: {
        ...headers,
        'content-type': body === 'array' ? 'application/json' : 'application/x-ndjson',
        'idempotency-key': batchKey(batch),
      },
      body: body === 'array' ? `[${texts.join(',')}]` : `${texts.join('\n')}\n`,
    })
  },
})
