import { createHash } from 'node:crypto'
import type { ConfigOf } from '@wp/contracts'
import { AwsV4Signer } from 'aws4fetch'
import { compress, post } from './post.ts'
import type { Sink, SinkBatch, SinkContext } from './sink.ts'

/**
 * Creates the sink of an S3-compatible bucket: one object a batch, put under a key that its records alone decide, so
 * that a repetition replaces the object by the same one. Addresses are path-style: self-hosted stores often have no
 * DNS name per bucket, and Amazon accepts it too.
 */
export function createS3Sink(config: ConfigOf<'s3'>, secretAccessKey: string, context: SinkContext): Sink {
  const { endpoint, region, bucket, access_key_id: accessKeyId } = config
  const bucketUrl = `${(endpoint ?? `https://s3.${region}.amazonaws.com`).replace(/\/+$/, '')}/${bucket}`
  return {
    maxRecordBytes: 4_194_304,
    maxRecords: 1_000,
    maxBytes: 4_194_304,
    async write(batch) {
      const body = await compress(batch.records.map(({ text }) => `${text}\n`).join(''))
      const url = `${bucketUrl}/${objectKey(config.prefix, batch)}`
      const datetime = new Date(context.now()).toISOString().replace(/[:-]|\.\d{3}/g, '')
      const sha256 = createHash('sha256').update(body).digest('hex')
      const headers = { 'content-type': 'application/gzip', 'x-amz-content-sha256': sha256 }
      const signer = new AwsV4Signer({
        url,
        method: 'PUT',
        headers,
        region,
        accessKeyId,
        secretAccessKey,
        service: 's3',
        datetime,
      })
      const signed = await signer.sign()
      return post(context, { url, method: 'PUT', headers: Object.fromEntries(signed.headers), body })
    },
  }
}

const keyDigits = 16

/** Returns the key of an object. Keys of one day are listed in the order of the log. */
function objectKey(prefix: string, { workspaceId, content, isTest, records }: SinkBatch): string {
  const [first, last] = [records[0], records.at(-1)]
  const day = first?.occurredAt.toISOString().slice(0, 10) ?? ''
  const pad = (seq = 0) => String(seq).padStart(keyDigits, '0')
  const name = isTest ? `test-${first?.id}` : `${pad(first?.seq)}-${pad(last?.seq)}`
  return `${prefix}${workspaceId}/${content}/${day}/${name}.ndjson.gz`
}
