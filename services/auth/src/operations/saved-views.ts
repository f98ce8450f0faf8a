import { type SavedView, validationProblem } from '@wp/contracts'
import type { z } from 'zod'
import type { Operation } from '../context.ts'
import { findSavedViews, storeSavedViews } from '../store/workspaces/saved-views.ts'

/** More lists than the console has. */
const maxPages = 100

/** Returns the views that the signed-in user has saved of a list. */
export const getSavedViews: Operation<'getSavedViews'> = async ({ database }, caller, { query: { page } }) => {
  const { principal, workspaceId } = caller
  const views = await database.read(caller, (_db, query) =>
    findSavedViews<z.output<typeof SavedView>>(query, workspaceId, { userId: principal.id, page }),
  )
  return { page, views }
}

/** Replaces the views that the signed-in user has saved of a list. */
export const replaceSavedViews: Operation<'replaceSavedViews'> = async ({ database }, caller, { body }) =>
  await database.transact(caller, async (tx) => {
    if (await storeSavedViews(tx, { userId: caller.principal.id, ...body }, maxPages)) return body
    throw validationProblem([{ pointer: '/page', detail: `views of at most ${maxPages} lists can be saved` }])
  })
