import { z } from 'zod'
import { id } from '../../core/shape/id.ts'

const schemas = z.array(z.string())

const meta = z.object({
  resourceType: z.string(),
  created: z.string(),
  lastModified: z.string(),
  location: z.string(),
  version: z.string(),
})

/** A user as RFC 7643 section 4.1 describes it, with the attributes that are kept. */
export const ScimUser = z
  .object({
    schemas,
    id: id('scu'),
    externalId: z.string().optional(),
    userName: z.string(),
    name: z
      .object({
        formatted: z.string().optional(),
        familyName: z.string().optional(),
        givenName: z.string().optional(),
      })
      .optional(),
    displayName: z.string().optional(),
    title: z.string().optional(),
    preferredLanguage: z.string().optional(),
    locale: z.string().optional(),
    timezone: z.string().optional(),
    active: z.boolean(),
    emails: z
      .array(z.object({ value: z.string(), type: z.string().optional(), primary: z.boolean().optional() }))
      .optional(),
    groups: z.array(z.object({ value: id('scg'), display: z.string() })).optional(),
    meta,
  })
  .meta({ id: 'ScimUser' })

/** A group as RFC 7643 section 4.2 describes it. Its members are users. */
export const ScimGroup = z
  .object({
    schemas,
    id: id('scg'),
    externalId: z.string().optional(),
    displayName: z.string(),
    members: z.array(z.object({ value: id('scu'), display: z.string(), type: z.literal('User') })).optional(),
    meta,
  })
  .meta({ id: 'ScimGroup' })

export const ScimUserList = listOf(ScimUser).meta({ id: 'ScimUserList' })
export const ScimGroupList = listOf(ScimGroup).meta({ id: 'ScimGroupList' })
export const ScimResource = z.record(z.string(), z.unknown())
export const ScimResourceList = listOf(ScimResource).meta({ id: 'ScimResourceList' })

function listOf<Resource extends z.ZodType>(resource: Resource) {
  return z.object({
    schemas,
    totalResults: z.number().int(),
    startIndex: z.number().int(),
    itemsPerPage: z.number().int(),
    Resources: z.array(resource),
  })
}

/** The body of PATCH (RFC 7644 section 3.5.2), as documented; the operation reads it leniently. */
export const ScimPatch = z
  .object({
    schemas,
    Operations: z.array(
      z.object({ op: z.enum(['add', 'replace', 'remove']), path: z.string().optional(), value: z.unknown() }),
    ),
  })
  .meta({ id: 'ScimPatch' })

export const NewScimUser = z
  .looseObject({
    schemas,
    userName: z.string(),
    externalId: z.string().optional(),
    displayName: z.string().optional(),
    active: z.boolean().optional(),
    emails: z.array(z.looseObject({ value: z.string() })).optional(),
  })
  .meta({ id: 'NewScimUser' })

export const NewScimGroup = z
  .looseObject({
    schemas,
    displayName: z.string(),
    externalId: z.string().optional(),
    members: z.array(z.looseObject({ value: id('scu') })).optional(),
  })
  .meta({ id: 'NewScimGroup' })
