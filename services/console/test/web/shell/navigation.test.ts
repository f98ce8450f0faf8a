import { describe, expect, it } from '@jest/globals'
import { isInSettings, itemOfPath, navigationItems } from '../../../web/src/shell/commands/navigation.ts'

describe('the navigation', () => {
  it.each([
    ['', 'Home'],
    ['developer/keys/key_1', 'Keys'],
    ['developer/requests', 'Request log'],
    ['members', 'Members'],
    ['members/roles/rol_1', 'Roles'],
    ['settings/deletion', 'Workspace'],
    ['settings/sessions', 'Sign-in and sessions'],
    ['usage/invoices', 'Billing and usage'],
    ['notifications', 'Notifications'],
    ['search', undefined],
  ])('marks for “%s” the item %s', (path, label) => {
    expect(itemOfPath(path)?.label).toBe(label)
  })

  it('knows the pages of settings, to which the feed of notifications does not belong', () => {
    expect(['settings', 'members/roles', 'audit/verify', 'health', 'notifications/settings'].map(isInSettings)).toEqual(
      Array(5).fill(true),
    )
    expect(['', 'notifications', 'data', 'membership'].map(isInSettings)).toEqual(Array(4).fill(false))
  })

  it('has no key for two pages', () => {
    const keys = navigationItems.flatMap(({ shortcut }) => shortcut ?? [])
    expect(new Set(keys).size).toBe(keys.length)
  })
})
