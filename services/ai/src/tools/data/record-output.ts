import type { DataRecord } from '@wp/contracts'
import type { z } from 'zod'
import { shorten, shortenText } from '../limit-output.ts'
import type { RetrievedRecord } from '../tool.ts'

type RecordView = z.output<typeof DataRecord>

const maxSnippetLength = 300

/** Returns a record as a model sees it. @param maxLength of each text */
export const recordOutput = ({ record_id, data_source_id, key, title, url, data }: RecordView, maxLength: number) => ({
  record_id,
  data_source_id,
  key,
  ...(title === null ? {} : { title: shortenText(title, maxLength) }),
  ...(url === null ? {} : { url }),
  data: shorten(data, maxLength),
})

/** Returns a record as an answer cites it. */
export const citableRecord = ({ record_id, data_source_id, key, title, url, data }: RecordView): RetrievedRecord => ({
  record_id,
  data_source_id,
  key,
  title,
  url,
  snippet: snippetOf(data),
})

/** Returns the beginning of the fields as text. */
const snippetOf = (data: Record<string, unknown>): string =>
  shortenText(
    Object.entries(data)
      .filter(([, value]) => value !== null && value !== '')
      .map(([name, value]) => `${name}: ${typeof value === 'object' ? JSON.stringify(value) : String(value)}`)
      .join('; '),
    maxSnippetLength,
  )
