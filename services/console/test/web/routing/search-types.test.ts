import { expect, it } from '@jest/globals'
import type { SearchOf } from '../../../web/src/router.tsx'

type IsAny<T> = 0 extends 1 & T ? true : false

it('the search parameters of a page have types, also when other pages have tabs', () => {
  // The check of types fails if one is true.
  const untyped: IsAny<SearchOf<'/$workspaceId/data' | '/$workspaceId/agents' | '/$workspaceId/webhooks'>> = false
  const status: SearchOf<'/$workspaceId/webhooks'>['status'] = 'active'
  expect([untyped, status]).toEqual([false, 'active'])
})
