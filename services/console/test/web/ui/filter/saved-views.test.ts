import { describe, expect, it } from '@jest/globals'
import {
  addView,
  filtersOf,
  isSameFilter,
  readRememberedViews,
  viewNameProblem,
  viewsPage,
} from '../../../../web/src/ui/filter/saved-views.ts'

const storageOf = (text: string | null) => ({ getItem: () => text })

describe('a saved view', () => {
  it('has the filters of the page without position and open dialogs', () => {
    expect(filtersOf({ status: 'failed', cursor: 'c', create: true, event: undefined })).toEqual({ status: 'failed' })
  })

  it('is the current one whatever the order of the parameters', () => {
    expect(isSameFilter({ status: 'failed', event: 'A' }, { event: 'A', status: 'failed', cursor: 'c' })).toBe(true)
    expect(isSameFilter({ status: 'failed' }, { status: 'failed', event: 'A' })).toBe(false)
  })

  it('belongs to the path of a list within its workspace', () => {
    expect(viewsPage('/ws_01h/audit/')).toBe('/audit')
    expect(viewsPage('/console/ws_02k/audit')).toBe('/audit')
    expect(viewsPage('/ws_02k')).toBe('/')
  })

  it('has a name of its own, and the oldest goes after twenty', () => {
    const views = Array.from({ length: 20 }, (_, index) => ({ name: `view ${index}`, search: {} }))
    expect(
      viewNameProblem(
        ' View 3',
        views.map(({ name }) => name),
      ),
    ).toBe('Another view has this name')
    expect(
      viewNameProblem(
        'view 30',
        views.map(({ name }) => name),
      ),
    ).toBeUndefined()
    expect(addView(views, { name: 'new', search: {} }).map(({ name }) => name)).toEqual([
      ...views.slice(1).map(({ name }) => name),
      'new',
    ])
  })

  it('is left out when it cannot be read', () => {
    expect(readRememberedViews('ws_1', '/audit', storageOf('{'))).toEqual([])
    expect(readRememberedViews('ws_1', '/audit', storageOf(null))).toEqual([])
    const stored = storageOf('[{"name":1,"search":{}},{"name":"a","search":{}}]')
    expect(readRememberedViews('ws_1', '/audit', stored)).toEqual([{ name: 'a', search: {} }])
  })
})
