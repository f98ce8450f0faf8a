import type { ConfigOf } from '@wp/contracts'
import { compress, post } from './post.ts'
import type { Sink, SinkContext, SinkRecord } from './sink.ts'

/** Creates the sink of Datadog's log intake: https://docs.datadoghq.com/api/latest/logs/#send-logs */
export const createDatadogSink = (config: ConfigOf<'datadog'>, apiKey: string, context: SinkContext): Sink => ({
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
