import { z } from 'zod'

interface Format {
  matches(text: string): boolean
  /** Follows "must be". */
  description: string
}

/** Characters of a text with a format; longer texts match none. */
const maxLength = 2_000

const format = (schema: z.ZodType, description: string): Format => ({
  matches: (text) => text.length <= maxLength && schema.safeParse(text).success,
  description,
})

/** The formats that are checked. Any other `format` is an annotation. */
export const formats: ReadonlyMap<string, Format> = new Map([
  ['date-time', format(z.iso.datetime({ offset: true }), 'an RFC 3339 time such as 2026-01-05T09:30:00Z')],
  ['date', format(z.iso.date(), 'a date such as 2026-01-05')],
  ['time', format(z.iso.time(), 'a time of day such as 09:30:00')],
  ['email', format(z.email(), 'a mail address')],
  ['uri', format(z.url(), 'a URL such as https://example.com/path')],
  ['uuid', format(z.uuid(), 'a UUID')],
  ['ipv4', format(z.ipv4(), 'an IPv4 address')],
  ['ipv6', format(z.ipv6(), 'an IPv6 address')],
])
