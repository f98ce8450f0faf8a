import { describe, expect, it } from '@jest/globals'
import { isMuted, planDelivery } from '../../src/settings/plan-delivery.ts'
import { applySettings, defaultSettings, type StoredSettings, userSettings } from '../../src/settings/settings.ts'
import { mergeSettings } from '../../src/settings/stored-settings.ts'

const now = Date.parse('2026-01-05T22:30:00Z')
const morning = Date.parse('2026-01-06T07:00:00Z')
const digestTime = Date.parse('2026-01-06T08:00:00Z')
const quiet = { start: '22:00', end: '07:00', timezone: 'UTC' }
const daily = { frequency: 'daily', at: '08:00', timezone: 'UTC' } as const
const slack = { integration_id: 'int_01h455vb4pex5vsknk084sn02q', channel: '#ops' }
const data = { category: 'data' } as const
const dataByMail = { data: { email: true } }
const mutedData = { data: { in_app: false, email: false, slack: false } }

const plan = (stored: StoredSettings, kind: Parameters<typeof planDelivery>[0]['kind'] = data, hasEmail = true) =>
  planDelivery({ kind, settings: applySettings(defaultSettings, stored), now, timezone: 'UTC', hasEmail })

describe('a notification', () => {
  it.each([
    ['is in the app only, by default', {}, { isInApp: true }],
    [
      'is mailed where the category says so',
      { categories: dataByMail },
      { isInApp: true, email: { at: now, isDigest: false } },
    ],
    ['is posted to Slack where there is a channel', { slack }, { isInApp: true, slack: { at: now } }],
    [
      'is not posted when Slack is off for the category',
      { slack, categories: { data: { slack: false } } },
      { isInApp: true },
    ],
    ['is nowhere when the category is muted', { slack, categories: mutedData }, { isInApp: false }],
    [
      'waits for the end of quiet hours, except in the app',
      { slack, categories: dataByMail, quiet_hours: quiet },
      { isInApp: true, email: { at: morning, isDigest: false }, slack: { at: morning } },
    ],
    [
      'is collected in a digest, by mail only',
      { slack, categories: dataByMail, digest: daily },
      { isInApp: true, email: { at: digestTime, isDigest: true }, slack: { at: now } },
    ],
    [
      'is in the digest at its time, whatever the quiet hours',
      { categories: dataByMail, digest: { ...daily, at: '06:00' }, quiet_hours: quiet },
      { isInApp: true, email: { at: Date.parse('2026-01-06T06:00:00Z'), isDigest: true } },
    ],
  ] satisfies [string, StoredSettings, ReturnType<typeof plan>][])('%s', (_rule, stored, expected) => {
    expect(plan(stored)).toEqual(expected)
  })

  it('goes through every channel at once when it is critical', () => {
    const stored = { slack, categories: mutedData, quiet_hours: quiet, digest: daily }
    const expected = { isInApp: true, email: { at: now, isDigest: false }, slack: { at: now } }
    expect(plan(stored, { category: 'data', isCritical: true })).toEqual(expected)
  })

  it('is not mailed to a workspace', () => {
    expect(plan({ categories: dataByMail }, data, false)).toEqual({ isInApp: true })
    expect(plan({}, { category: 'data', isCritical: true }, false)).toEqual({ isInApp: true })
  })

  it('is muted when no channel carries it', () => {
    expect([isMuted(plan({ categories: mutedData })), isMuted(plan({}))]).toEqual([true, false])
  })
})

describe('the settings of a user', () => {
  it('follow the workspace, value by value', () => {
    const ofWorkspace: StoredSettings = { categories: { data: { email: true, in_app: false } }, quiet_hours: quiet }
    const { categories, quiet_hours } = userSettings(ofWorkspace, { categories: { data: { in_app: true } } })
    expect([categories.data, quiet_hours]).toEqual([{ in_app: true, email: true, slack: true }, quiet])
    expect(userSettings(ofWorkspace, { quiet_hours: null }).quiet_hours).toBeNull()
  })

  it('do not inherit the Slack channel, to which the workspace posts once', () => {
    expect(userSettings({ slack }, undefined).slack).toBeNull()
    expect(userSettings({ slack }, { slack }).slack).toEqual(slack)
  })
})

describe('a change of settings', () => {
  it('keeps what it does not name', () => {
    const stored: StoredSettings = { categories: { data: { email: true } }, digest: daily }
    expect(mergeSettings(stored, { categories: { data: { in_app: false }, audit: { email: true } } })).toEqual({
      categories: { data: { email: true, in_app: false }, audit: { email: true } },
      digest: daily,
    })
  })

  it('removes a value by null, except where null means none', () => {
    const stored: StoredSettings = { categories: { data: { email: true } }, digest: daily, quiet_hours: quiet, slack }
    const change = { categories: { data: { email: null } }, digest: null, quiet_hours: null, slack: null }
    expect(mergeSettings(stored, change)).toEqual({ categories: { data: {} }, quiet_hours: null, slack: null })
  })

  it('replaces a digest as a whole', () => {
    const digest = { ...daily, timezone: null }
    expect(mergeSettings({ digest: daily }, { digest })).toEqual({ categories: {}, digest })
  })
})
