import { type InputOf, maxReceivedBytes, type Operation, problem, type webhookReceivers } from '@wp/contracts'
import { enforceQuota, mapPage } from '@wp/database'
import { readBytes } from '@wp/service'
import type { Context } from '../context.ts'
import { receiveRequest } from '../receive-request.ts'
import {
  findReceivedRequests,
  findReceiver,
  findReceivers,
  insertReceiver,
  receiverQuota,
  removeReceiver,
} from '../store/receivers.ts'
import { createReceiverToken } from '../subscriptions/receiver-address.ts'
import { receivedRequestView, receiverView } from '../views.ts'

type Receivers = typeof webhookReceivers

export const listReceivers: Operation<Receivers['listReceivers'], Context> = async (
  { database, now, settings },
  caller,
  { query: page },
) => {
  const options = { ...page, now: new Date(now()) }
  const receivers = await database.read(caller, (db) => findReceivers(db, caller.workspaceId, options))
  return mapPage(receivers, (row) => receiverView(row, settings.publicBaseUrl))
}

export const createReceiver: Operation<Receivers['createReceiver'], Context> = (
  { database, now, settings },
  caller,
) => {
  const row = { workspaceId: caller.workspaceId, token: createReceiverToken(caller.shard), nowMs: now() }
  return database.transact(caller, async (tx) => {
    const created = await insertReceiver(tx, row)
    await enforceQuota(tx.query, caller.workspaceId, receiverQuota)
    return receiverView(created, settings.publicBaseUrl)
  })
}

export const getReceiver: Operation<Receivers['getReceiver'], Context> = async (
  { database, now, settings },
  caller,
  { params: { receiver_id: receiverId } },
) => {
  const row = await database.read(caller, (db) => findReceiver(db, caller.workspaceId, { receiverId }, new Date(now())))
  if (row === null) throw problem('not_found')
  return receiverView(row, settings.publicBaseUrl)
}

export const deleteReceiver: Operation<Receivers['deleteReceiver'], Context> = (
  { database },
  caller,
  { params: { receiver_id: id } },
) =>
  database.transact(caller, async (tx) => {
    if (!(await removeReceiver(tx, caller.workspaceId, id))) throw problem('not_found')
    return { id }
  })

export const listReceivedRequests: Operation<Receivers['listReceivedRequests'], Context> = async (
  { database, now },
  caller,
  { params: { receiver_id: receiverId }, query: page },
) =>
  database.read(caller, async (db) => {
    const receiver = await findReceiver(db, caller.workspaceId, { receiverId }, new Date(now()))
    if (receiver === null) throw problem('not_found')
    return mapPage(await findReceivedRequests(db, receiver, page), receivedRequestView)
  })

const tooLarge = `A test receiver accepts bodies of at most ${maxReceivedBytes} bytes`

/** Accepts a request from outside. Deliveries of the platform do not pass here: they are stored directly. */
export const receive: Operation<Receivers['receive'], Context> = async (context, _caller, input) => {
  const body = await readBytes(input.body, maxReceivedBytes, tooLarge)
  const outcome = await receiveRequest(context, { token: input.query.token, headers: givenHeaders(input), body })
  if (outcome === 'unknown')
    throw problem('not_found', { detail: 'There is no test receiver at this address, or it has expired' })
  if (outcome === 'limited') throw problem('rate_limited', { detail: 'A test receiver accepts 120 requests a minute' })
  if (outcome === 'too_large') throw problem('payload_too_large', { detail: tooLarge })
  return { received: true }
}

const givenHeaders = ({ headers }: Pick<InputOf<Receivers['receive']>, 'headers'>): Record<string, string> =>
  Object.fromEntries(Object.entries(headers).filter((entry): entry is [string, string] => entry[1] !== undefined))
