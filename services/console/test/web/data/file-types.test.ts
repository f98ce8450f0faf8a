import { describe, expect, it } from '@jest/globals'
import {
  acceptedFiles,
  fileTypeOf,
  isOtherSpreadsheet,
  nameFromFile,
  uploadContentType,
  uploadQuery,
} from '../../../web/src/data/uploads/file-types.ts'

const options = { mode: 'incremental', isDocument: false, allowsDeletions: false } as const

describe('fileTypeOf', () => {
  it.each([
    ['a.csv', 'text/csv'],
    ['A.TSV', 'text/tab-separated-values'],
    ['a.b.jsonl', 'application/x-ndjson'],
    ['counts.csv.gz', 'application/gzip'],
    ['rooms.ics', 'text/calendar'],
    ['page.htm', 'text/html'],
  ])('returns the content type of %s', (name, type) => expect(fileTypeOf(name)?.contentType).toBe(type))

  it.each(['table.xls', 'csv', 'a.constructor', ''])('returns undefined for "%s"', (name) => {
    expect(fileTypeOf(name)).toBeUndefined()
  })

  it.each(['.xlsx', '.csv', '.tsv', '.txt', '.json', '.ndjson', '.parquet', '.gz', '.zip'])(
    'accepts %s in the dialog of the device',
    (extension) => expect(acceptedFiles.split(',')).toContain(extension),
  )
})

describe('isOtherSpreadsheet', () => {
  it.each([
    ['plan.XLS', true],
    ['plan.ods', true],
    ['plan.xlsx', false],
    ['plan.png', false],
  ])('returns for %s %s', (name, expected) => expect(isOtherSpreadsheet(name)).toBe(expected))
})

describe('nameFromFile', () => {
  it.each([
    ['office_arrivals 2026.csv', 'office arrivals 2026'],
    ['counts.csv.gz', 'counts'],
    ['.csv', '.csv'],
    [`${'x'.repeat(300)}.csv`, 'x'.repeat(200)],
  ])('names a source after %s', (file, name) => expect(nameFromFile(file)).toBe(name))
})

describe('uploadQuery', () => {
  it('gives a document the key of its file, so that it replaces its previous version', () => {
    expect(uploadQuery('guide.md', { ...options, isDocument: true })).toEqual({ mode: 'incremental', key: 'guide.md' })
  })

  it('gives plain text a title when it is a document', () => {
    expect(uploadQuery('read_me.txt', { ...options, mode: 'full', isDocument: true })).toEqual({
      mode: 'full',
      key: 'read_me.txt',
      title: 'read me',
    })
  })

  it('gives rows no key', () => expect(uploadQuery('rows.txt', options)).toEqual({ mode: 'incremental' }))

  it('allows deletions only when the person has', () => {
    expect(uploadQuery('rows.csv', { ...options, mode: 'full', allowsDeletions: true })).toEqual({
      mode: 'full',
      allow_deletions: 'true',
    })
  })
})

describe('uploadContentType', () => {
  it('returns the type of a table for plain text when it holds rows', () => {
    expect(uploadContentType('counts.txt', false)).toBe('text/csv')
    expect(uploadContentType('guide.txt', true)).toBe('text/plain')
  })
})
