import type { Operation } from '../../context.ts'
import { removeDestination } from '../../store/destinations/destinations.ts'

export const deleteDestination: Operation<'deleteDestination'> = ({ database }, caller, { params }) =>
  database.transact(caller, async (tx) => {
    await removeDestination(tx, caller.workspaceId, params.destination_id)
    return { id: params.destination_id }
  })
