import { expect, it } from '@jest/globals'
import { fixtureOf } from './access-fixtures.ts'
import type { AccessSuite } from './access-suite.ts'
import { authenticated, rowsOf } from './endpoint-calls.ts'

const creating = [
  'data.createSource',
  'webhooks.createSubscription',
  'solutions.startForecastRun',
  'solutions.createSpace',
  'solutions.createTeam',
]
const rows = rowsOf(authenticated.filter(({ id }) => creating.includes(id)))

export function describeMetadata(suite: AccessSuite): void {
  it.each(rows)('the list of what %s creates filters by pairs of metadata', async (_, definition) => {
    const { path } = definition
    const body: object = Object(fixtureOf(definition).request?.body)
    for (const metadata of [{ team: 'north', stage: 'a' }, { team: 'north', stage: 'b' }, { team: 'south' }])
      expect(
        (await suite.fleet.request('POST', path, { as: suite.context.owner.principal, body: { ...body, metadata } }))
          .status,
      ).toBeLessThan(300)
    const stages = async (query: string) => {
      const answer = await suite.fleet.request('GET', `${path}?${query}`, { as: suite.context.owner.principal })
      return answer.body.data.map(
        ({ metadata }: { metadata: Record<string, string> }) => metadata.stage ?? metadata.team,
      )
    }
    expect(await stages('metadata[team]=north')).toEqual(['b', 'a'])
    expect(await stages('metadata[team]=north&metadata[stage]=a')).toEqual(['a'])
    expect(await stages('metadata[team]=east')).toEqual([])
    expect(await stages('metadata[team]=north&limit=1')).toEqual(['b'])
  })
}
