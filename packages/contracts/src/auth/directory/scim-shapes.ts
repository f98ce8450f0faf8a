import { z } from 'zod'
import { id } from '../../core/shape/id.ts'

const schemas = z.array(z.string()).describe('URNs of the schemas of this body (RFC 7643 section 3)')

const meta = z
  .object({
    resourceType: z.string().describe('Kind of the resource'),
    created: z.string().describe('Time of creation'),
    lastModified: z.string().describe('Time of the last change'),
    location: z.string().describe('Address of the resource'),
    version: z.string().describe('Entity tag of the resource, as in `ETag`'),
  })
  .describe('Common attributes of the resource (RFC 7643 section 3.1)')

/** A user as RFC 7643 section 4.1 describes it, with the attributes that are kept. */
export const ScimUser = z
  .object({
    schemas,
    id: id('scu'),
    externalId: z.string().optional().describe('Identifier of the user in the directory'),
    userName: z.string().describe('Sign-in name in the directory, unique in the workspace'),
    name: z
      .object({
        formatted: z.string().optional().describe('The whole name'),
        familyName: z.string().optional().describe('Last name'),
        givenName: z.string().optional().describe('First name'),
      })
      .optional()
      .describe('Parts of the name'),
    displayName: z.string().optional().describe('Name for people'),
    title: z.string().optional().describe('Job title'),
    preferredLanguage: z.string().optional().describe('Language that the user prefers, as in `Accept-Language`'),
    locale: z.string().optional().describe('Language tag for formats of dates and numbers'),
    timezone: z.string().optional().describe('IANA time zone'),
    active: z.boolean().describe('False removes the member from the workspace'),
    emails: z
      .array(
        z.object({
          value: z.string().describe('Mail address'),
          type: z.string().optional().describe('Kind of the address, such as `work`'),
          primary: z.boolean().optional().describe('True for the address by which the account is found'),
        }),
      )
      .optional()
      .describe('Mail addresses'),
    groups: z
      .array(z.object({ value: id('scg'), display: z.string().describe('Name of the group') }))
      .optional()
      .describe('Groups of the user, which are changed at the group'),
    meta,
  })
  .meta({ id: 'ScimUser' })

/** A group as RFC 7643 section 4.2 describes it. Its members are users. */
export const ScimGroup = z
  .object({
    schemas,
    id: id('scg'),
    externalId: z.string().optional().describe('Identifier of the group in the directory'),
    displayName: z.string().describe('Name of the group, by which roles are mapped'),
    members: z
      .array(
        z.object({
          value: id('scu'),
          display: z.string().describe('Name of the user'),
          type: z.literal('User').describe('Only users can be members'),
        }),
      )
      .optional()
      .describe('Users of the group; absent if the request leaves them out'),
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
    totalResults: z.number().int().describe('Number of all results'),
    startIndex: z.number().int().describe('Position of the first result of this page, from 1'),
    itemsPerPage: z.number().int().describe('Number of results on this page'),
    Resources: z.array(resource).describe('The results of this page'),
  })
}

/** The body of PATCH (RFC 7644 section 3.5.2), as documented; the operation reads it leniently. */
export const ScimPatch = z
  .object({
    schemas,
    Operations: z
      .array(
        z.object({
          op: z.enum(['add', 'replace', 'remove']).describe('What to do at the path'),
          path: z.string().optional().describe('Attribute to change, with a filter if need be; default: the resource'),
          value: z.unknown().describe('The new value; its members if there is no path'),
        }),
      )
      .describe('Changes that are made in order, all or none'),
  })
  .meta({ id: 'ScimPatch' })

export const NewScimUser = z
  .looseObject({
    schemas,
    userName: z.string().describe('Sign-in name in the directory, unique in the workspace'),
    externalId: z.string().optional().describe('Identifier of the user in the directory'),
    displayName: z.string().optional().describe('Name for people'),
    active: z.boolean().optional().describe('False removes the member from the workspace; default: true'),
    emails: z
      .array(z.looseObject({ value: z.string().describe('Mail address') }))
      .optional()
      .describe('Mail addresses; the primary one finds the account'),
  })
  .meta({ id: 'NewScimUser' })

export const NewScimGroup = z
  .looseObject({
    schemas,
    displayName: z.string().describe('Name of the group, by which roles are mapped'),
    externalId: z.string().optional().describe('Identifier of the group in the directory'),
    members: z
      .array(z.looseObject({ value: id('scu') }))
      .optional()
      .describe('Users of the group'),
  })
  .meta({ id: 'NewScimGroup' })
