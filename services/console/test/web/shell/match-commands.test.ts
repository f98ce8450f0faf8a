import { describe, expect, it } from '@jest/globals'
import { actions } from '../../../web/src/shell/commands/actions.ts'
import { matchCommands } from '../../../web/src/shell/commands/match-commands.ts'
import { navigationItems } from '../../../web/src/shell/commands/navigation.ts'

const commands = [
  ...navigationItems.map((item) => ({ ...item, group: 'Page' })),
  ...actions.map((action) => ({ ...action, group: 'Action' })),
  { label: 'Harbour House', group: 'Building' },
  { label: 'Badge events, Harbour House', group: 'Data', keywords: 'source file upload' },
]
const find = (text: string): string[] => matchCommands(commands, text).map(({ label }) => label)

describe('matchCommands', () => {
  it('returns everything in its order without a text', () => {
    expect(find('  ')).toEqual(commands.map(({ label }) => label))
  })

  it.each([
    ['rotate', 'Rotate an API key'],
    ['close floor', 'Close a floor'],
    ['badge', 'Badge events, Harbour House'],
    ['webhook', 'Webhooks'],
    ['excel', 'Data'],
    ['audit', 'Audit log'],
    ['wehbook', 'Webhooks'],
    ['recomendations', 'Recommendations'],
    ['forcast', 'Forecasts'],
    ['habrour', 'Harbour House'],
    ['asistant', 'Assistants'],
  ])('finds for “%s” first: %s', (text, label) => {
    expect(find(text)).toContain(label)
    expect(find(text)[0]).toBe(label)
  })

  it('needs every word, and tolerates no error in short ones', () => {
    expect(find('harbour webhook')).toEqual([])
    expect(find('daa')).toEqual([])
    expect(find('xyzzy')).toEqual([])
  })

  it('puts names before other words, and an exact word before a typing error', () => {
    const found = find('floor')
    expect(found[0]).toBe('Close a floor')
    expect(found.indexOf('Buildings')).toBeGreaterThan(0)
  })
})
