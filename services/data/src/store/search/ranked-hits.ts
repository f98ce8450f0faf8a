/** A hit of a ranking: a document by its number among all searched sources, or a record by its id. */
export type RankedHit = { score: number } & ({ document: number } | { recordId: string })

/** Entries have a score (8 bytes) and the number of a document, or the end of a record id. */
export const entryBytes = { document: 12, record: 34 } as const
export type EntryKind = keyof typeof entryBytes

const scoreBytes = 8
const recordPrefix = 'rec_'

/** Returns entries of hits of one kind, in order. */
export function encodeRankedHits(kind: EntryKind, hits: readonly RankedHit[]): Buffer {
  const size = entryBytes[kind]
  const entries = Buffer.alloc(size * hits.length)
  for (const [nth, hit] of hits.entries()) {
    const start = nth * size
    entries.writeDoubleBE(hit.score, start)
    if ('document' in hit) entries.writeUInt32BE(hit.document, start + scoreBytes)
    else entries.write(hit.recordId.slice(recordPrefix.length), start + scoreBytes, 'latin1')
  }
  return entries
}

export function decodeRankedHits(kind: EntryKind, entries: Buffer): RankedHit[] {
  const size = entryBytes[kind]
  return Array.from({ length: entries.length / size }, (_, nth) => {
    const start = nth * size
    const score = entries.readDoubleBE(start)
    if (kind === 'document') return { score, document: entries.readUInt32BE(start + scoreBytes) }
    return { score, recordId: recordPrefix + entries.toString('latin1', start + scoreBytes, start + size) }
  })
}
