import { describe, expect, it } from '@jest/globals'
import { notificationCategories, webhookEvents } from '@wp/contracts'
import { kinds, visibleKinds } from '../../src/catalog/kinds.ts'
import { forReader, notificationText } from '../../src/catalog/notification-text.ts'

describe('the catalogue of notifications', () => {
  it('has an entry for every kind that a subscription can name, except tests', () => {
    const subscribable = Object.keys(webhookEvents).filter((kind) => kind !== 'WEBHOOK_TEST')
    expect(subscribable.filter((kind) => kinds[kind] === undefined)).toEqual([])
  })

  it('uses every category', () => {
    const used = new Set(Object.values(kinds).map(({ category }) => category))
    expect([...used].sort()).toEqual([...notificationCategories].sort())
  })

  it.each(Object.values(webhookEvents).filter(({ kind }) => kind !== 'WEBHOOK_TEST'))(
    'renders the example of $kind as full sentences',
    ({ kind, example }) => {
      const entry = kinds[kind]
      if (entry === undefined) throw new Error('checked above')
      const { title, body } = notificationText(entry, example)
      expect(title).toMatch(/^[A-Z][^.{}]+$/)
      expect(body).toMatch(/^[A-Z][^{}]*[.!?]$/)
    },
  )

  it('shows a caller the kinds whose scope it has', () => {
    expect(visibleKinds(['billing:read'])).toEqual(['INVOICE_ISSUED', 'PLAN_CHANGED', 'USAGE_LIMIT_REACHED'])
  })
})

describe('the text of a notification', () => {
  const entry = {
    category: 'data',
    scope: 'data:read',
    title: 'T',
    body: ['Key “{name}”.', 'It failed: {error.message}.'],
  } as const

  it('leaves out sentences whose fields are missing', () => {
    expect(notificationText(entry, { name: null, error: { message: 'Refused.' } }).body).toBe('It failed: Refused.')
    expect(notificationText(entry, { name: 'a' }).body).toBe('Key “a”.')
  })

  it('keeps texts of users on one line and short', () => {
    expect(notificationText(entry, { name: `a\n\u202eb${'x'.repeat(500)}` }).body).toBe(`Key “a b${'x'.repeat(197)}…”.`)
  })

  it('names a resource by its name, and by its id when the event has no name', () => {
    const named = { ...entry, body: ['Source “{name|id}” failed.'] }
    expect(notificationText(named, { name: 'Badges', id: 'ds_1' }).body).toBe('Source “Badges” failed.')
    expect(notificationText(named, { id: 'ds_1' }).body).toBe('Source “ds_1” failed.')
  })

  it.each([
    [null, '29 Nov 2026, 20:52 UTC, 29 Nov 2026'],
    ['en-US', 'Nov 29, 2026, 8:52 PM UTC, Nov 29, 2026'],
    ['de-DE', '29.11.2026, 20:52 UTC, 29.11.2026'],
    ['th-TH', '29/11/2026, 20:52 UTC, 29/11/2026'],
    ['fa-IR', '2026/11/29, 20:52 UTC, 2026/11/29'],
    ['ar-EG', '29/11/2026, 8:52 PM UTC, 29/11/2026'],
  ])('writes times and dates in one calendar and one way for a reader of %s', (locale, text) => {
    expect(forReader('2026-11-29T20:52:00Z, 2026-11-29', { locale, timezone: null })).toBe(text)
  })

  it('does not read members that the payload inherits', () => {
    expect(notificationText({ ...entry, body: ['{constructor.name}.'] }, {}).body).toBe('')
  })
})
