import { describe, expect, it } from '@jest/globals'
import {
  destinationAttention,
  occupancyAttention,
  placeAttention,
  sortAttention,
  sourceAttention,
  usageAttention,
  webhookAttention,
} from '../../../web/src/home/attention.ts'

const webhook = (status: string, rate: number | null, failed = 3) => ({
  webhook_id: 'whk_1',
  endpoint: 'https://a.example/',
  description: null,
  status,
  stats: { success_rate: rate, failed },
})

describe('what needs attention', () => {
  it('is a webhook that was switched off or fails, and no other', () => {
    const found = webhookAttention([
      webhook('active', null),
      webhook('active', 0.99),
      webhook('active', 0.98),
      webhook('active', 0, 0),
      webhook('active', 0.5, 1),
      webhook('disabled', 1),
    ])
    expect(found.map(({ tone, text }) => [tone, text])).toEqual([
      ['warning', 'The webhook https://a.example/ failed 3 times'],
      ['warning', 'Attempts to deliver to the webhook https://a.example/ fail'],
      ['warning', 'The webhook https://a.example/ failed once'],
      ['danger', 'The webhook https://a.example/ is switched off'],
    ])
  })

  it('is an event destination that fails or was switched off for it, not one that a person switched off', () => {
    const destination = (state: string, reason: string | null, lag = 0) => ({
      destination_id: 'dest_1',
      name: 'Archive',
      disabled_reason: reason,
      health: { state, lag },
    })
    const found = destinationAttention([
      destination('healthy', null, 5),
      destination('failing', null, 1),
      destination('disabled', 'requested'),
      destination('disabled', 'gone'),
    ])
    expect(found.map(({ tone, text }) => [tone, text])).toEqual([
      ['warning', 'The event destination Archive fails: 1 record to write'],
      ['danger', 'The event destination Archive was switched off, because it failed'],
    ])
    expect(found[0]?.path).toBe('webhooks/destinations/dest_1')
  })

  it('is a source that could not be updated', () => {
    const sources = ['active', 'paused', 'error'].map((status) => ({
      data_source_id: `src_${status}`,
      name: 'A',
      status,
    }))
    expect(sourceAttention(sources).map(({ path }) => path)).toEqual(['data/src_error'])
  })

  it('is a file with rows whose place is not known', () => {
    const file = (reason: string, rows: number) => ({
      id: 'ds_1',
      name: 'Badges',
      rows: { unused: [{ reason, rows }] },
    })
    const found = placeAttention([file('space_unmapped', 1), file('space_left_out', 9), file('space_unmapped', 2_148)])
    expect(found.map(({ text, path }) => [text, path])).toEqual([
      ['1 row of Badges is not counted: the place is not known', 'datasets/ds_1'],
      ['2,148 rows of Badges are not counted: the place is not known', 'datasets/ds_1'],
    ])
  })

  it('is a site that will be full, not one that was', () => {
    const expected = new Map([
      ['2026-03-03', 1.2],
      ['2026-03-10', 0.96],
      ['2026-03-11', 1],
    ])
    const site = { id: 'spc_1', name: 'Munich', counted: new Map(), expected, mean: null }
    const found = occupancyAttention([site], '2026-03-09', (date) => date)
    expect(found).toEqual([
      {
        key: 'spc_1',
        tone: 'danger',
        path: 'buildings/spc_1',
        text: 'Munich will be full on 2026-03-11: 100 % of its places',
      },
    ])
    expect(occupancyAttention([site], '2026-03-12', (date) => date)).toEqual([])
  })

  it('is a meter that is nearly used up; the urgent comes first', () => {
    const meters = [
      { meter: 'a', percent: 79 },
      { meter: 'b', percent: 80 },
      { meter: 'c', percent: 100 },
      { meter: 'd', percent: null },
    ]
    const found = sortAttention(usageAttention(meters, (meter) => meter))
    expect(found.map(({ key, tone }) => [key, tone])).toEqual([
      ['c', 'danger'],
      ['b', 'warning'],
    ])
  })
})
