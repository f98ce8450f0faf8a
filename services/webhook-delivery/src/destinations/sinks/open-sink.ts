import type { ConfigOf, DestinationConfig } from '@wp/contracts'
import type { DestinationSecrets } from '../config-secrets.ts'
import { compress, post } from './post.ts'
import { createS3Sink } from './s3-sink.ts'
import { batchKey, type Sink, type SinkBatch, type SinkContext, SinkError, type SinkRecord } from './sink.ts'

/** Returns the sink of a configuration. Nothing is connected before the first write. */
export async function openSink(
  config: DestinationConfig,
  { values, headers }: DestinationSecrets,
  context: SinkContext,
): Promise<Sink> {
  switch (config.type) {
    case 's3':
      return createS3Sink(config, values.secret_access_key ?? '', context)
    case 'splunk_hec':
      return createSplunkSink(config, values.token ?? '', context)
    case 'datadog':
      return createDatadogSink(config, values.api_key ?? '', context)
    case 'http':
      return createHttpSink(config, headers, context)
    case 'kafka': {
      // Loaded where it is used: its protocol is most of what this process would load.
      const { createKafkaSink } = await import('./kafka-sink.ts')
      return createKafkaSink(config, values.password, context)
    }
  }
}

/** Creates the sink of Datadog's log intake: https://docs.datadoghq.com/api/latest/logs/#send-logs */
const createDatadogSink = (config: ConfigOf<'datadog'>, apiKey: string, context: SinkContext): Sink => ({
  // The intake accepts logs of 1 MB and requests of 5 MB; a text grows when it is quoted as a JSON string.
  maxRecordBytes: 450_000,
  maxRecords: 1_000,
  maxBytes: 2_000_000,
  write: async ({ records }) =>
    post(context, {
      url: `${config.url.replace(/\/+$/, '')}/api/v2/logs`,
      headers: { 'dd-api-key': apiKey, 'content-type': 'application/json', 'content-encoding': 'gzip' },
      body: await compress(JSON.stringify(records.map((record) => toLog(config, record)))),
    }),
})

/** The intake parses `message` as JSON; `id` and `seq` beside it tell repetitions apart. */
const toLog = ({ service, tags }: ConfigOf<'datadog'>, { id, seq, kind, text }: SinkRecord) => ({
  ddsource: 'workspace-platform',
  ...(service === null ? {} : { service }),
  ...(tags === null ? {} : { ddtags: tags }),
  id,
  seq,
  kind,
  message: text,
})

/** Creates the sink of POST requests, with an `Idempotency-Key` that names the batch. */
const createHttpSink = (
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

/**
 * Creates the sink of Splunk's HTTP Event Collector, in the format of
 * https://docs.splunk.com/Documentation/Splunk/latest/Data/FormateventsforHTTPEventCollector
 * The indexed fields `id` and `seq` tell repetitions apart from new events.
 */
const createSplunkSink = (config: ConfigOf<'splunk_hec'>, token: string, context: SinkContext): Sink => ({
  maxRecordBytes: 1_000_000,
  maxRecords: 1_000,
  maxBytes: 4_194_304,
  async write(batch) {
    const line = await post(context, {
      url: `${config.url.replace(/\/+$/, '')}/services/collector/event`,
      headers: {
        authorization: `Splunk ${token}`,
        'content-type': 'application/json',
        'content-encoding': 'gzip',
      },
      body: await compress(toEvents(config, batch)),
    })
    // 0 is success; a proxy in between may respond 200 with something else.
    if (!/"code"\s*:\s*0\b/.test(line)) throw new SinkError('refused', `The collector responded ${line}`)
    return line
  },
})

const toEvents = ({ index, source, sourcetype }: ConfigOf<'splunk_hec'>, batch: SinkBatch): string => {
  const named = Object.entries({ index, source, sourcetype }).filter(([, value]) => value !== null)
  return batch.records
    .map(({ seq, id, kind, occurredAt, text }) => {
      const fields = { id, seq, kind, content: batch.content, workspace_id: batch.workspaceId }
      const head = JSON.stringify({ time: occurredAt.getTime() / 1000, ...Object.fromEntries(named), fields })
      return `${head.slice(0, -1)},"event":${text}}`
    })
    .join('\n')
}
