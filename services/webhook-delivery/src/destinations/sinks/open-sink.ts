import type { DestinationConfig } from '@wp/contracts'
import type { DestinationSecrets } from '../config-secrets.ts'
import { createDatadogSink } from './datadog-sink.ts'
import { createHttpSink } from './http-sink.ts'
import { createS3Sink } from './s3-sink.ts'
import type { Sink, SinkContext } from './sink.ts'
import { createSplunkSink } from './splunk-sink.ts'

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
