/** The types of event destinations that are tried. `--help` lists them without loading the services. */
export const sinkNames = ['s3', 'kafka', 'splunk_hec', 'datadog', 'http'] as const
export type SinkName = (typeof sinkNames)[number]
