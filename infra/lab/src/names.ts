/** The names of all faults, in the order in which they are tried. `--help` lists them without loading the faults. */
export const faultNames = [
  'none',
  'kill',
  'postgres-fast',
  'postgres-immediate',
  'commit-lost',
  'partition-database',
  'broker-stopped',
  'broker-wiped',
  'broker-power-cut',
  'broker-disk-full',
  'partition-broker',
  'duplicates',
  'clock-webhook-delivery',
  'clock-data',
  'clock-auth',
  'releases',
  'upgrade',
] as const

/** The types of event destinations that are tried. `--help` lists them without loading the services. */
export const sinkNames = ['s3', 'kafka', 'splunk_hec', 'datadog', 'http'] as const
export type SinkName = (typeof sinkNames)[number]
