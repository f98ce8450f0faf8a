import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import { type DataService, startData } from './support/service.ts'

let service: DataService
beforeAll(async () => {
  service = await startData()
})
afterAll(() => service.stop())

const json = (rows: unknown[]) => JSON.stringify(rows)

/** A source of a workspace of its own. */
async function sourceOf(rows: unknown[], config: Record<string, unknown> = { key: 'id' }) {
  const id = await service.createSource({ config })
  const answer = await service.upload(id, 'application/json', json(rows))
  expect(answer.status).toBe(200)
  return id
}

const ask = (body: Record<string, unknown>, caller = {}) => service.request('POST', '/v1/data/search', { body, caller })

/** The keys of the hits of one source, best first. */
async function titlesOf(body: Record<string, unknown>): Promise<string[]> {
  const answer = await ask(body)
  expect([answer.status, answer.body]).toMatchObject([200, { success: true }])
  return answer.body.data.map(({ title }: { title: string }) => title)
}

describe('search', () => {
  it('finds', async () => {
    const id = await sourceOf([
      { id: '1', title: 'Coffee machines', body: 'The café on the third floor has machines for coffee & tea <b>' },
      { id: '2', title: 'Meeting rooms', body: 'Rooms are booked by their occupants, who were running late.' },
      { id: '3', title: 'Parking', body: 'Bikes park beneath the meeting hall.' },
    ])
    const answer = await ask({ query: 'meeting room', data_source_ids: [id], highlight: true })
    console.log(JSON.stringify(answer.body, null, 1))
    expect(await titlesOf({ query: 'cafe' })).toEqual(['Coffee machines'])
    expect(await titlesOf({ query: 'par' })).toEqual(['Parking'])
    expect(await titlesOf({ query: 'ocupant' })).toEqual(['Meeting rooms'])
    expect(await titlesOf({ query: '"meeting hall"' })).toEqual(['Parking'])
  })
})
