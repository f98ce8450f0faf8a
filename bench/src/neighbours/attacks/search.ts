import { send, sendOk, type Workspace } from '../../harness/workspace.ts'
import { type Attack, createSource, flood } from './attack.ts'

const records = 60_000
const recordsPerUpload = 10_000
const vocabulary = 2_000

const wordAt = (index: number) => `word${(index * 7919) % vocabulary}`

/** Uploads records of 40 words from a small vocabulary, so that every word and many pairs are frequent. */
async function uploadCorpus(hostile: Workspace): Promise<void> {
  const path = `/v1/data/sources/${await createSource(hostile, 'upload')}/records`
  for (let from = 0; from < records; from += recordsPerUpload) {
    const rows = Array.from({ length: recordsPerUpload }, (_, offset) => {
      const text = Array.from({ length: 40 }, (_, at) => wordAt(from + offset + at)).join(' ')
      return JSON.stringify({ id: `${from + offset}`, kind: 'a', text })
    })
    await sendOk(hostile, 'POST', path, { body: rows.join('\n'), contentType: 'application/x-ndjson' })
  }
}

const search = (hostile: Workspace, body: unknown, signal: AbortSignal) =>
  send(hostile, 'POST', '/v1/data/search', { body, signal })

/** 400 phrases exceed the limits; the attacker also sends as many as are allowed. */
export const phrases: Attack = {
  probe: 'requests',
  prepare: uploadCorpus,
  run: (hostile, outcome, signal) =>
    flood(6, signal, outcome, (serial) => {
      const phraseAt = (index: number) => `"${wordAt(index)} ${wordAt(index + 1)}"`
      const chosen = Array.from({ length: serial % 4 === 0 ? 400 : 10 }, (_, at) => phraseAt(serial * 31 + at))
      return search(hostile, { query: chosen.join(' '), filters: { kind: 'b' }, limit: 100 }, signal)
    }),
}

export const filters: Attack = {
  probe: 'requests',
  run(hostile, outcome, signal) {
    const manyFilters = Object.fromEntries(Array.from({ length: 50_000 }, (_, at) => [`f${at}`, { in: [1] }]))
    const body = JSON.stringify({ query: 'word1', filters: manyFilters })
    return flood(2, signal, outcome, () => search(hostile, body, signal))
  },
}
