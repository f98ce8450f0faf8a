import { problem } from '@wp/contracts'
import { parseCursor } from '@wp/database'
import type { RecordPosition } from '../../../store/search/newest-records.ts'

/** Returns the cursor after the last hit of a page of records that are listed newest first. */
export const encodeRecordCursor = ({ createdAt, recordId }: RecordPosition): string =>
  Buffer.from(JSON.stringify([createdAt.getTime(), recordId])).toString('base64url')

/** @throws Problem `invalid_cursor` */
export function decodeRecordCursor(text: string, pointer: string): RecordPosition {
  const [time, recordId] = parseCursor(text)
  if (
    Number.isSafeInteger(time) &&
    Number(time) >= 0 &&
    Number(time) <= maxTime &&
    typeof recordId === 'string' &&
    /^rec_[0-9a-z]{26}$/.test(recordId)
  )
    return { createdAt: new Date(Number(time)), recordId }
  throw problem('invalid_cursor', { errors: [{ pointer, detail: 'is not a cursor of this search' }] })
}

/** The last millisecond of year 9999. */
const maxTime = Date.UTC(9999, 11, 31, 23, 59, 59, 999)
