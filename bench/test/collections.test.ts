import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals'
import { readBeirCollection } from '../src/search/collections.ts'

let folder: string
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'wp-beir-'))
  mkdirSync(join(folder, 'qrels'))
})
afterEach(() => rmSync(folder, { recursive: true, force: true }))

function write(files: { corpus: object[]; queries: object[]; qrels: string[] }): void {
  const jsonLines = (entries: object[]) => `${entries.map((entry) => JSON.stringify(entry)).join('\n')}\n`
  writeFileSync(join(folder, 'corpus.jsonl'), jsonLines(files.corpus))
  writeFileSync(join(folder, 'queries.jsonl'), jsonLines(files.queries))
  writeFileSync(join(folder, 'qrels/test.tsv'), ['query-id\tcorpus-id\tscore', ...files.qrels, ''].join('\n'))
}

const corpus = [
  { _id: 'd1', title: 'Heating', text: 'The radiator is cold.', metadata: {} },
  { _id: 'd2', text: 'The door does not close.' },
]

describe('readBeirCollection', () => {
  it('reads a folder in the format of BEIR, without queries that have no relevant document', () => {
    const queries = [
      { _id: '1', text: 'cold radiator' },
      { _id: '2', text: 'lift' },
      { _id: '3', text: 'coffee' },
    ]
    write({ corpus, queries, qrels: ['1\td1\t2', '1\td2\t0', '2\td1\t0'] })
    expect(readBeirCollection(folder)).toEqual({
      documents: [
        { id: 'd1', title: 'Heating', text: 'The radiator is cold.' },
        { id: 'd2', title: '', text: 'The door does not close.' },
      ],
      questions: [{ id: '1', text: 'cold radiator', relevant: new Map([['d1', 2]]) }],
    })
  })

  it.each([
    ['a judgement of an unknown document', { corpus, queries: [{ _id: '1', text: 'a' }], qrels: ['1\td9\t1'] }, /d9/],
    [
      'a judgement for an unknown query',
      { corpus, queries: [{ _id: '1', text: 'a' }], qrels: ['7\td1\t1'] },
      /query 7/,
    ],
    ['an entry without id', { corpus, queries: [{ text: 'a' }], qrels: [] }, /queries\.jsonl, line 1: .*`_id`/],
  ])('rejects %s', (_name, files, message) => {
    write(files)
    expect(() => readBeirCollection(folder)).toThrow(message)
  })
})
