import { z } from 'zod'
import { id } from '../../core/shape/id.ts'

const schemas = z.array(z.string()).meta({ description: 'URNs of the schemas of this body (RFC 7643 section 3)' })

const meta = z
  .object({
    resourceType: z.string().meta({ description: 'Kind of the resource' }),
    created: z.string().meta({ description: 'Time of creation' }),
    lastModified: z.string().meta({ description: 'Time of the last change' }),
    location: z.string().meta({ description: 'Address of the resource' }),
    version: z.string().meta({ description: 'Entity tag of the resource, as in `ETag`' }),
  })
  .meta({ description: 'Common attributes of the resource (RFC 7643 section 3.1)' })

/** A user as RFC 7643 section 4.1 describes it, with the attributes that are kept. */
export const ScimUser = z
  .object({
    schemas,
    id: id('scu'),
    externalId: z.string().optional().meta({ description: 'Identifier of the user in the directory' }),
    userName: z.string().meta({ description: 'Sign-in name in the directory, unique in the workspace' }),
    name: z
      .object({
        formatted: z.string().optional().meta({ description: 'The whole name' }),
        familyName: z.string().optional().meta({ description: 'Last name' }),
        givenName: z.string().optional().meta({ description: 'First name' }),
      })
      .optional()
      .meta({ description: 'Parts of the name' }),
    displayName: z.string().optional().meta({ description: 'Name for people' }),
    title: z.string().optional().meta({ description: 'Job title' }),
    preferredLanguage: z
      .string()
      .optional()
      .meta({ description: 'Language that the user prefers, as in `Accept-Language`' }),
    locale: z.string().optional().meta({ description: 'Language tag for formats of dates and numbers' }),
    timezone: z.string().optional().meta({ description: 'IANA time zone' }),
    active: z.boolean().meta({ description: 'False removes the member from the workspace' }),
    emails: z
      .array(
        z.object({
          value: z.string().meta({ description: 'Mail address' }),
          type: z.string().optional().meta({ description: 'Kind of the address, such as `work`' }),
          primary: z.boolean().optional().meta({ description: 'True for the address by which the account is found' }),
        }),
      )
      .optional()
      .meta({ description: 'Mail addresses' }),
    groups: z
      .array(z.object({ value: id('scg'), display: z.string().meta({ description: 'Name of the group' }) }))
      .optional()
      .meta({ description: 'Groups of the user, which are changed at the group' }),
    meta,
  })
  .meta({ id: 'ScimUser' })

/** A group as RFC 7643 section 4.2 describes it. Its members are users. */
export const ScimGroup = z
  .object({
    schemas,
    id: id('scg'),
    externalId: z.string().optional().meta({ description: 'Identifier of the group in the directory' }),
    displayName: z.string().meta({ description: 'Name of the group, by which roles are mapped' }),
    members: z
      .array(
        z.object({
          value: id('scu'),
          display: z.string().meta({ description: 'Name of the user' }),
          type: z.literal('User').meta({ description: 'Only users can be members' }),
        }),
      )
      .optional()
      .meta({ description: 'Users of the group; absent if the request leaves them out' }),
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
    totalResults: z.number().int().meta({ description: 'Number of all results' }),
    startIndex: z.number().int().meta({ description: 'Position of the first result of this page, from 1' }),
    itemsPerPage: z.number().int().meta({ description: 'Number of results on this page' }),
    Resources: z.array(resource).meta({ description: 'The results of this page' }),
  })
}

/** The body of PATCH (RFC 7644 section 3.5.2), as documented; the operation reads it leniently. */
export const ScimPatch = z
  .object({
    schemas,
    Operations: z
      .array(
        z.object({
          op: z.enum(['add', 'replace', 'remove']).meta({ description: 'What to do at the path' }),
          path: z
            .string()
            .optional()
            .meta({ description: 'Attribute to change, with a filter if need be; default: the resource' }),
          value: z.unknown().meta({ description: 'The new value; its members if there is no path' }),
        }),
      )
      .meta({ description: 'Changes that are made in order, all or none' }),
  })
  .meta({ id: 'ScimPatch' })

export const NewScimUser = z
  .looseObject({
    schemas,
    userName: z.string().meta({ description: 'Sign-in name in the directory, unique in the workspace' }),
    externalId: z.string().optional().meta({ description: 'Identifier of the user in the directory' }),
    displayName: z.string().optional().meta({ description: 'Name for people' }),
    active: z.boolean().optional().meta({ description: 'False removes the member from the workspace; default: true' }),
    emails: z
      .array(z.looseObject({ value: z.string().meta({ description: 'Mail address' }) }))
      .optional()
      .meta({ description: 'Mail addresses; the primary one finds the account' }),
  })
  .meta({ id: 'NewScimUser' })

export const NewScimGroup = z
  .looseObject({
    schemas,
    displayName: z.string().meta({ description: 'Name of the group, by which roles are mapped' }),
    externalId: z.string().optional().meta({ description: 'Identifier of the group in the directory' }),
    members: z
      .array(z.looseObject({ value: id('scu') }))
      .optional()
      .meta({ description: 'Users of the group' }),
  })
  .meta({ id: 'NewScimGroup' })
