import { type HttpResult, scimMediaType, scimPath } from '@wp/contracts'
import type { ScimGroupRow } from '../store/directory/scim-groups.ts'
import type { ScimUserRow } from '../store/directory/scim-users.ts'
import { type ProjectionQuery, project } from './projection.ts'

export const userSchema = 'urn:ietf:params:scim:schemas:core:2.0:User'
export const groupSchema = 'urn:ietf:params:scim:schemas:core:2.0:Group'

interface Versioned {
  version: number
  createdAt: Date
  updatedAt: Date
}

const metaOf = (
  base: string,
  resourceType: 'User' | 'Group',
  id: string,
  { version, createdAt, updatedAt }: Versioned,
) => ({
  resourceType,
  created: createdAt.toISOString(),
  lastModified: updatedAt.toISOString(),
  location: `${base}${scimPath}/${resourceType}s/${id}`,
  version: entityTagOf({ version }),
})

/** Returns the entity tag of a resource. */
export const entityTagOf = ({ version }: Pick<Versioned, 'version'>): string => `"${version}"`

/** Returns a user as RFC 7643 section 4.1 describes it. */
export const userResource = (base: string, row: ScimUserRow) => ({
  schemas: [userSchema],
  id: row.scimUserId,
  ...(row.externalId === null ? {} : { externalId: row.externalId }),
  userName: row.userName,
  ...row.attributes,
  active: row.active,
  ...(row.groups === null ? {} : { groups: row.groups }),
  meta: metaOf(base, 'User', row.scimUserId, row),
})

/** Returns a group as RFC 7643 section 4.2 describes it. */
export const groupResource = (base: string, row: ScimGroupRow) => ({
  schemas: [groupSchema],
  id: row.scimGroupId,
  ...(row.externalId === null ? {} : { externalId: row.externalId }),
  displayName: row.displayName,
  ...(row.members === undefined
    ? {}
    : { members: (row.members ?? []).map((member) => ({ ...member, type: 'User' as const })) }),
  meta: metaOf(base, 'Group', row.scimGroupId, row),
})

/** Builds a response of SCIM. */
export const scimResult = (
  status: number,
  body: object | undefined,
  headers: HttpResult['headers'] = {},
): HttpResult => ({
  status,
  headers: { ...(body === undefined ? {} : { 'content-type': scimMediaType }), ...headers },
  body: body === undefined ? '' : JSON.stringify(body),
})

/** Builds the response with one resource, or the attributes of it that a request selects. */
export const resourceResult = (
  status: 200 | 201,
  resource: ReturnType<typeof userResource> | ReturnType<typeof groupResource>,
  query: ProjectionQuery = {},
): HttpResult =>
  scimResult(status, project(resource, query), {
    etag: resource.meta.version,
    ...(status === 201 ? { location: resource.meta.location } : {}),
  })

/** Builds a page of a list (RFC 7644 section 3.4.2). */
export const listResult = (
  resources: readonly object[],
  { total, startIndex }: { total: number; startIndex: number },
) =>
  scimResult(200, {
    schemas: ['urn:ietf:params:scim:api:messages:2.0:ListResponse'],
    totalResults: total,
    startIndex,
    itemsPerPage: resources.length,
    Resources: resources,
  })

/** A page that a request selects. */
export interface ScimPage {
  /** From 1. */
  startIndex: number
  count: number
}

const [defaultCount, maxCount] = [100, 200]

/** Reads the page of a request; out of range, the numbers have the meanings of RFC 7644 section 3.4.2.4. */
export function readPage({
  startIndex,
  count,
}: {
  startIndex?: string | undefined
  count?: string | undefined
}): ScimPage {
  return {
    startIndex: clamp(startIndex, 1, 1, 1_000_000_000),
    count: clamp(count, defaultCount, 0, maxCount),
  }
}

function clamp(text: string | undefined, otherwise: number, min: number, max: number): number {
  const number = Number.parseInt(text ?? '', 10)
  return Number.isNaN(number) ? otherwise : Math.min(Math.max(number, min), max)
}
