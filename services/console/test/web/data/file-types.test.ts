import { describe, expect, it } from '@jest/globals'
import { fileTypeOf, nameFromFile, uploadQuery } from '../../../web/src/data/uploads/file-types.ts'

describe('fileTypeOf', () => {
  it.each([
    ['a.csv', 'text/csv'],
    ['A.TSV', 'text/csv'],
    ['a.b.jsonl', 'application/x-ndjson'],
    ['page.htm', 'text/html'],
  ])('returns the content type of %s', (name, type) => expect(fileTypeOf(name)?.contentType).toBe(type))

  it.each(['table.xlsx', 'csv', 'a.constructor', ''])('returns undefined for "%s"', (name) => {
    expect(fileTypeOf(name)).toBeUndefined()
  })
})

describe('nameFromFile', () => {
  it.each([
    ['office_arrivals 2026.csv', 'office arrivals 2026'],
    ['.csv', '.csv'],
    [`${'x'.repeat(300)}.csv`, 'x'.repeat(200)],
  ])('names a source after %s', (file, name) => expect(nameFromFile(file)).toBe(name))
})

describe('uploadQuery', () => {
  it('gives a document the key of its file, so that it replaces its previous version', () => {
    expect(uploadQuery('guide.md', 'incremental')).toEqual({ mode: 'incremental', key: 'guide.md' })
  })

  it('gives plain text a title', () => {
    expect(uploadQuery('read_me.txt', 'full')).toEqual({ mode: 'full', key: 'read_me.txt', title: 'read me' })
  })

  it('gives rows no key', () => expect(uploadQuery('rows.csv', 'full')).toEqual({ mode: 'full' }))
})
