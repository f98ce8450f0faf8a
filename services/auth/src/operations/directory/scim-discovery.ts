import { type authScim, type Operation, scimErrorSchema } from '@wp/contracts'
import type { Context } from '../../context.ts'
import { resourceTypes, schemas, serviceProviderConfig } from '../../scim/discovery.ts'
import { listResult, scimResult } from '../../scim/resources.ts'

/** Returns what the SCIM service supports. */
export const getScimConfig: Operation<typeof authScim.getScimConfig, Context> = async ({ publicBaseUrl }) =>
  scimResult(200, serviceProviderConfig(publicBaseUrl))

/** Lists the resource types. */
export const listScimResourceTypes: Operation<typeof authScim.listScimResourceTypes, Context> = async ({
  publicBaseUrl,
}) => all(resourceTypes(publicBaseUrl))

/** Lists the schemas. */
export const listScimSchemas: Operation<typeof authScim.listScimSchemas, Context> = async ({ publicBaseUrl }) =>
  all(schemas(publicBaseUrl))

const all = (resources: readonly object[]) => listResult(resources, { total: resources.length, startIndex: 1 })

/** Refuses a bulk request (RFC 7644 section 3.12: 501). */
export const sendScimBulk: Operation<typeof authScim.sendScimBulk, Context> = async () =>
  scimResult(501, {
    schemas: [scimErrorSchema],
    status: '501',
    detail: 'Bulk requests are not supported; send the operations one by one',
  })
