import { describe, expect, it } from '@jest/globals'
import { publicEndpoints, timeInput, validateInput } from '../../src/index.ts'

describe('timeInput', () => {
  it.each([
    ['2026-01-05T09:30:00.000Z', '2026-01-05T09:30:00.000Z'],
    ['2026-01-05T09:30:00Z', '2026-01-05T09:30:00.000Z'],
    ['2026-01-05t09:30:00z', '2026-01-05T09:30:00.000Z'],
    ['2026-01-05T09:30:00.5z', '2026-01-05T09:30:00.500Z'],
    ['2026-01-05T09:30:00.123456789Z', '2026-01-05T09:30:00.123Z'],
    ['2026-01-05T00:30:00+01:00', '2026-01-04T23:30:00.000Z'],
    ['2026-01-05T09:30:00-05:30', '2026-01-05T15:00:00.000Z'],
    ['2026-01-05T09:30:00-00:00', '2026-01-05T09:30:00.000Z'],
    ['2016-12-31T23:59:60Z', '2017-01-01T00:00:00.000Z'],
    ['2017-01-01T00:59:60.5+01:00', '2017-01-01T00:00:00.000Z'],
    ['0001-01-01T00:00:00Z', '0001-01-01T00:00:00.000Z'],
    ['9999-12-31T23:59:59.999Z', '9999-12-31T23:59:59.999Z'],
  ])('reads %s', (text, time) => {
    expect(timeInput().parse(text)).toBe(time)
  })

  it.each([
    ['2026-01-05', 'not a date without a time'],
    ['2026-01-05T09:30:00', 'with Z or an offset'],
    ['2026-01-05T09:30:00 01:00', 'in a URL, write + as %2B'],
    ['2026-02-30T00:00:00Z', 'is a time that does not exist'],
    ['2026-01-05T24:00:00Z', 'is a time that does not exist'],
    ['2026-01-05T09:60:00Z', 'is a time that does not exist'],
    ['2026-01-05T09:30:60Z', 'is a time that does not exist'],
    ['2026-01-05T09:30:00+24:00', 'is a time that does not exist'],
    ['0000-01-01T00:00:00Z', 'is a time that does not exist'],
    ['0001-01-01T00:00:00+01:00', 'is a time that does not exist'],
    ['9999-12-31T23:30:00-01:00', 'is a time that does not exist'],
    ['yesterday', 'must be an RFC 3339 time such as 2026-01-05T09:30:00Z or 2026-01-05T10:30:00+01:00'],
    ['1767605400', 'must be an RFC 3339 time'],
  ])('rejects %s and says why', (text, reason) => {
    const result = validateInput(timeInput(), text)
    expect(result).toMatchObject({ success: false, errors: [{ detail: expect.stringContaining(reason) }] })
  })
})

describe('every input that is a time', () => {
  const timeNames = /^(since|until|from|to|.*_at)$/
  const timeShape = { at: timeInput() }
  const timeInputs = publicEndpoints.flatMap(({ definition }) =>
    [definition.query, definition.body].flatMap((schema) =>
      schema !== undefined && 'shape' in schema
        ? Object.entries(schema.shape as typeof timeShape).map(([name, field]) => ({ id: definition.id, name, field }))
        : [],
    ),
  )

  it('accepts a time with an offset and without a fraction', () => {
    const named = timeInputs.filter(({ name }) => timeNames.test(name))
    expect(named.length).toBeGreaterThanOrEqual(7)
    const rejecting = named.filter(({ field }) => !field.safeParse('2026-01-05T10:30:00+01:00').success)
    expect(rejecting.map(({ id, name }) => `${id} ${name}`)).toEqual([
      // Local days of each space, in whatever time zone it is.
      ...['solutions.getUtilization since', 'solutions.getUtilization until'],
      ...['solutions.getUtilizationContent since', 'solutions.getUtilizationContent until'],
      ...['solutions.listNoShows since', 'solutions.listNoShows until'],
      ...['solutions.listPlans since', 'solutions.listPlans until'],
    ])
  })

  it('rejects an end that is not after the start', () => {
    const range = { since: '2026-01-05T10:00:00Z', until: '2026-01-05T11:00:00+01:00' }
    const ids = timeInputs.filter(({ name }) => name === 'until').map(({ id }) => id)
    const accepting = publicEndpoints.filter(
      ({ definition: { id, query, body } }) =>
        ids.includes(id) && [query, body].some((schema) => schema?.safeParse(range).success),
    )
    // Its bounds have defaults, and so a check of their own.
    expect(accepting.map(({ definition }) => definition.id)).toEqual(['webhooks.getStatistics'])
  })

  it('is named since or until where it is a bound of a range', () => {
    const isTime = (field: typeof timeShape.at) => field.safeParse('2026-01-05T10:30:00Z').success
    const bounds = timeInputs.filter(
      ({ name, field }) => /^(from|to|after|before|start|end)$/.test(name) && isTime(field),
    )
    expect(bounds.map(({ id, name }) => `${id} ${name}`)).toEqual([
      // Deprecated.
      ...['audit.listLogs from', 'audit.listLogs to'],
      // Members of the resource, not parameters of a list.
      ...['audit.startDoc from', 'audit.startDoc to'],
      // Deprecated; the specification names them.
      ...['billing.getUsage from', 'billing.getUsage to'],
    ])
  })
})
