import { problem, scimErrorSchema } from '@wp/contracts'
import type { Operation } from '../../context.ts'
import { resourceTypes, schemas, serviceProviderConfig } from '../../scim/discovery.ts'
import { listResult, scimResult } from '../../scim/resources.ts'

export const getScimConfig: Operation<'getScimConfig'> = async ({ publicBaseUrl }) =>
  scimResult(200, serviceProviderConfig(publicBaseUrl))

export const listScimResourceTypes: Operation<'listScimResourceTypes'> = async ({ publicBaseUrl }) =>
  all(resourceTypes(publicBaseUrl))

export const getScimResourceType: Operation<'getScimResourceType'> = async ({ publicBaseUrl }, _caller, { params }) =>
  one(resourceTypes(publicBaseUrl), params.name)

export const listScimSchemas: Operation<'listScimSchemas'> = async ({ publicBaseUrl }) => all(schemas(publicBaseUrl))

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
