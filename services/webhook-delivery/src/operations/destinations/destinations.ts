import { mapPage } from '@wp/database'
import type { Operation } from '../../context.ts'
import { destinationView } from '../../destinations/view.ts'
import { findDestination, findDestinations, removeDestination } from '../../store/destinations/destinations.ts'

export const getDestination: Operation<'getDestination'> = async ({ database, now }, { workspaceId }, { params }) => {
  const row = await database.read({ workspaceId }, (db) => findDestination(db, workspaceId, params.destination_id))
  return destinationView(row, now())
}

export const listDestinations: Operation<'listDestinations'> = async (
  { database, now },
  { workspaceId },
  { query },
) => {
  const page = await database.read({ workspaceId }, (db) => findDestinations(db, workspaceId, query))
  return mapPage(page, (row) => destinationView(row, now()))
}

export const deleteDestination: Operation<'deleteDestination'> = ({ database }, caller, { params }) =>
  database.transact(caller, async (tx) => {
    await removeDestination(tx, caller.workspaceId, params.destination_id)
    return { id: params.destination_id }
  })
