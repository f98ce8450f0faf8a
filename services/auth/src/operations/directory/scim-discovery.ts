import { problem, scimErrorSchema } from '@wp/contracts'
import type { Operation } from '../../context.ts'
import { resourceTypes, schemas, serviceProviderConfig } from '../../scim/discovery.ts'
import { listResult, scimResult } from '../../scim/resources.ts'

/** Returns what the SCIM service supports. */
export const getScimConfig: Operation<'getScimConfig'> = async ({ publicBaseUrl }) =>
  scimResult(200, serviceProviderConfig(publicBaseUrl))

/** Lists the resource types. */
export const listScimResourceTypes: Operation<'listScimResourceTypes'> = async ({ publicBaseUrl }) =>
  all(resourceTypes(publicBaseUrl))

/** Returns a resource type. */
export const getScimResourceType: Operation<'getScimResourceType'> = async ({ publicBaseUrl }, _caller, { params }) =>
  one(resourceTypes(publicBaseUrl), params.name)

/** Lists the schemas. */
export const listScimSchemas: Operation<'listScimSchemas'> = async ({ publicBaseUrl }) => all(schemas(publicBaseUrl))

/** Returns a schema. */
export const getScimSchema: Operation<'getScimSchema'> = async ({ publicBaseUrl }, _caller, { params }) =>
  one(schemas(publicBaseUrl), params.urn)

function one(resources: readonly { id: string }[], id: string) {
  const found = resources.find((resource) => resource.id === id)
  if (found === undefined) throw problem('not_found')
  return scimResult(200, found)
}

const all = (resources: readonly object[]) => listResult(resources, { total: resources.length, startIndex: 1 })

/** Refuses a bulk request (RFC 7644 section 3.12: 501). */
export const sendScimBulk: Operation<'sendScimBulk'> = async () =>
  scimResult(501, {
    schemas: [scimErrorSchema],
    status: '501',
    detail: 'Bulk requests are not supported; send the operations one by one',
  })
