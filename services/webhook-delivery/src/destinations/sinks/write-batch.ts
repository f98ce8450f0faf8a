import { type Sink, type SinkBatch, SinkError, type SinkRecord } from './sink.ts'

/** Numbers of records of a batch. */
export interface WriteResult {
  written: number
  /** Too large for the other side. */
  skipped: number
  /** The last response of the other side, in a line; null if nothing was written. */
  response: string | null
}

/**
 * Writes a batch in parts that fit the limits of the sink, one after the other. A part that the other side refuses for
 * its size is halved; a single record is left out, so that it does not block those after it. The same batch has the
 * same parts.
 * @throws SinkError of a part; those before it were written
 */
export async function writeBatch(sink: Sink, batch: SinkBatch): Promise<WriteResult> {
  const fitting = batch.records.filter(({ text }) => Buffer.byteLength(text) <= sink.maxRecordBytes)
  const result: WriteResult = { written: 0, skipped: batch.records.length - fitting.length, response: null }
  for (const records of split(fitting, sink)) await writePart(sink, { ...batch, records }, result)
  return result
}

function* split(records: readonly SinkRecord[], { maxRecords, maxBytes }: Sink): Generator<SinkRecord[]> {
  let part: SinkRecord[] = []
  let bytes = 0
  for (const record of records) {
    const size = Buffer.byteLength(record.text)
    if (part.length > 0 && (part.length >= maxRecords || bytes + size > maxBytes)) {
      yield part
      part = []
      bytes = 0
    }
    part.push(record)
    bytes += size
  }
  if (part.length > 0) yield part
}

async function writePart(sink: Sink, part: SinkBatch, result: WriteResult): Promise<void> {
  const { records } = part
  try {
    result.response = await sink.write(part)
    result.written += records.length
  } catch (error) {
    if (!(error instanceof SinkError) || error.code !== 'too_large') throw error
    if (records.length === 1) {
      result.skipped += 1
      return
    }
    const middle = Math.ceil(records.length / 2)
    await writePart(sink, { ...part, records: records.slice(0, middle) }, result)
    await writePart(sink, { ...part, records: records.slice(middle) }, result)
  }
}
