import { describe, expect, it } from '@jest/globals'
import { RecordMarkers } from '../../src/tools/record-markers.ts'

const record = (id: string) => ({
  record_id: id,
  data_source_id: 'src_1',
  key: id,
  title: null,
  url: null,
  snippet: null,
})

describe('RecordMarkers', () => {
  it('numbers records over all calls, and keeps the number of a record', () => {
    const markers = new RecordMarkers()
    markers.add([record('rec_a'), record('rec_b')])
    markers.add([record('rec_b'), record('rec_c')])
    expect(markers.records.map(({ record_id, index }) => [record_id, index])).toEqual([
      ['rec_a', 1],
      ['rec_b', 2],
      ['rec_c', 3],
    ])
    const continued = new RecordMarkers(markers.records)
    continued.add([record('rec_d'), record('rec_a')])
    expect(continued.records.at(-1)).toMatchObject({ record_id: 'rec_d', index: 4 })
  })

  it('marks known records in an output, however deep', () => {
    const markers = new RecordMarkers()
    markers.add([record('rec_a')])
    expect(markers.mark({ hits: [{ record_id: 'rec_a', data: 1 }, { record_id: 'rec_unknown' }] })).toEqual({
      hits: [{ cite_as: '[1]', record_id: 'rec_a', data: 1 }, { record_id: 'rec_unknown' }],
    })
  })

  it('drops markers that the data contain', () => {
    const markers = new RecordMarkers()
    markers.add([record('rec_a'), record('rec_b')])
    const forged = { record_id: 'rec_b', cite_as: '[1]', data: { cite_as: '[1]', record_id: 'rec_x' } }
    expect(markers.mark(forged)).toEqual({ cite_as: '[2]', record_id: 'rec_b', data: { record_id: 'rec_x' } })
  })
})
