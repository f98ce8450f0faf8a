import { boundedArray } from '@wp/contracts'
import { z } from 'zod'
import type { AttributeNames, Document } from './patch.ts'
import { readDocument } from './user-document.ts'

/** Largest number of members of a group. */
const maxGroupMembers = 5_000

const groupDocument = z.object({
  displayName: z
    .string()
    .min(1)
    .max(256)
    .regex(/^[^\0]*$/),
  externalId: z
    .string()
    .max(256)
    .regex(/^[^\0]*$/)
    .nullish()
    .transform((value) => (value === null || value === '' ? undefined : value)),
  members: boundedArray(z.object({ value: z.string().max(64) }), maxGroupMembers)
    .nullish()
    .transform((members) => [...new Set(members?.map(({ value }) => value))]),
})

/** The attributes of a group that are kept; its members by the ids of users. */
export type GroupDocument = z.output<typeof groupDocument>

export const groupAttributes: AttributeNames = {
  kept: Object.keys(groupDocument.shape),
  lists: ['members'],
  ignored: new Set(['schemas', 'id', 'meta']),
}

/** Reads the attributes of a group from a body or a changed document. @throws Problem with scimType `invalidValue` */
export const readGroupDocument = (body: Document): GroupDocument => readDocument(groupDocument, body)
