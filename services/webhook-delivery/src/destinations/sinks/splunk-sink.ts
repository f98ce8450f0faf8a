import type { ConfigOf } from '@wp/contracts'
import { compress, post } from './post.ts'
import { type Sink, type SinkBatch, type SinkContext, SinkError } from './sink.ts'

/**
 * Creates the sink of Splunk's HTTP Event Collector, in the format of
 * https://docs.splunk.com/Documentation/Splunk/latest/Data/FormateventsforHTTPEventCollector
 * The indexed fields `id` and `seq` tell repetitions apart from new events.
 */
export const createSplunkSink = (config: ConfigOf<'splunk_hec'>, token: string, context: SinkContext): Sink => ({
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
