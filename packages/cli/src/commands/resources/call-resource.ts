import type { Client } from '@wp/client'
import { connect } from '../../connection.ts'
import { type Context, report } from '../../context.ts'
import endpointTable from '../../endpoint-table.json' with { type: 'json' }
import type { Cell } from '../../output/columns.ts'
import type { ListFlags, OutputFlags } from '../../output/flags.ts'
import { collectPages, printItem, printList } from '../../output/print.ts'
import { readJson } from '../api/call-api.ts'

type Resource = Record<string, unknown>
interface BodyFlags extends OutputFlags {
  data: string | undefined
}

/** Returns the command that lists the resources of an endpoint. */
export const listResources = (endpointId: string) =>
  async function (this: Context, flags: ListFlags): Promise<void> {
    const { client } = await connect(this, flags)
    const list = methodOf<{ items: Resource[]; nextCursor: string | null }>(client, endpointId)
    const items = await collectPages(flags.limit, (query) => list({ query }))
    await printList(this, flags, items, columnsOf(items[0] ?? {}, maxColumns))
  }

/** Returns the command that calls an endpoint without an id in its path. */
export const createResource = (endpointId: string) =>
  async function (this: Context, flags: BodyFlags): Promise<void> {
    await call(this, endpointId, flags, {})
  }

/** Returns the command that calls an endpoint with an id in its path. */
export const callResource = (endpointId: string) =>
  async function (this: Context, flags: BodyFlags, id: string): Promise<void> {
    const path = endpointTable.find((entry) => entry.id === endpointId)?.path ?? ''
    const [, name = 'id'] = /\{(\w+)\}/.exec(path) ?? []
    await call(this, endpointId, flags, { params: { [name]: id } })
  }

async function call(context: Context, endpointId: string, flags: BodyFlags, input: object): Promise<void> {
  const body = flags.data === undefined ? {} : { body: await readJson(context, flags.data) }
  const { client } = await connect(context, flags)
  const result = await methodOf<Resource>(client, endpointId)({ ...input, ...body })
  const kind = endpointTable.find((entry) => entry.id === endpointId)?.result.kind
  if (kind === 'deleted') return report(context, `Deleted ${String(result.id)}.`)
  // An endpoint with several success statuses returns the status beside the resource.
  const resource = kind === 'data-with-status' ? (result.data as Resource) : result
  await printItem(context, flags, resource, columnsOf(resource))
}

function methodOf<Result>(client: Client, endpointId: string): (input: object) => Promise<Result> {
  const [surface = '', name = ''] = endpointId.split('.')
  const surfaces = client as unknown as Record<string, Record<string, (input: object) => Promise<Result>>> // its methods
  const method = surfaces[surface]?.[name]
  if (method === undefined) throw new Error(`the client has no method ${endpointId}`)
  return method
}

const maxColumns = 7

/** The fields with a plain value, those of a table up to a number; the JSON has all. */
const columnsOf = (first: Resource, limit?: number) =>
  Object.keys(first)
    .filter((name) => limit === undefined || typeof first[name] !== 'object' || first[name] === null)
    .slice(0, limit)
    .map((name) => ({ title: name.replaceAll('_', ' '), value: (item: Resource) => cellOf(item[name]) }))

function cellOf(value: unknown): Cell {
  if (typeof value === 'string') return /^\d{4}-\d\d-\d\dT[\d:.]+Z$/.test(value) ? { time: value } : value
  if (typeof value === 'number' || typeof value === 'boolean') return value
  return value === null || value === undefined ? null : JSON.stringify(value)
}
