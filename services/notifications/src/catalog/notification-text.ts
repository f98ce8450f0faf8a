import { resourcePath } from '@wp/contracts'
import { textForReader } from '@wp/contracts/local-text'
import { toSingleLine } from '@wp/mail'
import type { KindEntry } from './kinds.ts'

/** The texts of a notification. */
export interface NotificationText {
  title: string
  body: string
  link: string | null
}

/** Payloads contain texts of users, which may be long. */
const maxFieldCharacters = 200

/** Renders the texts of a notification from the payload of its event. */
export function notificationText(
  { title, body }: KindEntry,
  data: Readonly<Record<string, unknown>>,
): NotificationText {
  return {
    title: fill(title, data) ?? fallbackTitle,
    body: body
      .map((sentence) => fill(sentence, data))
      .filter((sentence) => sentence !== undefined)
      .join(' '),
    link: (typeof data.id === 'string' ? resourcePath(data.id) : undefined) ?? null,
  }
}

/** The title of an event whose payload lacks a field of it. */
const fallbackTitle = 'Something happened in the workspace'

/** Fills in the fields of a sentence. @returns undefined if one is missing */
function fill(sentence: string, data: Readonly<Record<string, unknown>>): string | undefined {
  let isComplete = true
  const filled = sentence.replaceAll(/\{([\w.|]+)\}/g, (_, paths: string) => {
    const texts = paths.split('|').map((path) => fieldText(path.split('.').reduce(readMember, data as unknown)))
    const found = texts.find((each) => each !== '') ?? ''
    const text = paths === 'meter' ? found.replaceAll('_', ' ').replace(/^api\b/, 'API') : found
    isComplete &&= text !== ''
    return text
  })
  // A message of an error may end with a full stop of its own.
  return isComplete ? filled.replace(/([.!?])\.$/, '$1') : undefined
}

const readMember = (value: unknown, name: string): unknown =>
  typeof value === 'object' && value !== null && Object.hasOwn(value, name)
    ? (value as Record<string, unknown>)[name] // an object that has this member
    : undefined

function fieldText(value: unknown): string {
  if (typeof value !== 'string' && typeof value !== 'number') return ''
  const text = typeof value === 'number' ? value.toLocaleString('en') : toSingleLine(value)
  return text.length > maxFieldCharacters ? `${text.slice(0, maxFieldCharacters).trimEnd()}…` : text
}

const instants = /\b\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d+)?Z/g

/** The language tag and the time zone that a recipient has chosen; null for none. */
export interface TextReader {
  locale: string | null
  timezone: string | null
}

/** Writes the times, dates and numbers of a text, which is the same for all recipients, for one of them. */
export function forReader(text: string, reader: TextReader): string {
  const { sentence, zonedDateTime } = textForReader(reader)
  return sentence(text.replaceAll(instants, (instant) => zonedDateTime(new Date(instant))))
}
