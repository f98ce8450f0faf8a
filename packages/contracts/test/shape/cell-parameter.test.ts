import { describe, expect, it } from '@jest/globals'
import { endpoints, isGlobal } from '../../src/index.ts'
import { idsOf } from '../fixture/endpoints.ts'

describe('the parameter that names the cell', () => {
  const naming = endpoints.filter(({ definition }) => definition.cellParameter !== undefined)

  it('is a query parameter of an endpoint without credentials, whose service runs in every cell', () => {
    for (const { service, definition } of naming) {
      expect(definition.credentials).toBe('none')
      expect(Object.keys(definition.query?.shape ?? {})).toContain(definition.cellParameter)
      expect(isGlobal(service)).toBe(false)
    }
    expect(idsOf(naming.map(({ definition }) => definition))).toEqual([
      'webhooks.receive',
      'notifications.showUnsubscribe',
      'notifications.unsubscribe',
    ])
  })
})
