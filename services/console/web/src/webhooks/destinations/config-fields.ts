import type { DestinationType, NewDestinationConfig } from '@wp/contracts'
import { type HeaderRow, toHeaders } from '../shared/header-rows.ts'
import type { ConfigView } from './destination-words.ts'

/** A setting of a type, as the form shows it. An empty optional one is left out or null. */
export interface ConfigField {
  name: string
  label: string
  hint?: string
  placeholder?: string
  initial?: string
  /** Meaning of an empty field; without it, the empty text is sent. */
  empty?: 'null' | 'omit'
  isSecret?: true
  /** Several values, a line each. */
  isList?: true
  options?: readonly { value: string; label: string }[]
  /** Shown only while this other setting has a value. */
  needs?: string
}

const secret = { isSecret: true, empty: 'omit' } as const

/** The settings of each type, in the order of the form. */
export const configFields: Readonly<Record<DestinationType, readonly ConfigField[]>> = {
  s3: [
    { name: 'bucket', label: 'Bucket', placeholder: 'company-audit-log' },
    { name: 'region', label: 'Region', initial: 'us-east-1' },
    {
      name: 'prefix',
      label: 'Folder',
      hint: 'Before the name of every object, with a slash at its end',
      placeholder: 'audit/',
    },
    { name: 'access_key_id', label: 'Access key id', hint: 'It must be allowed to put objects' },
    { name: 'secret_access_key', label: 'Secret access key', ...secret },
    {
      name: 'endpoint',
      label: 'Address of the store',
      empty: 'null',
      placeholder: 'https://storage.example.com',
      hint: 'For other stores that speak S3; empty for Amazon',
    },
  ],
  kafka: [
    {
      name: 'brokers',
      label: 'Brokers',
      hint: 'Host and port, a broker a line',
      isList: true,
      placeholder: 'kafka-1.example.com:9093',
    },
    { name: 'topic', label: 'Topic', hint: 'It must exist' },
    {
      name: 'mechanism',
      label: 'Sign-in',
      empty: 'null',
      options: [
        { value: '', label: 'None' },
        { value: 'PLAIN', label: 'User and password (PLAIN)' },
        { value: 'SCRAM-SHA-256', label: 'User and password (SCRAM-SHA-256)' },
        { value: 'SCRAM-SHA-512', label: 'User and password (SCRAM-SHA-512)' },
      ],
    },
    { name: 'username', label: 'User', empty: 'null', needs: 'mechanism' },
    { name: 'password', label: 'Password', needs: 'mechanism', ...secret },
  ],
  splunk_hec: [
    { name: 'url', label: 'Address of the collector', placeholder: 'https://splunk.example.com:8088' },
    { name: 'token', label: 'Token', hint: 'Of the HTTP Event Collector, without indexer acknowledgement', ...secret },
    { name: 'index', label: 'Index', hint: 'Empty: that of the token', empty: 'null' },
    { name: 'source', label: 'Source', hint: 'Empty: that of the token', empty: 'null' },
    { name: 'sourcetype', label: 'Source type', hint: 'Empty: that of the token', empty: 'null' },
  ],
  datadog: [
    {
      name: 'url',
      label: 'Address of the intake',
      initial: 'https://http-intake.logs.datadoghq.com/',
      hint: 'That of your site; in the EU it is https://http-intake.logs.datadoghq.eu/',
    },
    { name: 'api_key', label: 'API key', ...secret },
    { name: 'service', label: 'Service', empty: 'null' },
    { name: 'tags', label: 'Tags', empty: 'null', placeholder: 'env:production,team:security' },
  ],
  http: [
    {
      name: 'url',
      label: 'Address',
      hint: 'Requests with many records each are posted to it',
      placeholder: 'https://logs.example.com/ingest',
    },
    {
      name: 'body',
      label: 'Body of a request',
      initial: 'ndjson',
      options: [
        { value: 'ndjson', label: 'A record a line (NDJSON)' },
        { value: 'array', label: 'One JSON array' },
      ],
    },
  ],
}

/** Texts of the settings, by name. */
export type ConfigTexts = Readonly<Record<string, string>>

/** Returns the texts of a stored configuration, or those of a new one. Secrets are empty. */
export function toTexts(type: DestinationType, stored?: ConfigView): ConfigTexts {
  const values = new Map<string, unknown>(Object.entries(stored ?? {}))
  return Object.fromEntries(
    configFields[type].map(({ name, initial = '' }) => {
      const value = stored === undefined ? initial : (values.get(name) ?? '')
      return [name, Array.isArray(value) ? value.join('\n') : String(value)]
    }),
  )
}

/**
 * Returns the configuration that a form has. It is validated with the form, like every other field.
 * @param headers rows of the type `http`; undefined to keep the stored ones
 */
export function toConfig(
  type: DestinationType,
  texts: ConfigTexts,
  headers: readonly HeaderRow[] | undefined,
): NewDestinationConfig {
  const values = configFields[type].map((field) => [field.name, readField(field, texts)] as const)
  const config: unknown = {
    type,
    ...Object.fromEntries(values),
    ...(type === 'http' && { headers: headers && toHeaders(headers) }),
  }
  return config as NewDestinationConfig // what is wrong in it is found when the form is validated
}

function readField({ name, empty, isList, needs }: ConfigField, texts: ConfigTexts): unknown {
  const text = needs !== undefined && texts[needs] === '' ? '' : (texts[name] ?? '').trim()
  if (isList) return text.split(/[\s,]+/).filter(Boolean)
  return text === '' && empty !== undefined ? (empty === 'null' ? null : undefined) : text
}
