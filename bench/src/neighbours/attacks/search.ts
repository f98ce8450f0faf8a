import { send, sendOk, type Workspace } from '../../harness/workspace.ts'
import { type Attack, flood } from './attack.ts'

const records = 60_000
const vocabulary = 2_000

/** Uploads records of 40 words from a small vocabulary, so that every word and many pairs are frequent. */
async function uploadCorpus(hostile: Workspace): Promise<void> {
  const source = await sendOk(hostile, 'POST', '/v1/data/sources', {
    body: { name: 'corpus', provider: 'upload', config: { key: 'id' } },
  })
  const word = (index: number) => `word${(index * 7919) % vocabulary}`
  for (let from = 0; from < records; from += 10_000) {
    const rows = Array.from({ length: 10_000 }, (_, offset) => {
      const id = from + offset
      return JSON.stringify({
        id: `${id}`,
        kind: 'a',
        text: Array.from({ length: 40 }, (_, at) => word(id + at)).join(' '),
      })
    })
    await sendOk(hostile, 'POST', `/v1/data/sources/${source.data_source_id}/records`, {
      body: rows.join('\n'),
      contentType: 'application/x-ndjson',
    })
  }
}

/** @param phraseCount phrases of one query */
function phraseQuery(phraseCount: number, from: number): string {
  const word = (index: number) => `word${(index * 7919) % vocabulary}`
  return Array.from({ length: phraseCount }, (_, at) => `"${word(from + at)} ${word(from + at + 1)}"`).join(' ')
}

const search = (hostile: Workspace, body: unknown, signal: AbortSignal) =>
  send(hostile, 'POST', '/v1/data/search', { body, signal })

/** 400 phrases exceed the limits; the attacker also sends as many as are allowed. */
export const phrases: Attack = {
  probe: 'requests',
  prepare: uploadCorpus,
  run(hostile, outcome, signal) {
    let serial = 0
    return flood(6, signal, outcome, () => {
      serial += 1
      const query = phraseQuery(serial % 4 === 0 ? 400 : 10, serial * 31)
      return search(hostile, { query, filters: { kind: 'b' }, limit: 100 }, signal)
    })
  },
}

export const filters: Attack = {
  probe: 'requests',
  run(hostile, outcome, signal) {
    const manyFilters = Object.fromEntries(Array.from({ length: 50_000 }, (_, at) => [`f${at}`, { in: [1] }]))
    const body = JSON.stringify({ query: 'word1', filters: manyFilters })
    return flood(2, signal, outcome, () => search(hostile, body, signal))
  },
}
