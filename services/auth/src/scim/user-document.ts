import { toMailAddress } from '@wp/contracts'
import { z } from 'zod'
import type { AttributeNames, Document } from './patch.ts'
import { scimError } from './scim-error.ts'

/** Entra ID sends booleans as text. */
const flag = z.union([
  z.boolean(),
  z
    .string()
    .regex(/^(true|false)$/i)
    .transform((text) => text.toLowerCase() === 'true'),
])
const noNul = /^[^\0]*$/
const text = (max: number) => z.string().max(max).regex(noNul)
/** An empty text or null counts as absent (RFC 7643 section 2.5). */
const optionalText = (max: number) =>
  text(max)
    .nullish()
    .transform((value) => (value === null || value === '' ? undefined : value))

const userDocument = z.object({
  userName: text(256).min(1),
  externalId: optionalText(256),
  active: flag.default(true),
  displayName: optionalText(256),
  title: optionalText(256),
  preferredLanguage: optionalText(64),
  locale: optionalText(64),
  timezone: optionalText(64),
  name: z
    .object({ formatted: optionalText(256), familyName: optionalText(256), givenName: optionalText(256) })
    .nullish()
    .transform((name) => name ?? undefined),
  emails: z
    .array(
      z.object({
        value: text(254),
        type: optionalText(64),
        primary: flag.nullish().transform((primary) => primary === true || undefined),
      }),
    )
    .max(20)
    .nullish()
    .transform((emails) => (emails === null || emails?.length === 0 ? undefined : onePrimary(emails))),
})

/** The attributes of a user that are kept. */
export type UserDocument = z.output<typeof userDocument>

interface Email {
  value: string
  type?: string | undefined
  primary?: true | undefined
}

/** Keeps the last primary address: a change that makes one primary demotes the others (RFC 7643 section 2.4). */
function onePrimary(emails: Email[] | undefined): Email[] | undefined {
  const last = emails?.findLastIndex(({ primary }) => primary === true)
  return emails?.map((email, index) => (index === last ? email : { ...email, primary: undefined }))
}

export const userAttributes: AttributeNames = {
  kept: Object.keys(userDocument.shape),
  lists: ['emails'],
  // No personal data that the platform has no use for.
  ignored: new Set(
    [
      ...['schemas', 'id', 'meta', 'groups', 'password', 'nickName', 'profileUrl', 'userType', 'phoneNumbers', 'ims'],
      ...['photos', 'addresses', 'entitlements', 'roles', 'x509Certificates'],
    ].map((name) => name.toLowerCase()),
  ),
}

/** Reads the attributes of a user from a body or a changed document. @throws Problem with scimType `invalidValue` */
export const readUserDocument = (body: Document): UserDocument => readDocument(userDocument, body)

/** Reads a document. Attribute names are case-insensitive (RFC 7643 section 2.1); others are ignored. */
export function readDocument<S extends z.ZodObject>(schema: S, body: Document): z.output<S> {
  const result = schema.safeParse(withCanonicalNames(schema, body))
  if (result.success) return result.data
  const [issue] = result.error.issues
  throw scimError('invalidValue', `${issue?.path.join('.') ?? 'The body'} is not valid`)
}

const withCanonicalNames = ({ shape }: z.ZodObject, body: Document): Document => {
  const names = new Map(Object.keys(shape).map((name) => [name.toLowerCase(), name]))
  return Object.fromEntries(
    Object.entries(body).flatMap(([given, value]) => {
      const name = names.get(given.toLowerCase())
      return name === undefined ? [] : [[name, value]]
    }),
  )
}

/**
 * Returns the mail address of a user, by which the account is found: the primary one, the one for work, the first, or
 * the user name.
 * @throws Problem with scimType `invalidValue` if there is none
 */
export function mailAddressOf({ emails = [], userName }: UserDocument): string {
  const chosen =
    emails.find(({ primary }) => primary === true) ?? emails.find(({ type }) => type === 'work') ?? emails[0]
  const address = toMailAddress(chosen?.value ?? userName)
  if (address === undefined) throw scimError('invalidValue', 'emails or userName must have a mail address')
  return address
}
