import { z } from 'zod'
import { boundedArray, boundedRecord } from '../core/shape/bounded.ts'
import { text } from '../core/shape/shape.ts'
import { canonicalHost, webAddress } from '../core/shape/web-address.ts'

export const destinationTypes = ['s3', 'kafka', 'splunk_hec', 'datadog', 'http'] as const
export type DestinationType = (typeof destinationTypes)[number]

/** Printable ASCII, which every header can carry. */
const printable = (max: number) =>
  z.string().regex(new RegExp(`^[\\x21-\\x7e]{1,${max}}$`), `must be 1 to ${max} printable ASCII characters`)

const secret = (description: string) =>
  printable(1_024).optional().describe(`${description}; required with a new address, and never shown again`)

const maxHeaders = 20
export const headerName = z.string().regex(/^[A-Za-z0-9!#$%&'*+.^_`|~-]{1,64}$/, 'must be a header name')
/** Shown instead of a stored value: a client that sends all that it has read must not replace the value by it. */
export const maskedValue = '********'
export const headerValue = z
  .string()
  .regex(/^[\x20-\x7e]{0,1024}$/, 'must be printable ASCII of at most 1,024 characters')

const label = (description: string) => text(200).nullable().default(null).describe(description)

const s3 = {
  type: z.literal('s3').describe('Objects in an S3-compatible bucket: NDJSON, compressed by gzip'),
  endpoint: webAddress(2_048)
    .nullable()
    .default(null)
    .describe('Address of the store, before the name of the bucket; null: Amazon S3 in the region'),
  region: z
    .string()
    .regex(/^[a-z0-9-]{1,64}$/, 'must be a region such as us-east-1')
    .default('us-east-1')
    .describe('Region of the bucket'),
  bucket: z
    .string()
    .regex(/^[a-zA-Z0-9][a-zA-Z0-9._-]{1,62}$/, 'must be the name of a bucket')
    .describe('Name of the bucket'),
  prefix: z
    .string()
    .regex(/^([A-Za-z0-9_=.-]*[A-Za-z0-9_=-]\/){0,16}$/, 'must be folders such as audit/, each with a slash after it')
    .max(500)
    .default('')
    .describe('Beginning of the keys of all objects, with a slash at its end; may be empty'),
  access_key_id: printable(128).describe('Access key that may put objects'),
}

const kafka = {
  type: z.literal('kafka').describe('Messages in a topic of Apache Kafka, over TLS'),
  brokers: boundedArray(
    z
      .string()
      .regex(/^(\[[0-9a-fA-F:.]+\]|[A-Za-z0-9.-]{1,253}):\d{1,5}$/, 'must be a host and a port')
      .overwrite((broker) => broker.replace(/^[^[\]]+(?=:)/, canonicalHost)),
    10,
    { min: 1 },
  ).describe('Brokers to begin with, each as `host:port`'),
  topic: z
    .string()
    .regex(/^[a-zA-Z0-9._-]{1,249}$/, 'must be the name of a topic')
    .describe('Topic, which must exist'),
  mechanism: z
    .enum(['PLAIN', 'SCRAM-SHA-256', 'SCRAM-SHA-512'])
    .nullable()
    .default(null)
    .describe('SASL mechanism; null: no authentication'),
  username: printable(256).nullable().default(null).describe('User of the mechanism'),
}

const splunk = {
  type: z.literal('splunk_hec').describe('HTTP Event Collector of Splunk'),
  url: webAddress(2_048).describe('Address of the collector, such as `https://splunk.example.com:8088`'),
  index: label('Index; null: that of the token'),
  source: label('Source of the events; null: that of the token'),
  sourcetype: label('Source type; null: that of the token'),
}

const datadog = {
  type: z.literal('datadog').describe('Log intake of Datadog'),
  url: webAddress(2_048)
    .default('https://http-intake.logs.datadoghq.com/')
    .describe('Address of the intake of your site'),
  service: label('Value of `service`; null: none'),
  tags: label('Value of `ddtags`, such as `env:production`; null: none'),
}

const http = {
  type: z.literal('http').describe('POST requests with many records each'),
  url: webAddress(2_048).describe('Address that the requests are sent to'),
  body: z.enum(['ndjson', 'array']).default('ndjson').describe('`ndjson`: a record a line; `array`: one JSON array'),
}

/** Settings of an event destination, as a request sets them. */
export const NewDestinationConfig = z
  .discriminatedUnion('type', [
    z.strictObject({ ...s3, secret_access_key: secret('Secret of the access key') }).meta({ id: 'NewS3Destination' }),
    z.strictObject({ ...kafka, password: secret('Password of the user') }).meta({ id: 'NewKafkaDestination' }),
    z.strictObject({ ...splunk, token: secret('Token of the collector') }).meta({ id: 'NewSplunkDestination' }),
    z.strictObject({ ...datadog, api_key: secret('API key') }).meta({ id: 'NewDatadogDestination' }),
    z
      .strictObject({
        ...http,
        headers: boundedRecord(headerName, headerValue, maxHeaders)
          .optional()
          .describe('Your own header fields, at most 20; values are never shown again'),
      })
      .meta({ id: 'NewHttpDestination' }),
  ])
  .meta({ id: 'NewEventDestinationConfig', description: 'Where records are written, by type' })
export type NewDestinationConfig = z.output<typeof NewDestinationConfig>

/** The same without its secrets. */
export const DestinationConfig = z
  .discriminatedUnion('type', [
    z.object(s3).meta({ id: 'S3Destination' }),
    z.object(kafka).meta({ id: 'KafkaDestination' }),
    z.object(splunk).meta({ id: 'SplunkDestination' }),
    z.object(datadog).meta({ id: 'DatadogDestination' }),
    z
      .object({
        ...http,
        headers: z.record(z.string(), z.string()).describe('Your own header fields, with masked values'),
      })
      .meta({ id: 'HttpDestination' }),
  ])
  .meta({ id: 'EventDestinationConfig', description: 'Where records are written, by type; without secrets' })
export type DestinationConfig = z.output<typeof DestinationConfig>
/** Settings of one type. */
export type ConfigOf<Type extends DestinationType> = Extract<DestinationConfig, { type: Type }>
