import { describe, expect, it } from '@jest/globals'
import { actionOf, actionWords } from '../../../web/src/audit/audit-words.ts'

describe('the search of an action', () => {
  const actions = ['api_key.created', 'space.created']

  it('finds every action by the words that the list shows, however they are written', () => {
    expect(actions.map((action) => actionOf(` ${actionWords(action).toUpperCase()} `, actions))).toEqual(actions)
  })

  it('passes on an action itself, and a text that names none', () => {
    expect(actionOf('api_key.created', actions)).toBe('api_key.created')
    expect(actionOf('space', actions)).toBe('space')
  })
})
